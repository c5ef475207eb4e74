import { newId } from '../journal/id.ts';
import type { Log } from '../log.ts';
import type { Chat, Listener } from './chat.ts';
import { explain } from './faults.ts';

/** Everything that is under way and that nobody waits for. */
export interface Work {
  /** Runs a task. A mistake of ours ends in the log and in a word to the person, not in silence. */
  readonly track: (task: () => Promise<void>, listener?: Listener) => void;
  /** Resolves when nothing is under way any more. */
  readonly idle: () => Promise<void>;
}

export function createWork(chat: Pick<Chat, 'whisper'>, log: Log): Work {
  const underWay = new Set<Promise<void>>();
  return {
    track: (task, listener) => {
      const done = task()
        .catch(async (error: unknown) => {
          const reference = newId().slice(0, 8);
          log.error({ err: error, reference }, 'Something went wrong');
          if (listener !== undefined) await chat.whisper(listener, explain({ code: 'internal', reference }));
        })
        .finally(() => underWay.delete(done));
      underWay.add(done);
    },
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
