import type { Order, Route } from '../../route.ts';
import { read } from './order.ts';
import { Refusal } from './refusal.ts';

/** However many are asked for: appliance-api.md §8.1. */
const most = 500;

/** Access events: appliance-api.md §4.6. How the filters compare is not documented: here as a whole, not as a part. */
export const events: readonly Route[] = [
  read('/rdpproxy/events', (order) => {
    const [user, reason, limit] = [filter(order, 'user'), filter(order, 'reason'), limitOf(order)];
    const found = order.state.rdp.events.filter(
      (event) =>
        (user === undefined || event.user === user) && (reason === undefined || event.reason === reason),
    );
    return { Events: found.slice(-limit).toReversed() };
  }),
];

/** An empty filter, as in `?user=&reason=`, is none. */
function filter({ query }: Order, name: string): string | undefined {
  return query.get(name) || undefined;
}

/** The default is not documented (§8.4): as many as there may be. */
function limitOf(order: Order): number {
  const limit = filter(order, 'limit') ?? String(most);
  if (!/^\d+$/.test(limit) || Number(limit) === 0) throw new Refusal('limit must be a positive number');
  return Math.min(Number(limit), most);
}
