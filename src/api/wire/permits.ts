import Bottleneck from 'bottleneck';
import type { Caller } from '../../caller.ts';
import { createFairQueue } from '../../fair-queue.ts';

/** How hard one appliance is asked. */
export interface RequestPace {
  /** Requests under way at once, at most. */
  readonly atOnce: number;
  /** Requests a second, at most; a quarter of a second's worth is saved up for bursts. */
  readonly perSecond: number;
}

export interface Permits {
  /**
   * Resolves with what gives the permit back. Rejects with the signal's reason when that comes first. Callers take turns,
   * and what is only looked up leaves room for changes (`sharesOf`).
   */
  take(signal: AbortSignal, caller: Caller): Promise<() => void>;
  /** Nothing is handed out any more; who waits is turned away with `reason`. */
  close(reason: unknown): void;
}

/**
 * Of all requests at once, how many may be lookups, and how many of those one person's: an appliance that is slow to
 * answer holds them for seconds, and nobody's change is to wait for that.
 */
const sharesOf = (atOnce: number) => ({
  lookups: Math.max(1, Math.floor((atOnce * 3) / 4)),
  lookupsOfOne: Math.max(1, Math.floor(atOnce / 2)),
});

interface Taker {
  readonly caller: Caller;
  readonly hand: (giveBack: () => void) => void;
  readonly turnAway: (reason: unknown) => void;
}

/**
 * Hands out permission to send, paced by Bottleneck.
 *
 * Bottleneck passes every job through several timers, 2 to 3 ms, which is longer than a local request takes. So its
 * jobs are not the requests: a job is a ration of permits, started ahead of need, which waits here until it has been
 * used up and only then ends, so that the next one may start. A taker pays nothing while there are permits, and one
 * that gives up leaves the line without having used any.
 */
export function openPermits({ atOnce, perSecond }: RequestPace): Permits {
  // About a hundred rations a second at most: Bottleneck cannot start many more than that.
  const ration = Math.ceil(perSecond / 100);
  const rations = Math.max(2, Math.ceil(Math.max(atOnce, perSecond / 4) / ration));
  const limiter = new Bottleneck({ maxConcurrent: rations, minTime: (1_000 * ration) / perSecond });
  /** What ends each ration that has started, oldest first. */
  const started: (() => void)[] = [];
  const line = createFairQueue<Taker>();
  const shares = sharesOf(atOnce);
  /** The lookups that are out, by whom. */
  const lookups = new Map<string, number>();
  let unused = 0;
  let out = 0;
  let closed: { readonly reason: unknown } | undefined;

  /** Jobs that Bottleneck has taken and not started: a few, by which it keeps its pace, for each costs something. */
  let ahead = 0;
  const start = () => {
    while (!closed && ahead < 4 && ahead + started.length < rations) {
      ahead += 1;
      const job = limiter.schedule(() => new Promise<void>((end) => receive(end)));
      // A job fails only when its limiter is stopped, and nobody stops this one.
      job.then(start, () => undefined);
    }
  };

  const receive = (end: () => void) => {
    if (closed) return end();
    ahead -= 1;
    started.push(end);
    start();
    unused += ration;
    serve();
  };

  const serve = () => {
    while (unused > 0 && out < atOnce) {
      const taker = line.take((_, caller) => mayGo(caller));
      if (taker === undefined) return;
      taker.hand(use(taker.caller));
    }
  };

  const mayGo = ({ person, priority }: Caller) => {
    if (priority === 'high') return true;
    const all = [...lookups.values()].reduce((sum, one) => sum + one, 0);
    return all < shares.lookups && (lookups.get(person) ?? 0) < shares.lookupsOfOne;
  };

  /** Counts a lookup that goes out, or comes back. */
  const count = ({ person, priority }: Caller, more: 1 | -1) => {
    if (priority === 'high') return;
    const left = (lookups.get(person) ?? 0) + more;
    if (left === 0) lookups.delete(person);
    else lookups.set(person, left);
  };

  /** Takes a permit that is there, and returns what gives it back. */
  const use = (caller: Caller) => {
    unused -= 1;
    out += 1;
    count(caller, 1);
    if (unused <= (started.length - 1) * ration) started.shift()?.();
    return () => {
      out -= 1;
      count(caller, -1);
      serve();
    };
  };

  start();

  return {
    take(signal, caller) {
      if (closed) return Promise.reject(closed.reason);
      if (signal.aborted) return Promise.reject(signal.reason);
      // Who waits while there are permits is one that may not go now, and whose turn is not taken by this.
      if (unused > 0 && out < atOnce && mayGo(caller)) return Promise.resolve(use(caller));
      return new Promise((resolve, reject) => {
        const onAbort = () => taker.turnAway(signal.reason);
        const taker: Taker = {
          caller,
          hand: (giveBack) => {
            signal.removeEventListener('abort', onAbort);
            resolve(giveBack);
          },
          turnAway: (reason) => {
            line.remove(taker);
            signal.removeEventListener('abort', onAbort);
            reject(reason);
          },
        };
        line.add(taker, caller);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
    close(reason) {
      if (closed) return;
      closed = { reason };
      for (const taker of [...line]) taker.turnAway(reason);
      for (const end of started.splice(0)) end();
    },
  };
}
