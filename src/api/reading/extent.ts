import { field, isRecord } from './envelope.ts';
import { isNested, plain } from './said.ts';
import { truthOf } from './truth.ts';

/**
 * How much of a list an answer holds. A list proves that something is absent only where all of it came, and services that
 * restart answer with empty, `null` and shortened lists. The document shows no paging (appliance-api.md §8.4), so what an answer
 * says about its list is found under the usual names.
 */
export interface ListExtent {
  readonly operation: string;
  /** How many there are; absent where the answer does not say. */
  readonly total?: number;
  /** The answer says that something follows, and that was not asked for. */
  readonly namesMore: boolean;
  /** Where that is: an address, as the answer writes it. */
  readonly next?: string;
  /** It came as a list, and not as null. */
  readonly isWritten: boolean;
}

const extents = new WeakMap<readonly unknown[], ListExtent>();

/** What the answer said about a list that a call returned; undefined for a list that no call returned. */
export const extentOf = (list: readonly unknown[]): ListExtent | undefined => extents.get(list);

/** Keeps it for a list that was made of the one that came, entry by entry. */
export function withExtent<T extends readonly unknown[]>(list: T, extent: ListExtent | undefined): T {
  if (extent !== undefined) extents.set(list, extent);
  return list;
}

/** @param came how many entries were read from the answer */
export function readExtent(operation: string, body: unknown, came: number): ListExtent {
  const said = remarksIn(body);
  const count = under(said, isCount);
  // A count may be that of what came, so that only one that says more, or none, says how many there are.
  const total = under(said, isTotal) ?? (count === 0 || (count ?? 0) > came ? count : undefined);
  const page = under(said, (name) => /^(?:current)?page(?:number)?$/.test(name));
  const pages = under(said, (name) => /^(?:(?:total|last)pages?|pages|pagecount)$/.test(name));
  const limit = under(said, (name) => /^(?:limit|pagesize|perpage|maxresults)$/.test(name));
  const next = said.filter(([name]) => /^next(?:page|link|url|href|offset|token|cursor)?$/.test(name));
  const flags = said.flatMap(([name, value]) => (isMore.test(name) ? (truthOf(value) ?? []) : []));
  // A page that is full, of a list that says nothing else of its length.
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

/** More stand beside no list. */
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

/** Null, false, 0 and '' say that nothing follows. */
const pointsOn = (value: unknown): boolean =>
  isNested(value)
    ? pointsOn(field(value, 'href') ?? field(value, 'url'))
    : !['', '0', 'false', 'null', 'none', 'undefined'].includes(String(value).trim().toLowerCase());

/** An address, or the query of one. A number or a token names no call that the document describes. */
function addressIn(value: unknown): string | undefined {
  if (isNested(value)) return addressIn(field(value, 'href') ?? field(value, 'url'));
  return typeof value === 'string' && /^(?:https?:\/\/|\/|\?)/i.test(value.trim()) ? value.trim() : undefined;
}

const isEmptyList = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
