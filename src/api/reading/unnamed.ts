import { isDeepStrictEqual } from 'node:util';
import { expectAtMost, expectSearchable, Misfit, mostThings } from './bounds.ts';
import { type Envelope, isRecord } from './envelope.ts';
import { anyWire, isEnvelope, type ReplyReader, withEnvelope } from './reply-reader.ts';
import { isNested, plain, shownText, textOf, truthOf } from './said.ts';
import type { JsonSchema, Shape } from './shape.ts';

/**
 * Reads lists and records with undocumented fields (appliance-api.md §2.14). Certain values are read under
 * likely names; everything else stays as text under the appliance's own names.
 */

export interface IdentifiedEntry {
  readonly id: number;
  /** Under a likely name; absent if there is none. */
  readonly name?: string;
  /** Absent if the appliance does not report it, or reports neither yes nor no. */
  readonly enabled?: boolean;
  readonly fields: UnnamedFields;
}

export interface NamedEntry {
  readonly name: string;
  /** Empty if the appliance lists bare names. */
  readonly fields: UnnamedFields;
}

/**
 * The schema of a thing with few or no documented fields.
 * @param description the thing, in a sentence
 * @param known the documented fields, by name and by pattern
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
 * A list of things with identifiers. An unidentifiable one is an error and never left out.
 * @param thing the list's likely name in the answer, in the singular: "session"
 * @param one the schema of an item
 * @param more likely names of the field with the thing's name, most likely first
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

/** A list of records of any kind, such as events; a bare text is stored under the thing's own name. */
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

/** Removes exact repetitions. Two with one ID that differ may be two things. */
export function withoutRepeats<T>(all: T[], idOf: (one: T) => unknown): T[] {
  const seen = new Map<unknown, T>();
  return all.filter((one) => {
    const before = seen.get(idOf(one));
    if (before === undefined) seen.set(idOf(one), one);
    return before === undefined || !isDeepStrictEqual(before, one);
  });
}

/** Keeps a map's key unless it is the thing's ID or name already. */
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
    // Orders use this number: with two to choose from, one might hit something else.
    if (id !== undefined && id !== Number(text)) throw new Misfit('', `has more than one ${thing} ID`);
    id = Number(text);
  }
  if (id === undefined) throw new Misfit('', `has no usable ${thing} ID`);
  return id;
}

/** The fields of a thing with undocumented fields (appliance-api.md §2.14), and values in them. */

/**
 * Everything about one thing as text, under the appliance's own names. Hostile text. Passwords, secrets and
 * tokens appear as '(hidden)'. For a thing in a map, `key` is its key unless that is its ID or name.
 */
export type UnnamedFields = Readonly<Record<string, string>>;

function isId(text: string): boolean {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text));
}

/** More fields than any thing has, and few enough for several fast searches. */
const mostFields = 10_000;

/**
 * The fields of a record, one by one.
 * @throws Misfit if there are more than a thing can have, or an answer with one name for each of its lists
 */
function partsOf(record: Record<string, unknown>): [name: string, value: unknown][] {
  const names = Object.keys(record);
  expectAtMost(mostFields, names.length, 'fields');
  return names.map((name) => [name, record[name]]);
}

const ownField = { enumerable: true, writable: true, configurable: true };

export function fieldsOf(record: Record<string, unknown>): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const name in record) {
    const value = shownText(name, record[name]);
    // Assigning to `__proto__` would create no field.
    if (name === '__proto__') Object.defineProperty(fields, name, { ...ownField, value });
    else fields[name] = value;
  }
  return fields;
}

type Finds<Role extends string> = (fields: UnnamedFields) => (role: Role) => string[];

interface Place {
  readonly role: string;
  readonly rank: number;
}

/**
 * The likely names for each role, most likely first; values are found in this order. Names ignore case and
 * punctuation: `session_id`, `SessionID` and `sessionid` are one. If a name has several roles, the first
 * counts. Each record is searched once, because there may be a hundred thousand.
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

function idsOf(thing: string): string[] {
  return ['id', `${thing}id`];
}

/**
 * A list of records with some documented fields, whose other fields are searched.
 * @throws Misfit also if there is more to search than `bounds.ts` allows
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

/** Finds the requested things in an answer of unknown shape. */

interface LocatedRecord {
  readonly record: Record<string, unknown>;
  /** A thing that is only text, such as a database's name. */
  readonly bare?: string | undefined;
  /** Its key in a map, '' in an array. */
  readonly key: string;
  /** Identifiers beside the record rather than inside. */
  readonly beside?: readonly string[];
}

