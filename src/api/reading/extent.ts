import { mostThings } from './bounds.ts';
import { field, isRecord } from './envelope.ts';
import { isNested, plain, truthOf } from './said.ts';

/**
 * How much of a list an answer holds. Only a whole list proves an absence, and restarting services answer with
 * empty, `null` and shortened lists. The document shows no paging (appliance-api.md §8.4), so statements about
 * a list are found under their usual names.
 */
export interface ListExtent {
  readonly operation: string;
  /** The total; absent if not stated. */
  readonly total?: number;
  /** The answer announces more, which was not requested. */
  readonly namesMore: boolean;
  /** The address of the rest, as the answer writes it. */
  readonly next?: string;
  /** It was written as a list, and not as null. */
  readonly isWritten: boolean;
}

const extents = new WeakMap<object, ListExtent>();

/**
 * The statements about a list that a call returned, or about the lists in a report's fields; undefined for
 * other lists.
 */
export const extentOf = (list: object): ListExtent | undefined => extents.get(list);

/** Copies them to a list that was derived entry by entry. */
export function withExtent<T extends object>(list: T, extent: ListExtent | undefined): T {
  if (extent !== undefined) extents.set(list, extent);
  return list;
}

/**
 * Records them for a call's result: a list, the only list in a record, and the fields of a report. Statements
 * from the call's own reader stay.
 */
export function withExtents<Value>(value: Value, operation: string, body: unknown): Value {
  const note = (list: object, came: number) => {
    if (extentOf(list) === undefined) withExtent(list, readExtent(operation, body, came));
  };
  const list = listIn(value)?.list;
  if (list !== undefined) note(list, list.length);
  else if (isRecord(value) && isRecord(value.fields)) note(value.fields, longestIn(body));
  return value;
}

/** A list, or the only one in a record, and a function that replaces it. */
function listIn(
  value: unknown,
): { readonly list: readonly unknown[]; readonly replaced: (by: readonly unknown[]) => unknown } | undefined {
  if (Array.isArray(value)) return { list: value, replaced: (by) => by };
  if (!isRecord(value) || value instanceof Date) return undefined;
  const [only, ...others] = Object.entries(value).flatMap(([name, one]) =>
    Array.isArray(one) ? [{ name, list: one }] : [],
  );
  if (only === undefined || others.length > 0) return undefined;
  return { list: only.list, replaced: (by) => ({ ...value, [only.name]: by }) };
}

/** The length of the longest list in an answer. */
function longestIn(body: unknown): number {
  if (Array.isArray(body)) return body.length;
  return isRecord(body)
    ? Math.max(0, ...Object.values(body).map((one) => (Array.isArray(one) ? one.length : 0)))
    : 0;
}

/** Whether the answer announces more than it sent. */
export function isPart(list: readonly unknown[]): boolean {
  const { total = 0, namesMore = false } = extentOf(list) ?? {};
  return namesMore || list.length < total;
}

/** @param came the number of entries in the answer */
export function readExtent(operation: string, body: unknown, came: number): ListExtent {
  const said = remarksIn(body);
  const count = under(said, isCount);
  // A count may count only the received entries, so it is the total only if it is larger, or zero.
  const total = under(said, isTotal) ?? (count === 0 || (count ?? 0) > came ? count : undefined);
  const page = under(said, (name) => /^(?:current)?page(?:number)?$/.test(name));
  const pages = under(said, (name) => /^(?:(?:total|last)pages?|pages|pagecount)$/.test(name));
  const limit = under(said, (name) => /^(?:limit|pagesize|perpage|maxresults)$/.test(name));
  const next = said.filter(([name]) => /^next(?:page|link|url|href|offset|token|cursor)?$/.test(name));
  const flags = said.flatMap(([name, value]) => (isMore.test(name) ? (truthOf(value) ?? []) : []));
  // A full page, in a list without another statement about its length.
  const isFull = limit !== undefined && limit > 0 && came >= limit && total === undefined;
  const address = next.map(([, value]) => addressIn(value)).find((one) => one !== undefined);
  return {
    operation,
    namesMore:
      next.some(([, value]) => pointsOn(value)) ||
      flags.includes(true) ||
      (page !== undefined && pages !== undefined && page < pages) ||
      (isFull && next.length + flags.length === 0),
    isWritten: came > 0 || Array.isArray(body) || (isRecord(body) && Object.values(body).some(isEmptyList)),
    ...(total !== undefined && { total }),
    ...(address !== undefined && { next: address }),
  };
}

type Remark = readonly [name: string, value: unknown];

