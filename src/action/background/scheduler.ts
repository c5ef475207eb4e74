import { setImmediate } from 'node:timers/promises';
import type { AuditPolicy } from '../../auth/policy.ts';
import type { Journal, Recorder } from '../../journal/journal.ts';
import type { SelfService } from '../ask/stage.ts';
import { isUnderWay } from '../base/request-log.ts';
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
import type { AuditCheck } from './audit-check.ts';
import type { Recovery } from './recovery.ts';
import type { ReplicaWatch } from './replica-watch.ts';
import type { RestoreCheck } from './restored.ts';

/** Everything that happens later, because of the time and not because somebody asked. */
export interface Scheduler {
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
  readonly selfService: Pick<SelfService, 'tick'>;
  readonly webhooks: { readonly tick: () => Promise<void> };
  readonly recorder: Recorder;
  readonly checkAudit: AuditCheck;
  /** What the policy says of it now. */
  readonly audit: () => AuditPolicy | undefined;
  readonly now: () => number;
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
  selfService,
  webhooks,
  recorder,
  checkAudit,
  audit,
  now,
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
    const isOnTime = journal.isShared ? await mindOthers() : true;
    await mindForgotten();
    if (isOnTime) {
      await timedChanges.tick();
      await applies.tick();
    }
    if (!(await restored.isDone())) return;
    if (isOnTime) await plannedChanges.tick();
    if (isOnTime) await workOff(doWhatIsDue);
    if (isOnTime) work.later(watches.tick);
    if (isOnTime) work.later(selfService.tick);
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
    await inPieces(mostAtOnce.forgotten, (most) => journal.forgetOver(now(), most));
    await inPieces(mostAtOnce.forgotten, (most) => journal.forgetSealedOver(now(), most));
    await inPieces(mostAtOnce.forgotten, (most) => journal.forgetDeliveries(now() - remembered, most));
    if (now() >= nextPruning) await prune();
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
  async function prune(): Promise<void> {
    const keep = audit()?.keep;
    const isOver =
      keep === undefined || (await inPieces(mostAtOnce.pruned, (most) => journal.prune(now() - keep, most)));
    if (isOver) nextPruning = now() + hour;
  }

  /**
   * What this one holds and is not at any more: something went wrong in the middle of it, or the journal did not take its
   * next step. Nobody else would ever end it while this one lives.
   */
  async function mindForgotten(): Promise<void> {
    const left = (await journal.forgotten()).filter(({ id }) => !isUnderWay(id));
    if (left.length > 0) work.later(() => recover(left));
  }

  /** Whatever a replica that is gone was at goes on here. Resolves to whether this one does what is due by the clock. */
  async function mindOthers(): Promise<boolean> {
    const isOnTime = await watch.heartbeat();
    const left = await journal.adoptOrphans(Math.max(0, piece - recovering));
    recovering += left.length;
    work.later(() =>
      recover(left).finally(() => {
        recovering -= left.length;
      }),
    );
    return isOnTime;
  }
}
