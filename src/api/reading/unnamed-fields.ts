import { expectAtMost, expectSearchable, mostThings } from './bounds.ts';
import { plain, shownText } from './said.ts';
import type { Shape } from './shape.ts';

/** The fields of a thing whose fields are not documented (appliance-api.md §2.14), and what can be told from them. */

/**
 * Everything the appliance said about one thing, as text, under the appliance's own names. Hostile text.
 * A password, secret or token is there as '(hidden)'. Of a thing in a map, `key` is its key, where that is not its ID or
 * name already.
 */
export type UnnamedFields = Readonly<Record<string, string>>;

export function isId(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

/** More than any thing has, and few enough to be gone through several times in no time. */
const mostFields = 10_000;

/**
 * The fields of a record, one by one.
 * @throws Misfit when they are more than a thing, or an answer with one name for each list in it, can have
 */
export function partsOf(record: Record<string, unknown>): [name: string, value: unknown][] {
  const names = Object.keys(record);
  expectAtMost(mostFields, names.length, 'fields');
  return names.map((name) => [name, record[name]]);
}

const ownField = { enumerable: true, writable: true, configurable: true };

export function fieldsOf(record: Record<string, unknown>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name in record) {
    const value = shownText(name, record[name]);
    // A field may be called `__proto__`, and to assign to that makes no field.
    if (name === '__proto__') Object.defineProperty(fields, name, { ...ownField, value });
    else fields[name] = value;
  }
  return fields;
}

/** The non-empty values of one record under the likely names of what is looked for. */
type Finds<Role extends string> = (fields: UnnamedFields) => (role: Role) => string[];

interface Place {
  readonly role: string;
  readonly rank: number;
}

/**
 * What to look for in records, and under which names, most likely first; in this order the values are found. Names are
 * compared without case and punctuation: `session_id`, `SessionID` and `sessionid` are one. Of several roles of a name the
 * first counts. Each record is gone through once, because there may be a hundred thousand.
 */
export function finder<Role extends string>(likely: Readonly<Record<Role, readonly string[]>>): Finds<Role> {
  const places = new Map<string, Place>();
  for (const [role, names] of Object.entries<readonly string[]>(likely)) {
    for (const [rank, name] of names.entries()) if (!places.has(name)) places.set(name, { role, rank });
  }
  return (fields) => {
    const found: { readonly place: Place; readonly value: string }[] = [];
    for (const name in fields) {
      const place = places.get(plain(name));
      const value = fields[name];
      if (place !== undefined && value !== undefined && value !== '') found.push({ place, value });
    }
    if (found.length > 1) found.sort((one, other) => one.place.rank - other.place.rank);
    return (role) => {
      const all: string[] = [];
      for (const { place, value } of found) if (place.role === role) all.push(value);
      return all;
    };
  };
}

/** The likely names of a thing's identifier. */
export function idsOf(thing: string): string[] {
  return ['id', `${thing}id`];
}

/**
 * A list of records of which the document names some fields, and all others are searched.
 * @throws Misfit also where there is more to search than `bounds.ts` allows
 */
export function searchable<T>(list: Shape<T>): Shape<T> {
  return {
    ...list,
    read(value) {
      expectSearchable(value);
      if (Array.isArray(value)) expectAtMost(mostThings, value.length, 'things');
      return list.read(value);
    },
  };
}
