import type { Journal } from '../../journal/journal.ts';

/** What nobody else has meanwhile. Resolves when others can have it. */
export type Unlock = () => Promise<void>;

/**
 * Takes what one at a time has, of all replicas together; undefined when that took too long.
 * @param stopping what comes after it is given back at once
 */
export async function hold(
  journal: Pick<Journal, 'exclusively'>,
  key: string,
  timeout: number,
  stopping?: AbortSignal,
): Promise<Unlock | undefined> {
  const taken = Promise.withResolvers<Unlock | undefined>();
  const over = Promise.withResolvers<void>();
  const held = journal.exclusively(key, timeout, async () => {
    taken.resolve(async () => {
      over.resolve();
      await held;
    });
    await over.promise;
  });
  held.then((done) => {
    if (done === undefined) taken.resolve(undefined);
  }, taken.reject);
  if (stopping === undefined) return taken.promise;
  const stopped = Promise.withResolvers<never>();
  const stop = () => {
    over.resolve();
    stopped.reject(new StoppedWaiting());
  };
  if (stopping.aborted) stop();
  stopping.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([taken.promise, stopped.promise]);
  } finally {
    stopping.removeEventListener('abort', stop);
    stopped.promise.catch(() => undefined);
    taken.promise.catch(() => undefined);
  }
}

/** The bot is stopped while something waits for its turn. */
export class StoppedWaiting extends Error {
  override readonly name = 'StoppedWaiting';
}
