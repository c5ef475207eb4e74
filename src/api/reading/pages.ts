import { mostThings } from './bounds.ts';
import { extentOf, type ListExtent, withExtent } from './extent.ts';

/**
 * Follows a list to its end where its answer names an address for the rest. Only the query of the call is taken from that:
 * an appliance cannot have another call made in our name.
 * @param first what the call returned
 * @param path that of the call, with its query
 * @param ask the same call with another path
 */
export async function withNextPages(
  first: unknown,
  path: string,
  ask: (path: string) => Promise<unknown>,
): Promise<unknown> {
  if (!Array.isArray(first)) return first;
  const all: unknown[] = [...first];
  const asked = new Set([path]);
  const began = extentOf(first);
  let last: ListExtent | undefined = began;
  let total = began?.total;
  for (let next = nextPath(path, began); next !== undefined && asked.size < mostPages; ) {
    // A page that leads to one that was read already leads nowhere.
    if (asked.has(next) || all.length > mostThings) break;
    asked.add(next);
    const page = await ask(next);
    if (!Array.isArray(page)) break;
    for (const one of page) all.push(one);
    last = extentOf(page);
    total = Math.max(total ?? 0, last?.total ?? 0) || total;
    next = nextPath(path, last);
  }
  if (began === undefined || last === undefined || asked.size === 1) return first;
  return withExtent(all, {
    ...{ operation: began.operation, namesMore: last.namesMore, isWritten: began.isWritten },
    ...(total !== undefined && { total }),
  });
}

/** More belong to no list of an appliance. */
const mostPages = 500;
const longestQuery = 2_000;

/** The call again, with what the address asks for beside its own query; undefined where the address is of another call. */
function nextPath(path: string, extent: ListExtent | undefined): string | undefined {
  if (extent?.namesMore !== true || extent.next === undefined) return undefined;
  const [own = '', query = ''] = path.split('?');
  // The host is of no interest: the call goes where it went before.
  const there = URL.parse(extent.next, `http://appliance${own}`);
  if (there === null || !there.pathname.endsWith(own) || there.search.length > longestQuery) return undefined;
  const wanted = new URLSearchParams(query);
  for (const name of new Set(there.searchParams.keys())) wanted.delete(name);
  for (const [name, value] of there.searchParams) wanted.append(name, value);
  return wanted.size === 0 ? own : `${own}?${wanted}`;
}
