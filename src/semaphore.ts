import { type Caller, itself } from './caller.ts';
import { createFairQueue, type FairQueue } from './fair-queue.ts';

/**
 * Places by key, one or several for each; further callers wait, and take turns (`FairQueue`).
 *
 * Ours, because the libraries (p-queue, p-limit, async-mutex, bottleneck) know priorities but no people who take turns, and
 * none tells how many wait for whom.
 */
export interface Semaphore {
  /**
   * Resolves to what frees the place, once. Those who name no caller go in the order in which they came.
   * With a timeout, in milliseconds: undefined when no place was free within it.
   */
  readonly acquire: {
    (key?: string, caller?: Caller): Promise<() => void>;
    (key: string, caller: Caller, timeout: number): Promise<(() => void) | undefined>;
  };
  /** Whoever waits for it. */
  readonly waiting: (key?: string) => readonly Caller[];
}

/** Waits for a place; resolves to the function that frees it. */
export type TakePlace = () => Promise<() => void>;

interface Waiting {
  readonly caller: Caller;
  readonly begin: () => void;
}

interface Places {
  taken: number;
  /** Made when somebody has to wait. */
  queue: FairQueue<Waiting> | undefined;
}

/** Calls back after so many milliseconds, unless the returned function is called first. */
function afterwards(milliseconds: number, callback: () => void): () => void {
  const timer = setTimeout(callback, milliseconds);
  return () => clearTimeout(timer);
}

/** `count`: places for each key. */
export function createSemaphore(count = 1, after: typeof afterwards = afterwards): Semaphore {
  /** By key, of those that somebody has. */
  const held = new Map<string, Places>();

  function releaseOf(key: string, places: Places): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = places.queue?.take();
      if (next !== undefined) return next.begin();
      places.taken -= 1;
      if (places.taken === 0) held.delete(key);
    };
  }

  function acquire(key?: string, caller?: Caller): Promise<() => void>;
  function acquire(key: string, caller: Caller, timeout: number): Promise<(() => void) | undefined>;
  function acquire(key = '', caller = itself, timeout?: number): Promise<(() => void) | undefined> {
    const places: Places = held.get(key) ?? { taken: 0, queue: undefined };
    held.set(key, places);
    if (places.taken < count) {
      places.taken += 1;
      return Promise.resolve(releaseOf(key, places));
    }
    places.queue ??= createFairQueue<Waiting>();
    const { queue } = places;
    return new Promise((resolve) => {
      const waiting: Waiting = {
        caller,
        begin: () => {
          callOff?.();
          resolve(releaseOf(key, places));
        },
      };
      const callOff =
        timeout === undefined
          ? undefined
          : after(timeout, () => {
              if (queue.remove(waiting)) resolve(undefined);
            });
      queue.add(waiting, caller);
    });
  }

  return {
    acquire,
    waiting: (key = '') => [...(held.get(key)?.queue ?? [])].map(({ caller }) => caller),
  };
}
