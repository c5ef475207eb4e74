import { currentCaller } from '../../caller.ts';
import { createFairQueue, type FairQueue } from '../../fair-queue.ts';

/**
 * Lets tasks of the same key run one at a time. Those who wait take turns (`FairQueue`): ten orders of one person do not
 * stand before one of somebody else.
 */
export interface Mutex {
  /** Resolves to what ends it; undefined when the turn did not come within `timeout` milliseconds. */
  readonly acquire: (key: string, timeout: number) => Promise<(() => void) | undefined>;
}

type Waiting = () => void;

export function createMutex(): Mutex {
  /** Who waits, of the keys that somebody is at. */
  const held = new Map<string, FairQueue<Waiting>>();

  function release(key: string, waiting: FairQueue<Waiting>): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = waiting.take();
      if (next === undefined) held.delete(key);
      else next();
    };
  }

  return {
    acquire: (key, timeout) => {
      const waiting = held.get(key);
      if (waiting === undefined) {
        const nobody = createFairQueue<Waiting>();
        held.set(key, nobody);
        return Promise.resolve(release(key, nobody));
      }
      return new Promise((resolve) => {
        const timer = setTimeout(() => {
          waiting.remove(take);
          resolve(undefined);
        }, timeout);
        const take = () => {
          clearTimeout(timer);
          resolve(release(key, waiting));
        };
        waiting.add(take, currentCaller());
      });
    },
  };
}