/**
 * Reads every item of the list in an answer, whatever its name.
 * @param takesAny whether items may have any shape, such as lines of a log, which no order uses
 * @throws Misfit also if there is more to search than `bounds.ts` allows: 50,000 things, 10,000 different field
 * names
 */
export function readList<T>(
  { body, status }: Envelope,
  thing: string,
  read: (found: LocatedRecord) => T,
  takesAny = false,
): T[] {
  expectSearchable(body);
  const [name, list] = findList(body, thing);
  // A missing list means none only in an answer with Status true.
  if (!Array.isArray(list) && (list === null || isEmpty(list)) && status !== true) {
    throw new Misfit(name, `is not a list of ${pluralOf(thing)}`);
  }
  const items: readonly unknown[] = Array.isArray(list) ? list : Object.values(list ?? {});
  expectAtMost(mostThings, items.length, pluralOf(thing));
  // Keys that count from zero are positions, as in an array, and no identifiers.
  const keys = Array.isArray(list) ? undefined : Object.keys(list ?? {});
  const named = keys?.every((key, index) => key === String(index)) ? undefined : keys;
  let index = 0;
  try {
    const made: T[] = [];
    for (; index < items.length; index += 1) made.push(read(foundIn(items[index], named?.[index] ?? '')));
    return made;
  } catch (error) {
    const place = Misfit.under(keys?.[index] ?? index, error);
    throw name === '' ? place : Misfit.under(name, place);
  }

  function foundIn(item: unknown, key: string): LocatedRecord {
    if (isRecord(item)) return { record: item, key };
    if (typeof item !== 'string' && typeof item !== 'number' && !takesAny) {
      throw new Misfit('', `is not a ${thing}`);
    }
    return { record: {}, bare: textOf(item), key };
  }
}

/** A list by its name in the reply: an array, a map by ID, or null, which some servers write for "none". */
type NamedList = [name: string, list: object | null];

/**
 * The name of the list is undocumented too: it names the things, mentions them, or is neutral ("data"). Orders
 * depend on the result, so a list with another name is never taken, and neither is one of two candidates:
 * "there are none" might be about the wrong one. "There is none" may prove that something is gone, so an empty
 * list counts only if nothing else can be meant: it mentions the thing, or is the only content.
 */
function findList(body: unknown, thing: string): NamedList {
  const found = candidates(body);
  const called = Object.keys(isRecord(body) ? body : {}).filter((name) => isCalled(name, thing));
  const odd = called.find((name) => !found.some(([listed]) => listed === name));
  if (odd !== undefined) throw new Misfit(odd, `is not a list of ${pluralOf(thing)}`);
  const filled = found.filter(([, list]) => list !== null && !isEmpty(list));
  const choice = [
    found.filter(([name]) => isCalled(name, thing)),
    found.filter(([name]) => mentions(name, thing)),
    filled,
    found.filter(
      ([name, list]) =>
        found.length === 1 && (Array.isArray(list) || (list === null && sayingNothing.test(plain(name)))),
    ),
  ].find((choices) => choices.length > 0);
  const lists = choice?.filter(([, list]) => list !== null) ?? [];
  const [best, rival] = lists.length > 0 ? lists : (choice ?? []);
  if (rival !== undefined) throw new Misfit('', `has more than one list of ${pluralOf(thing)}`);
  if (best === undefined || !mayBe(best[0], thing)) throw new Misfit('', `has no list of ${pluralOf(thing)}`);
  return best;
}

/** Other words of appliances for the same things. */
const alsoCalled: ReadonlyMap<string, readonly string[]> = new Map([
  ['interface', ['vlan']],
  ['event', ['log']],
  ['video', ['recording']],
  ['domain', ['zone']],
]);

function namesOf(thing: string): readonly string[] {
  return [thing, ...(alsoCalled.get(thing) ?? [])];
}

function isCalled(name: string, thing: string): boolean {
  return namesOf(thing).some((one) => [one, pluralOf(one)].includes(plain(name)));
}

function mentions(name: string, thing: string): boolean {
  return namesOf(thing).some((one) => plain(name).includes(one.replace(/y$/, '')));
}

/** Neutral names of a list or a record. */
const neutral =
  '(data|results?|items?|rows?|records?|lists?|entry|entries|answers?|responses?|contents?|values?)';
const sayingNothing = new RegExp(`^${neutral}+$`);

/**
 * Words before a thing's name that change its meaning: a caller that asks for open sessions must not get closed
 * ones.
 */
