import { isDeepStrictEqual } from 'node:util';
import { anyWire, type ReplyReader, withEnvelope } from './reply.ts';
import { type JsonSchema, Misfit } from './shape.ts';
import { truthOf } from './truth.ts';
import { fieldsOf, finder, idsOf, isId, type UnnamedFields } from './unnamed-fields.ts';
import { findRecord, type LocatedRecord, pluralOf, readList } from './unnamed-search.ts';

export { fieldsOf, finder, searchable, type UnnamedFields } from './unnamed-fields.ts';
export { readList } from './unnamed-search.ts';

/**
 * Lists and records whose fields the document does not name (appliance-api.md §2.14): what is certain is read under
 * its likely names, everything else stays as text under the appliance's own names.
 */

/** A thing with an identifier. */
export interface IdentifiedEntry {
  readonly id: number;
  /** Under one of its likely names; absent when there is none. */
  readonly name?: string;
  /** Absent when the appliance does not say, or says neither yes nor no. */
  readonly enabled?: boolean;
  readonly fields: UnnamedFields;
}

/** A thing that is identified by its name. */
export interface NamedEntry {
  readonly name: string;
  /** None when the appliance lists bare names. */
  readonly fields: UnnamedFields;
}

/**
 * What the appliance sends of a thing of which the document names few fields or none.
 * @param description what the thing is, in a sentence
 * @param known the fields that are documented, by name and by pattern
 */
export function undocumented(
  title: string,
  description: string,
  known: Readonly<
    Partial<Record<'properties' | 'patternProperties', Readonly<Record<string, JsonSchema>>>>
  > = {},
): JsonSchema {
  const fields = Object.keys(known).length === 0 ? 'Its fields are' : 'Its other fields are';
  return {
    title,
    description: `${description} ${fields} not documented (§2.14).`,
    type: 'object',
    ...known,
    additionalProperties: anyWire,
  };
}

/**
 * A list of things with identifiers. One that cannot be identified is an error and never left out.
 * @param thing the list's likely name in the answer, in the singular: "session"
 * @param one what the appliance sends of one of them
 * @param more likely names of what the thing is called by, most likely first
 */
export function entries(
  thing: string,
  one: JsonSchema,
  more: readonly string[] = [],
): ReplyReader<IdentifiedEntry[]> {
  const entryOf = entriesOf(thing, more);
  return {
    read: (answer) => withoutRepeats(readList(answer, thing, entryOf), ({ id }) => id),
    wire: listWire(thing, one),
  };
}

/** One thing with an identifier, alone in the answer: flat in it, or under a key. */
export function entry(
  thing: string,
  one: JsonSchema,
  more: readonly string[] = [],
): ReplyReader<IdentifiedEntry> {
  const entryOf = entriesOf(thing, more);
  return {
    read: ({ body }) => {
      const { at, ...found } = findRecord(body, thing);
      try {
        return entryOf(found);
      } catch (error) {
        throw at === '' ? error : Misfit.under(at, error);
      }
    },
    wire: {
      anyOf: [
        one,
        {
          ...withEnvelope({ [capital(thing)]: one }),
          description: `The ${thing} may stand under a key; which one is not documented.`,
        },
      ],
    },
  };
}

/** A list of things with names, or of bare names. One without a name is an error and never left out. */
export function named(
  thing: string,
  one: JsonSchema,
  more: readonly string[] = [],
): ReplyReader<NamedEntry[]> {
  const find = finder({ name: [...more, 'name', `${thing}name`, thing] });
  return {
    read: (answer) =>
      withoutRepeats(
        readList(answer, thing, ({ record, bare, key }): NamedEntry => {
          const own = fieldsOf(record);
          const name = bare ?? find(own)('name')[0] ?? key;
          if (name === '') throw new Misfit('', `has no usable ${thing} name`);
          return { name, fields: bare === undefined ? withKey(key, own, name) : own };
        }),
        ({ name }) => name,
      ),
    wire: listWire(thing, orName(thing, one)),
  };
}

/** A list of records of any kind, such as events; one that is only a text stands under the thing's own name. */
export function rows(thing: string, one: JsonSchema): ReplyReader<UnnamedFields[]> {
  return {
    read: (answer) =>
      readList(
        answer,
        thing,
        ({ record, bare, key }) => (bare === undefined ? withKey(key, fieldsOf(record)) : { [thing]: bare }),
        true,
      ),
    wire: listWire(thing, orName(thing, one)),
  };
}

/** Without those that repeat another one in all that is said of it. Two of one ID that differ may be two things. */
export function withoutRepeats<T>(all: T[], idOf: (one: T) => unknown): T[] {
  const seen = new Map<unknown, T>();
  return all.filter((one) => {
    const before = seen.get(idOf(one));
    if (before === undefined) seen.set(idOf(one), one);
    return before === undefined || !isDeepStrictEqual(before, one);
  });
}

/** What is known about a thing only by its key in a map must not get lost, unless it is known by it. */
function withKey(key: string, fields: Record<string, string>, knownBy = ''): Record<string, string> {
  return key === '' || key === knownBy ? fields : { key, ...fields };
}

function orName(thing: string, one: JsonSchema): JsonSchema {
  return { anyOf: [one, { type: 'string', description: `A ${thing} that is only a text.` }] };
}

export function listWire(thing: string, one: JsonSchema): JsonSchema {
  const list: JsonSchema = { type: 'array', items: one };
  const byKey: JsonSchema = { type: 'object', additionalProperties: one };
  return {
    description: `A list of ${pluralOf(thing)}; where it stands in the answer is not documented.`,
    anyOf: [
      withEnvelope({
        [capital(pluralOf(thing))]: {
          description: `All ${pluralOf(thing)}, as a list or by their identifiers. The key is only a likely one.`,
          anyOf: [list, byKey, { type: 'null', description: 'None.' }],
        },
      }),
      list,
      byKey,
    ],
  };
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

function entriesOf(thing: string, more: readonly string[]) {
  const find = finder({
    id: idsOf(thing),
    name: [...more, 'name', `${thing}name`, 'title', 'description'],
    enabled: ['enabled', 'active'],
  });
  return ({ record, bare, key, beside = [] }: LocatedRecord): IdentifiedEntry => {
    if (bare !== undefined) throw new Misfit('', `is not a ${thing}`);
    const fields = fieldsOf(record);
    const under = find(fields);
    const id = readId([...under('id'), ...beside], key, thing);
    const [name] = under('name');
    const enabled = under('enabled')
      .map(truthOf)
      .find((said) => said !== undefined);
    return {
      id,
      ...(name === undefined ? {} : { name }),
      ...(enabled === undefined ? {} : { enabled }),
      fields: withKey(key, fields, String(id)),
    };
  };
}

/** @param key the record's key in a map by ID, '' in an array */
export function readId(named: readonly string[], key: string, thing: string): number {
  let id: number | undefined;
  for (const text of named.some(isId) ? named : [key]) {
    if (!isId(text)) continue;
    // Orders go by this number: with two to choose from, it might hit something else.
    if (id !== undefined && id !== Number(text)) throw new Misfit('', `has more than one ${thing} ID`);
    id = Number(text);
  }
  if (id === undefined) throw new Misfit('', `has no usable ${thing} ID`);
  return id;
}
