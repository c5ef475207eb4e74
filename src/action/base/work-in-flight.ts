import { newId } from '../../journal/id.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import { somethingWentWrong } from '../../telemetry/events/process.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Listener } from './chat.ts';

/** Everything that is under way and that nobody waits for. */
export interface WorkInFlight {
  /** Runs a task. A mistake of ours ends in the log and in a word to the person, not in silence. */
  readonly track: (task: () => Promise<void>, listener?: Listener) => void;
  /** The same for whoever waits for it: resolves when the task has ended, or the person was told that it has not. */
  readonly attempt: (task: () => Promise<void>, listener?: Listener) => Promise<void>;
  /** Runs what comes after the answers, such as the compile that a change requires: nobody's turn waits for it. */
  readonly later: (task: () => Promise<void>) => void;
  /** Resolves when everybody has got an answer. */
  readonly answered: () => Promise<void>;
  /** Resolves when nothing is under way any more. */
  readonly idle: () => Promise<void>;
  /** What is still under way is left to the next start: that it breaks here says nothing. */
  readonly abandon: () => void;
}

/** Tells somebody that what they asked for came to nothing: by a mistake of ours, or because the journal cannot be used. */
export type Apologize = (
  listener: Listener,
  why: { readonly code: 'internal'; readonly reference: string } | JournalUnavailable,
) => Promise<void>;

export function createWorkInFlight(apologize: Apologize, log: Log): WorkInFlight {
  const answering = new Set<Promise<void>>();
  const later = new Set<Promise<void>>();
  let isAbandoned = false;

  async function attempt(task: () => Promise<void>, listener?: Listener): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (isAbandoned) return;
      // That it is away stands in the log once, and not with everything that cannot be done.
      if (error instanceof JournalUnavailable) {
        if (listener !== undefined) await apologize(listener, error);
        return;
      }
      const reference = newId().slice(0, 8);
      log.tell(somethingWentWrong, { err: error, reference });
      if (listener !== undefined) await apologize(listener, { code: 'internal', reference });
    }
  }

  function start(among: Set<Promise<void>>, task: () => Promise<void>, listener?: Listener): void {
    const done = attempt(task, listener).finally(() => among.delete(done));
    among.add(done);
  }

  return {
    attempt,
    track: (task, listener) => start(answering, task, listener),
    later: (task) => start(later, task),
    answered: async () => {
      while (answering.size > 0) await Promise.all(answering);
    },
    idle: async () => {
      while (answering.size + later.size > 0) await Promise.all([...answering, ...later]);
    },
    abandon: () => {
      isAbandoned = true;
    },
  };
}
