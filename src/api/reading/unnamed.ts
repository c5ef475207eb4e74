import type { ReplyReader } from './reply.ts';
import { Misfit } from './shape.ts';
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
 * A list of things with identifiers. One that cannot be identified is an error and never left out.
 * @param thing the list's likely name in the answer, in the singular: "session"
 * @param more likely names of what the thing is called by, most likely first
 */
export function entries(thing: string, more: readonly string[] = []): ReplyReader<IdentifiedEntry[]> {
  const entryOf = entriesOf(thing, more);
  return {
    read: (answer) => readList(answer, thing, entryOf),
    wire: listWire(thing),
  };
}

/** One thing with an identifier, alone in the answer: flat in it, or under a key. */
export function entry(thing: string, more: readonly string[] = []): ReplyReader<IdentifiedEntry> {
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
    wire: { type: 'object', description: `One ${thing}; its shape is not documented.` },
  };
}

/** A list of things with names, or of bare names. One without a name is an error and never left out. */
export function named(thing: string, more: readonly string[] = []): ReplyReader<NamedEntry[]> {
  const find = finder({ name: [...more, 'name', `${thing}name`, thing] });
  return {
    read: (answer) =>
      readList(answer, thing, ({ record, bare, key }): NamedEntry => {
        const own = fieldsOf(record);
        const name = bare ?? find(own)('name')[0] ?? key;
        if (name === '') throw new Misfit('', `has no usable ${thing} name`);
        return { name, fields: bare === undefined ? withKey(key, own, name) : own };
      }),
    wire: listWire(thing),
  };
}

/** A list of records of any kind, such as events; one that is only a text stands under the thing's own name. */
export function rows(thing: string): ReplyReader<UnnamedFields[]> {
  return {
    read: (answer) =>
      readList(answer, thing, ({ record, bare, key }) =>
        bare === undefined ? withKey(key, fieldsOf(record)) : { [thing]: bare },
      ),
    wire: listWire(thing),
  };
}

/** What is known about a thing only by its key in a map must not get lost, unless it is known by it. */
function withKey(key: string, fields: Record<string, string>, knownBy = ''): Record<string, string> {
  return key === '' || key === knownBy ? fields : { key, ...fields };
}

function listWire(thing: string) {
  return {
    type: ['object', 'array'],
    description: `A list of ${pluralOf(thing)}; its shape is not documented.`,
  };
}

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
