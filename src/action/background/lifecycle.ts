import { setImmediate } from 'node:timers/promises';
import type { AuditPolicy } from '../../auth/policy.ts';
import type { CertainTime } from '../../certain-time.ts';
import type { Journal, Recorder } from '../../journal/journal.ts';
import { auditBroken, auditIntact } from '../../telemetry/events/journal.ts';
import { cutOff, notRecordedSoFar } from '../../telemetry/events/process.ts';
import type { Log } from '../../telemetry/log.ts';
import { isUnderWay } from '../base/request-log.ts';
import type { After } from '../base/timeout.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Applies } from '../change/apply.ts';
import type { Confirmation } from '../change/confirmation.ts';
import type { PlannedChanges } from '../due/due.ts';
import { recordAll } from '../history/history.ts';
import type { Viewers } from '../home/viewers.ts';
import type { OutboxDispatcher } from '../outbox/outbox-dispatcher.ts';
import type { TimedChanges } from '../timed/timed-changes.ts';
import type { Watches } from '../watch/looks.ts';
import type { Steps } from '../workflow/steps.ts';
import type { Recovery } from './recovery.ts';
import type { ReplicaWatch } from './replica-watch.ts';
import type { RestoreCheck } from './restored.ts';

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
interface LifecycleParts
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

/** Everything that happens later, because of the time and not because somebody asked. */
interface Scheduler {
  /** Begins nothing more. While what is under way comes to its end, the others see that this replica lives. */
  readonly drain: () => void;
  readonly stop: () => void;
}

/** Milliseconds between two looks. A click on a card whose time is over is refused to the millisecond all the same. */
const interval = 2_000;

export interface SchedulerParts {
  readonly journal: Pick<
    Journal,
    | 'record'
    | 'prune'
    | 'heartbeat'
    | 'forgotten'
    | 'adoptOrphans'
    | 'isShared'
    | 'forgetOver'
    | 'forgetDeliveries'
    | 'forgetSealedOver'
    | 'clockSetBack'
  >;
  readonly watch: ReplicaWatch;
  readonly confirmation: Pick<Confirmation, 'expireOverdue'>;
  readonly applies: Pick<Applies, 'tick'>;
  readonly timedChanges: Pick<TimedChanges, 'tick'>;
  readonly plannedChanges: Pick<PlannedChanges, 'tick'>;
  readonly recover: Recovery;
  readonly restored: Pick<RestoreCheck, 'isDone'>;
  readonly outbox: Pick<OutboxDispatcher, 'tick'>;
  readonly viewers: Pick<Viewers, 'tick'>;
  readonly watches: Pick<Watches, 'tick'>;
  readonly steps: Pick<Steps, 'tick'>;
  readonly webhooks: { readonly tick: () => Promise<void> };
  readonly recorder: Recorder;
  readonly checkAudit: AuditCheck;
  /** What the policy says of it now. */
  readonly audit: () => AuditPolicy | undefined;
  readonly now: () => number;
  /** By which alone anything is deleted for good (`CertainTime`). */
  readonly certainlyOver: CertainTime['over'];
  readonly every: (milliseconds: number, callback: () => void) => () => void;
  readonly work: Pick<WorkInFlight, 'track' | 'later'>;
}

const hour = 60 * 60_000;
/** However much has piled up while nobody was there: so much of it is at hand at a time, and is done at one look at the clock. */
const piece = 50;
const mostAtOnce = { ended: 2_500, forgotten: 500, recorded: 500, pruned: 250 };
/** How long it is remembered that something was delivered, in milliseconds: longer than Slack delivers again (slack-facts.md §5). */
const remembered = 25 * 60 * 60_000;

