import { createFairQueue } from '../../fair-queue.ts';
import type { After } from '../base/timeout.ts';

/**
 * Steps of all workflows are asked in one name, so no limit of a person is theirs. A few run at a time, and the rest wait: channels
 * take turns, so that what piles up in one delays no other.
 */
export interface Turns {
  /** Runs it when it is its turn; or says why it never is. */
  readonly take: (channel: string, task: () => Promise<void>) => Promise<'over' | NoTurn>;
}

/** Too many wait already in that channel, or everywhere; or it has waited too long. */
export type NoTurn = 'too_many' | 'too_late';

/**
 * Slack itself waits for a step as long as it takes (a slow approval is one). Somebody has started it all the same: what was not begun
 * within five minutes is not waited for any more.
 */
export const turnLimits = { atOnce: 5, inChannel: 100, inAll: 1_000, milliseconds: 5 * 60_000 };

interface Waiting {
  readonly channel: string;
  readonly begin: () => void;
}

export function createTurns(after: After): Turns {
  const queue = createFairQueue<Waiting>();
  let running = 0;

  return {
    take: async (channel, task) => {
      if (running >= turnLimits.atOnce) {
        const turn = await waitFor(channel);
        if (turn !== 'now') return turn;
      } else running += 1;
      try {
        await task();
        return 'over';
      } finally {
        next();
      }
    },
  };

  async function waitFor(channel: string): Promise<'now' | NoTurn> {
    const there = [...queue].filter((one) => one.channel === channel).length;
    if (there >= turnLimits.inChannel || queue.size >= turnLimits.inAll) return 'too_many';
    const { promise, resolve } = Promise.withResolvers<'now' | NoTurn>();
    const waiting: Waiting = { channel, begin: () => resolve('now') };
    queue.add(waiting, { person: channel, priority: 'low' });
    const callOff = after(turnLimits.milliseconds, () => {
      if (queue.remove(waiting)) resolve('too_late');
    });
    return promise.finally(callOff);
  }

  /** Whoever is next has the place of the one that is over. */
  function next(): void {
    const waiting = queue.take();
    if (waiting === undefined) running -= 1;
    else waiting.begin();
  }
}
