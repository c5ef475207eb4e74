import { siteRequestOf, wishOf } from '../base/site-request.ts';
import type { Parts } from '../ground/ground.ts';
import { type RequestState, stateOf } from './request-state.ts';

/** What is over is told to whoever asked as long as this, in milliseconds. */
const lately = 24 * 60 * 60_000;
/** So many open ones are looked through for those that somebody has joined. */
const mostLooked = 200;

/** The sites that somebody has asked for, alone or with others, as long as they are not over or were asked for lately; the oldest first. */
export async function ownRequests(
  parts: Pick<Parts, 'authority' | 'journal' | 'now'>,
  person: string,
): Promise<readonly RequestState[]> {
  const { authority, journal, now } = parts;
  const place = authority.policy().selfService?.channel;
  const [mine, waiting, on] = await Promise.all([
    journal.requestsOf(person, now() - lately),
    place === undefined ? [] : journal.waitingIn([place], mostLooked),
    journal.timedChanges(),
  ]);
  const temporary = on.filter(({ channel }) => channel === place);
  const allowed = await Promise.all(temporary.map(({ action }) => journal.byId(action)));
  const all = [...mine, ...waiting, ...allowed].flatMap((one) => one ?? []);
  const each = [...new Map(all.map((one) => [one.id, one])).values()].toSorted(
    (one, other) => one.createdAt - other.createdAt,
  );
  const states = await Promise.all(
    each.map((action) => {
      const request = siteRequestOf(action);
      const wish = request && wishOf(request, person);
      return wish && stateOf(parts, action, wish);
    }),
  );
  return states.flatMap((one) => one ?? []);
}
