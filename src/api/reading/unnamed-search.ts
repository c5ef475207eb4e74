import { expectAtMost, expectSearchable, mostThings } from './bounds.ts';
import { type Envelope, isRecord } from './envelope.ts';
import { isEnvelope } from './reply.ts';
import { isNested, plain, textOf } from './said.ts';
import { Misfit } from './shape.ts';
import { fieldsOf, finder, idsOf, isId, partsOf } from './unnamed-fields.ts';

/** Where in an answer of unknown shape the things are that were asked for. */

export interface LocatedRecord {
  readonly record: Record<string, unknown>;
  /** A thing that is only text, such as a database's name. */
  readonly bare?: string | undefined;
  /** Its key in a map, '' in an array. */
  readonly key: string;
  /** Identifiers that stand beside the record and not in it. */
  readonly beside?: readonly string[];
}

/**
 * Reads every item of the list of things in an answer, whatever the list is called.
 * @param takesAny whether an item may be of any shape, such as a line of a log of which nothing is ordered
 * @throws Misfit also where there is more to search than `bounds.ts` allows: 50,000 things, 10,000 different field names
 */
export function readList<T>(
  { body, status }: Envelope,
  thing: string,
  read: (found: LocatedRecord) => T,
  takesAny = false,
): T[] {
  expectSearchable(body);
  const [name, list] = findList(body, thing);
  // No list is one without entries only in an answer that says of itself that it is one.
  if (!Array.isArray(list) && (list === null || isEmpty(list)) && status !== true) {
    throw new Misfit(name, `is not a list of ${pluralOf(thing)}`);
  }
  const items: readonly unknown[] = Array.isArray(list) ? list : Object.values(list ?? {});
  expectAtMost(mostThings, items.length, pluralOf(thing));
  // Keys that count from zero are places, as in an array, and not identifiers.
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

/** A list by its name in the reply: an array, a map by ID, or null, which is how some servers write "none". */
type NamedList = [name: string, list: object | null];

/**
 * The name of the list is not documented either: it is called like the things, or speaks of them, or says nothing at
 * all ("data"). Orders go by what is found here, so a list whose name says something else is never taken, and with two
 * to choose from none is: "there are none" might be told of the wrong one.
 * "There is none" may be a proof that something is gone, so an empty list counts only when nothing else can be meant:
 * it speaks of the thing, or is all there is.
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

/** Other words of the field for the same things. */
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

/** What a list or a record may be called that says nothing of what is in it. */
const neutral =
  '(data|results?|items?|rows?|records?|lists?|entry|entries|answers?|responses?|contents?|values?)';
const sayingNothing = new RegExp(`^${neutral}+$`);

/** Words before a thing's name that make it another thing: who asks for open sessions must not get closed ones. */
const contrary =
  /closed|past|old|histor|ended|expired|finished|terminated|killed|previous|former|last|recent|archived|deleted|removed|disconnected|failed/;

/**
 * Whether what has this name may be the thing or things: it says nothing ("data"), or ends in the thing's own name, with
 * nothing contrary before and nothing but neutral words after it. "open_sessions" and "session_list" are sessions;
 * "closed_sessions", "session_history" and "target_groups" are not.
 */
function mayBe(name: string, thing: string): boolean {
  const written = plain(name);
  if (name === '' || sayingNothing.test(written)) return true;
  const called = namesOf(thing).flatMap((one) => [pluralOf(one), one]);
  const before = new RegExp(`^(.*?)(?:${called.join('|')})+${neutral}*$`).exec(written)?.[1];
  return before !== undefined && !contrary.test(before);
}

export function pluralOf(thing: string): string {
  return thing.endsWith('y') ? `${thing.slice(0, -1)}ies` : `${thing}${thing.endsWith('s') ? 'es' : 's'}`;
}

/** What servers like to put beside an answer. */
const remarks = /^(status|info|error|version|warning|message|notice|debug)s?$/;

/** The reply itself when it is an array, else every value but remarks that is an array, a map of records or null. */
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

/** Whether all in it are records, or all its keys count, which is how PHP writes a list with gaps. */
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
 * The one record in an answer: what is called like the thing, else the answer itself when it has an identifier, else
 * what speaks of the thing, or is the only record there under a name that says nothing. What a record refers to must
 * not be taken for it: a member's `member_group` has an identifier too.
 */
export function findRecord(body: unknown, thing: string): LocatedRecord & { readonly at: string } {
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
  // A key that is called like the thing and holds no record says that there is none.
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