const contrary =
  /closed|past|old|histor|ended|expired|finished|terminated|killed|previous|former|last|recent|archived|deleted|removed|disconnected|failed/;

/**
 * Whether a name may mean the thing or things. It may be neutral ("data"), or end in the thing's own name, with
 * no contrary word before and only neutral words after. "open_sessions" and "session_list" are sessions;
 * "closed_sessions", "session_history" and "target_groups" are not.
 */
function mayBe(name: string, thing: string): boolean {
  const written = plain(name);
  if (name === '' || sayingNothing.test(written)) return true;
  const called = namesOf(thing).flatMap((one) => [pluralOf(one), one]);
  const before = new RegExp(`^(.*?)(?:${called.join('|')})+${neutral}*$`).exec(written)?.[1];
  return before !== undefined && !contrary.test(before);
}

function pluralOf(thing: string): string {
  return thing.endsWith('y') ? `${thing.slice(0, -1)}ies` : `${thing}${thing.endsWith('s') ? 'es' : 's'}`;
}

/** Names of remarks beside an answer. */
const remarks = /^(status|info|error|version|warning|message|notice|debug)s?$/;

/**
 * The reply itself if it is an array; otherwise every value except remarks that is an array, a map of records
 * or null.
 */
function candidates(body: unknown): NamedList[] {
  if (Array.isArray(body)) return [['', body]];
  if (!isRecord(body)) return [];
  return partsOf(body).filter((pair): pair is NamedList => {
    const [name, value] = pair;
    return (
      !remarks.test(plain(name)) &&
      (value === null || Array.isArray(value) || (isRecord(value) && isMap(value)))
    );
  });
}

/** Whether all values are records, or all keys count, which is how PHP writes a list with gaps. */
function isMap(value: Record<string, unknown>): boolean {
  let hasOthers = false;
  let hasNames = false;
  for (const key in value) {
    hasOthers ||= !isRecord(value[key]);
    hasNames ||= !/^\d+$/.test(key);
    if (hasOthers && hasNames) return false;
  }
  return true;
}

function isEmpty(list: object): boolean {
  if (Array.isArray(list)) return list.length === 0;
  for (const _ in list) return false;
  return true;
}

/**
 * The one record in an answer: under the thing's name; or the answer itself if it has an identifier; or the
 * only record under a name that mentions the thing or is neutral. Referenced things must not be taken for it: a
 * member's `member_group` has an identifier too.
 */
function findRecord(body: unknown, thing: string): LocatedRecord & { readonly at: string } {
  expectSearchable(body);
  const whole = onlyRecord(body);
  if (whole === undefined) throw new Misfit('', `is not a ${thing}`);
  const own = partsOf(whole.record).filter(([name, value]) => !isEnvelope(name, value));
  const inside = own.flatMap(([at, value]) => {
    const found = onlyRecord(value);
    return found === undefined ? [] : [{ ...found, at }];
  });
  const called = inside.filter(({ at }) => isCalled(at, thing));
  const bare = own.filter(([, value]) => !isNested(value));
  const beside = finder({ id: idsOf(thing) })(fieldsOf(Object.fromEntries(bare)))('id').filter(isId);
  if (called.length > 1) throw new Misfit('', `has more than one ${thing}`);
  if (called[0]) return { ...called[0], beside };
  const speaking = inside.filter(({ at }) => mentions(at, thing));
  const [only, ...others] = speaking.length > 0 ? speaking : inside;
  // The thing's name without a record means that there is none.
  const denied = own.some(([name]) => isCalled(name, thing));
  if (beside.length === 0 && only && others.length === 0 && !denied && mayBe(only.at, thing)) return only;
  return { record: Object.fromEntries(own), key: whole.key, at: '' };
}

/** A record, or the only one of a list or of a map by ID. */
function onlyRecord(value: unknown): LocatedRecord | undefined {
  if (Array.isArray(value)) {
    const [record] = value;
    return isRecord(record) && value.length === 1 ? { record, key: '' } : undefined;
  }
  if (!isRecord(value)) return undefined;
  const only = onlyKeyOf(value);
  const record = only === undefined ? undefined : value[only];
  if (only === undefined || !isId(only) || !isRecord(record)) return { record: value, key: '' };
  return { record, key: only === '0' ? '' : only };
}

function onlyKeyOf(record: Record<string, unknown>): string | undefined {
  let only: string | undefined;
  for (const key in record) {
    if (only !== undefined) return undefined;
    only = key;
  }
  return only;
}