/** Beside the list, or in a record of their own beside it. */
function remarksIn(body: unknown): readonly Remark[] {
  if (!isRecord(body)) return [];
  const own: Remark[] = [];
  const lists: string[] = [];
  for (const [key, value] of Object.entries(body).slice(0, mostRemarks)) {
    const name = plain(key);
    if (
      /^(?:meta(?:data)?|pag(?:ing|ination|einfo|er)|page|links?|resultinfo)$/.test(name) &&
      isRecord(value)
    )
      own.push(
        ...Object.entries(value)
          .slice(0, mostRemarks)
          .map(([inner, one]) => [plain(inner), one] as const),
      );
    else if (isNested(value)) {
      lists.push(name);
      if (name.startsWith('next')) own.push([name, value]);
    } else own.push([name, value]);
  }
  // "TotalMembers" and "members_count" beside "Members".
  const things = lists.flatMap((name) => [name, name.replace(/ies$/, 'y'), name.replace(/s$/, '')]);
  return own.map(([name, value]) => {
    const thing = things.find((one) => one !== '' && name !== one && name.includes(one));
    return [thing === undefined ? name : name.replace(thing, ''), value] as const;
  });
}

/** A list has fewer statements. */
const mostRemarks = 200;

const things = '(?:records|items|entries|rows|results|elements|hits)?';
const totals = new RegExp(
  `^(?:(?:number|num|nb)?(?:of)?${things}total|total(?:count|number)?(?:of)?${things}|total${things}count|${things}totalcount)$`,
);
const counts = new RegExp(`^(?:${things}count|count(?:of)?${things}|(?:number|num|nb)(?:of)?${things})$`);
const isTotal = (name: string): boolean => totals.test(name);
const isCount = (name: string): boolean => counts.test(name);
const isMore =
  /^(?:(?:has|is)?more(?:pages|results)?|hasnext(?:page)?|(?:is)?(?:truncated|incomplete|partial|cut))$/;

function under(said: readonly Remark[], fits: (name: string) => boolean): number | undefined {
  const found = said.flatMap(([name, value]) =>
    fits(name) && /^\d{1,9}$/.test(String(value).trim()) ? [Number(value)] : [],
  );
  return found.length === 0 ? undefined : Math.max(...found);
}

/** Null, false, 0 and '' mean that nothing follows. */
const pointsOn = (value: unknown): boolean =>
  isNested(value)
    ? pointsOn(field(value, 'href') ?? field(value, 'url'))
    : !['', '0', 'false', 'null', 'none', 'undefined'].includes(String(value).trim().toLowerCase());

/** An address, or the query of one. A number or a token identifies no documented call. */
function addressIn(value: unknown): string | undefined {
  if (isNested(value)) return addressIn(field(value, 'href') ?? field(value, 'url'));
  return typeof value === 'string' && /^(?:https?:\/\/|\/|\?)/i.test(value.trim()) ? value.trim() : undefined;
}

const isEmptyList = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;

/**
 * Follows the pages of a list, or of the only one in a record, if the answer has the next address. Only the
 * query of that address is used, so that an appliance cannot make the client call something else.
 * @param first the result of the call
 * @param path the path of the call, with its query
 * @param ask makes the same call with another path
 */
export async function withNextPages(
  first: unknown,
  path: string,
  ask: (path: string) => Promise<unknown>,
): Promise<unknown> {
  const opened = listIn(first);
  if (opened === undefined) return first;
  const all: unknown[] = [...opened.list];
  const asked = new Set([path]);
  const began = extentOf(opened.list);
  let last: ListExtent | undefined = began;
  let total = began?.total;
  for (let next = nextPath(path, began); next !== undefined && asked.size < mostPages; ) {
    // A page that links to an earlier one ends the list.
    if (asked.has(next) || all.length > mostThings) break;
    asked.add(next);
    const page = listIn(await ask(next))?.list;
    if (page === undefined) break;
    for (const one of page) all.push(one);
    last = extentOf(page);
    total = Math.max(total ?? 0, last?.total ?? 0) || total;
    next = nextPath(path, last);
  }
  if (began === undefined || last === undefined || asked.size === 1) return first;
  const extent = {
    operation: began.operation,
    namesMore: last.namesMore,
    isWritten: began.isWritten,
    ...(total !== undefined && { total }),
  };
  return opened.replaced(withExtent(all, extent));
}

/** No list of an appliance has more. */
const mostPages = 500;
const longestQuery = 2_000;

/** The call's path with the query of the address added; undefined if the address belongs to another call. */
function nextPath(path: string, extent: ListExtent | undefined): string | undefined {
  if (extent?.namesMore !== true || extent.next === undefined) return undefined;
  const [own = '', query = ''] = path.split('?');
  // The host does not matter: the call goes to the same one.
  const there = URL.parse(extent.next, `http://appliance${own}`);
  if (there === null || !there.pathname.endsWith(own) || there.search.length > longestQuery) return undefined;
  const wanted = new URLSearchParams(query);
  for (const name of new Set(there.searchParams.keys())) wanted.delete(name);
  for (const [name, value] of there.searchParams) wanted.append(name, value);
  return wanted.size === 0 ? own : `${own}?${wanted}`;
}
