import { type Dispatcher, Pool } from 'undici';
import type { Effect } from '../endpoint.ts';
import { type ApplianceWay, connectorFor } from './way.ts';

/** What a place resolves to, unless the signal ends before: then the place is given back when it comes. */
export function placeBefore(signal: AbortSignal, place: Promise<() => void>): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      void place.then((leave) => leave());
      reject(signal.reason);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    void place.then((leave) => {
      signal.removeEventListener('abort', onAbort);
      if (!signal.aborted) resolve(leave);
    });
  });
}

/** What carries requests to one address. */
export type Carrier = Pick<Dispatcher, 'dispatch'>;

/**
 * Two pools for every address that is called, opened when it is called for the first time; or the dispatcher of somebody
 * else, which they close.
 */
export function openConnections(
  connectTimeout: number,
  areKept: boolean,
  {
    way,
    dispatcher,
  }: { readonly way: ApplianceWay | undefined; readonly dispatcher: Dispatcher | undefined },
) {
  const pools = new Map<string, { readonly reads: Pool; readonly changes: Pool }>();
  const connector = connectorFor(way, connectTimeout);
  const options = { allowH2: false, connect: connector.connect };
  return {
    to(origin: string, effect: Effect): Carrier {
      if (dispatcher !== undefined) {
        return { dispatch: (options, handler) => dispatcher.dispatch({ ...options, origin }, handler) };
      }
      let found = pools.get(origin);
      if (found === undefined) {
        // A change gets a connection of its own: on a kept one that the appliance has just closed, a change that was
        // never read would look like one that may have happened. It also leaves undici no kept socket to send it on
        // again.
        found = {
          reads: new Pool(origin, areKept ? options : { ...options, pipelining: 0 }),
          changes: new Pool(origin, { ...options, pipelining: 0 }),
        };
        pools.set(origin, found);
      }
      return effect === 'read' ? found.reads : found.changes;
    },
    async close(): Promise<void> {
      const all = [...pools.values()].flatMap(({ reads, changes }) => [reads, changes]);
      await Promise.all(all.map((pool) => pool.close()));
      await connector.close();
    },
  };
}
