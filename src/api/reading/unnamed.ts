import type { ReplyReader } from './reply.ts';
import { Misfit } from './shape.ts';
import { truthOf } from './truth.ts';
import { fieldsOf, idsOf, isId, type UnnamedFields, values } from './unnamed-fields.ts';
import { findRecord, type LocatedRecord, pluralOf, readList } from './unnamed-search.ts';

export { fieldsOf, type UnnamedFields, values } from './unnamed-fields.ts';
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
  return {
    read: (answer) => readList(answer.body, thing, (found, at) => entryOf(found, at, thing, more)),
    wire: listWire(thing),
  };
}

/** One thing with an identifier, alone in the answer: flat in it, or under a key. */
export function entry(thing: string, more: readonly string[] = []): ReplyReader<IdentifiedEntry> {
  return {
    read: ({ body }) => {
      const { at, ...found } = findRecord(body, thing);
      return entryOf(found, at, thing, more);
    },
    wire: { type: 'object', description: `One ${thing}; its shape is not documented.` },
  };
}

/** A list of things with names, or of bare names. One without a name is an error and never left out. */
export function named(thing: string, more: readonly string[] = []): ReplyReader<NamedEntry[]> {
  return {
    read: (answer) =>
      readList(answer.body, thing, ({ record, bare, key }, at): NamedEntry => {
        const own = fieldsOf(record);
        const name = bare ?? values(own, [...more, 'name', `${thing}name`, thing])[0] ?? key;
        if (name === '') throw new Misfit(at, `has no usable ${thing} name`);
        return { name, fields: bare === undefined ? withKey(key, own, name) : own };
      }),
    wire: listWire(thing),
  };
}

/** A list of records of any kind, such as events; one that is only a text stands under the thing's own name. */
export function rows(thing: string): ReplyReader<UnnamedFields[]> {
  return {
    read: (answer) =>
      readList(answer.body, thing, ({ record, bare, key }) =>
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

function entryOf(
  { record, bare, key, beside = [] }: LocatedRecord,
  at: string,
  thing: string,
  more: readonly string[],
): IdentifiedEntry {
  if (bare !== undefined) throw new Misfit(at, `is not a ${thing}`);
  const fields = fieldsOf(record);
  const id = readId([...values(fields, idsOf(thing)), ...beside], key, at, thing);
  const name = values(fields, [...more, 'name', `${thing}name`, 'title', 'description'])[0];
  const enabled = values(fields, ['enabled', 'active'])
    .map(truthOf)
    .find((said) => said !== undefined);
  return {
    id,
    ...(name === undefined ? {} : { name }),
    ...(enabled === undefined ? {} : { enabled }),
    fields: withKey(key, fields, String(id)),
  };
}

/** @param key the record's key in a map by ID, '' in an array */
export function readId(named: readonly string[], key: string, at: string, thing: string): number {
  const usable = named.filter(isId);
  const ids = new Set((usable.length > 0 ? usable : [key].filter(isId)).map(Number));
  const [id] = ids;
  if (id === undefined) throw new Misfit(at, `has no usable ${thing} ID`);
  // Orders go by this number: with two to choose from, it might hit something else.
  if (ids.size > 1) throw new Misfit(at, `has more than one ${thing} ID`);
  return id;
}