export function startScheduler({
  journal,
  watch,
  confirmation,
  applies,
  timedChanges,
  plannedChanges,
  recover,
  restored,
  outbox,
  viewers,
  watches,
  steps,
  webhooks,
  recorder,
  checkAudit,
  audit,
  now,
  certainlyOver,
  every,
  work,
}: SchedulerParts): Scheduler {
  let nextPruning = Number.NEGATIVE_INFINITY;
  let isDraining = false;
  /** How much of what others have left is brought to its end here at the moment. */
  let recovering = 0;
  let isAllEnded = true;
  const busy = new Set<() => Promise<void>>();
  const recordSome = () => recordAll(journal, recorder, mostAtOnce.recorded);
  const verifySome = () => checkAudit(() => isDraining);
  let lastLook = now();
  const tick = async () => {
    await mindClock();
    if (isDraining) {
      if (journal.isShared) await journal.heartbeat();
      return;
    }
    const isOnTime = journal.isShared ? await watch.heartbeat() : true;
    if (journal.isShared) await takeUpLeft();
    await mindForgotten();
    if (isOnTime) {
      await timedChanges.tick();
      await applies.tick();
    }
    if (!(await restored.isDone())) return;
    // What the process before has left the start takes up, unless the journal could not be used then.
    if (!journal.isShared) await takeUpLeft();
    if (isOnTime) await plannedChanges.tick();
    if (isOnTime) await workOff(doWhatIsDue);
    if (isOnTime) work.later(watches.tick);
    work.later(outbox.tick);
    work.later(viewers.tick);
    work.later(steps.tick);
    work.later(webhooks.tick);
    if (isOnTime) work.later(() => workOff(verifySome));
    // What is over is looked for among all that has no record, so that what still waits for its end goes first.
    if (isAllEnded) await workOff(recordSome);
  };
  return {
    drain: () => {
      isDraining = true;
    },
    stop: every(interval, () => work.track(tick)),
  };

  async function mindClock(): Promise<void> {
    const before = lastLook;
    lastLook = now();
    if (lastLook < before - interval) await journal.clockSetBack();
  }

  /** What takes longer than until the next look at the clock is not begun a second time. */
  async function workOff(task: () => Promise<void>): Promise<void> {
    if (busy.has(task)) return;
    busy.add(task);
    await task().finally(() => busy.delete(task));
  }

  async function doWhatIsDue(): Promise<void> {
    isAllEnded = await inPieces(mostAtOnce.ended, confirmation.expireOverdue);
    const over = certainlyOver();
    if (over === undefined) return;
    await inPieces(mostAtOnce.forgotten, (most) => journal.forgetOver(over, most));
    await inPieces(mostAtOnce.forgotten, (most) => journal.forgetSealedOver(over, most));
    await inPieces(mostAtOnce.forgotten, (most) => journal.forgetDeliveries(over - remembered, most));
    if (over >= nextPruning) await prune(over);
  }

  /**
   * Whoever asks something meanwhile comes in between, and what is left then waits for the next looks at the clock. Resolves to
   * whether nothing is.
   */
  async function inPieces(most: number, does: (most: number) => Promise<number>): Promise<boolean> {
    for (let done = 0; done < most && !isDraining; done += piece) {
      if ((await does(piece)) < piece) return true;
      await setImmediate();
    }
    return false;
  }

  /**
   * Deletes the records that are older than the policy wants them. Each is a row in some twenty places, and what was written to all of
   * them has to get to the disk: of years, no more goes at one look than nobody has to wait for.
   */
  async function prune(over: number): Promise<void> {
    const keep = audit()?.keep;
    const isAll =
      keep === undefined || (await inPieces(mostAtOnce.pruned, (most) => journal.prune(over - keep, most)));
    if (isAll) nextPruning = over + hour;
  }

  /**
   * What this one holds and is not at any more: something went wrong in the middle of it, or the journal did not take its
   * next step. Nobody else would ever end it while this one lives.
   */
  async function mindForgotten(): Promise<void> {
    const left = (await journal.forgotten()).filter(({ id }) => !isUnderWay(id));
    if (left.length > 0) work.later(() => recover(left));
  }

  /** Whatever a replica that is gone was at goes on here. */
  async function takeUpLeft(): Promise<void> {
    const left = await journal.adoptOrphans(Math.max(0, piece - recovering));
    recovering += left.length;
    work.later(() =>
      recover(left).finally(() => {
        recovering -= left.length;
      }),
    );
  }
}

/** Verifies some of the records at a look at the clock, and tells the log what it finds. */
type AuditCheck = (isStopping: () => boolean) => Promise<void>;

/**
 * Records are verified 25 at a time, which takes some 2 ms, so that whoever asks something meanwhile comes in between. 500 at one
 * look verify 2 million records within three hours. When none is left, the next look comes after a pause of so many milliseconds.
 */
const auditCheck = { piece: 25, mostAtOnce: 500, pause: 10_000 };

interface AuditCheckParts {
  readonly journal: Pick<Journal, 'verifyNext'>;
  readonly now: () => number;
}

export function createAuditCheck({ journal, now }: AuditCheckParts, log: Log): AuditCheck {
  let restedAt = Number.NEGATIVE_INFINITY;

  return async (isStopping) => {
    // Its clock may have been set back.
    if (now() >= restedAt && now() < restedAt + auditCheck.pause) return;
    for (let verified = 0; verified < auditCheck.mostAtOnce && !isStopping(); verified += auditCheck.piece) {
      const { isMore, news } = await journal.verifyNext(auditCheck.piece);
      if (news === 'intact') log.tell(auditIntact);
      else if (news !== undefined) log.tell(auditBroken, { record: news.seq, reason: news.says });
      if (!isMore) {
        restedAt = now();
        return;
      }
      await setImmediate();
    }
  };
}
