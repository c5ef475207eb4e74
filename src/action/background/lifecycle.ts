import type { Journal } from '../../journal/journal.ts';
import { cutOff, notRecordedSoFar } from '../../telemetry/events/process.ts';
import type { Log } from '../../telemetry/log.ts';
import type { After } from '../base/timeout.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Applies } from '../change/apply.ts';
import type { PlannedChanges } from '../due/due.ts';
import { recordAll } from '../history/history.ts';
import type { TimedChanges } from '../timed/timed-changes.ts';
import { type Scheduler, type SchedulerParts, startScheduler } from './scheduler.ts';

/** What begins and ends with the process. */
export interface Lifecycle {
  /** Takes up what the last process left behind, and looks at the clock from now on. */
  readonly begin: () => void;
  /** Shows the other replicas that this one takes nothing more. Whether one of them takes what comes from now on. */
  readonly leaveToOthers: () => Promise<boolean>;
  /**
   * Takes nothing new, and resolves when what is under way has ended, or after so many milliseconds. What can go on at
   * the next start, or on another replica, is left to it.
   */
  readonly end: (timeout: number) => Promise<void>;
}

/** What the scheduler works with, and what besides it has to be stopped. */
export interface LifecycleParts
  extends Omit<SchedulerParts, 'applies' | 'timedChanges' | 'plannedChanges' | 'work' | 'journal'> {
  readonly journal: SchedulerParts['journal'] & Pick<Journal, 'others' | 'cutOff'>;
  readonly applies: Applies;
  readonly timedChanges: TimedChanges;
  readonly plannedChanges: PlannedChanges;
  readonly work: WorkInFlight;
  /** Aborted when nothing new is taken any more. */
  readonly stopping: AbortController;
  readonly after: After;
  readonly log: Log;
}

export function createLifecycle(parts: LifecycleParts): Lifecycle {
  const {
    journal,
    watch,
    restored,
    recover,
    timedChanges,
    plannedChanges,
    applies,
    outbox,
    work,
    stopping,
    log,
  } = parts;
  let scheduler: Scheduler | undefined;

  return {
    begin: () => {
      work.later(async () => {
        const isOnTime = await watch.heartbeat();
        for (const peer of await journal.cutOff()) log.tell(cutOff, { peer });
        // The clock may have been ahead when the last process wrote.
        await journal.clockSetBack();
        const left = await journal.adoptOrphans();
        const isKnown = await restored.isDone();
        // First of all: what is open longer than it may be.
        if (isOnTime) await timedChanges.resume();
        // The clock takes them up when it is known what they are.
        if (!isKnown) return;
        work.later(outbox.tick);
        await recover(left);
      });
      work.later(applies.tick);
      scheduler = startScheduler(parts);
    },

    leaveToOthers: async () => {
      if (!journal.isShared) return false;
      await journal.heartbeat({ isTaking: false });
      return (await journal.others()).some(({ isTaking }) => isTaking);
    },

    end: async (timeout) => {
      scheduler?.drain();
      applies.stop();
      timedChanges.stop();
      plannedChanges.stop();
      stopping.abort();
      const over = Promise.withResolvers<void>();
      const callOff = parts.after(timeout, over.resolve);
      await Promise.race([work.idle(), over.promise]);
      callOff();
      scheduler?.stop();
      work.abandon();
      await recordLast();
    },
  };

  /** So that whoever reads the journal meanwhile finds all of it. What is left is recorded at the next start. */
  async function recordLast(): Promise<void> {
    try {
      await recordAll(journal, parts.recorder);
    } catch (error) {
      log.tell(notRecordedSoFar, { err: error });
    }
  }
}
