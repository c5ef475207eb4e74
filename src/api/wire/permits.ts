import Bottleneck from 'bottleneck';
import type { Caller } from '../../caller.ts';
import { createFairQueue } from '../../fair-queue.ts';

/** The load on one appliance. */
export interface RequestPace {
  /** Maximum of parallel requests. */
  readonly atOnce: number;
  /** Maximum of requests a second; a quarter of a second's worth is saved for bursts. */
  readonly perSecond: number;
}

export interface Permits {
  /**
   * Resolves with a function that returns the permit. Rejects with the signal's reason if that comes first.
   * Callers take turns, and lookups leave room for changes (`sharesOf`).
   */
  take(signal: AbortSignal, caller: Caller): Promise<() => void>;
  /** Grants nothing any more, and rejects everybody in line with `reason`. */
  close(reason: unknown): void;
}

/**
 * Shares of lookups, and of one person's lookups, in all parallel requests. A slow appliance holds them for
 * seconds, and no change should wait for that.
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
 * Grants permission to send, paced by Bottleneck.
 *
 * Bottleneck passes every job through several timers, 2 to 3 ms, which is longer than a local request. So a job
 * is not a request but a ration of permits, started ahead of need. It waits here until it is used up, and then
 * ends so that the next one may start. While there are permits, taking one costs nothing, and a taker who
 * aborts leaves the line without using one.
 */
export function openPermits({ atOnce, perSecond }: RequestPace): Permits {
  // About a hundred rations a second: Bottleneck cannot start many more.
  const ration = Math.ceil(perSecond / 100);
  const rations = Math.max(2, Math.ceil(Math.max(atOnce, perSecond / 4) / ration));
  const limiter = new Bottleneck({ maxConcurrent: rations, minTime: (1_000 * ration) / perSecond });
  /** Functions that end each started ration, oldest first. */
  const started: (() => void)[] = [];
  const line = createFairQueue<Taker>();
  const shares = sharesOf(atOnce);
  /** Lookups in progress, by person. */
  const lookups = new Map<string, number>();
  let unused = 0;
  let out = 0;
  let closed: { readonly reason: unknown } | undefined;

  /** Jobs that Bottleneck has accepted but not started: a few keep its pace, and each has a cost. */
  let ahead = 0;
  const start = () => {
    while (!closed && ahead < 4 && ahead + started.length < rations) {
      ahead += 1;
      const job = limiter.schedule(() => new Promise<void>((end) => receive(end)));
      // A job fails only if its limiter is stopped, which nobody does.
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

  const count = ({ person, priority }: Caller, more: 1 | -1) => {
    if (priority === 'high') return;
    const left = (lookups.get(person) ?? 0) + more;
    if (left === 0) lookups.delete(person);
    else lookups.set(person, left);
  };

  /** Takes an available permit, and returns the function that gives it back. */
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
      // Callers in line despite free permits are those over their share, so this takes nobody's turn.
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
