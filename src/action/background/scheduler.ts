import type { AuditPolicy } from '../../auth/policy.ts';
import type { Journal, Recorder } from '../../journal/journal.ts';
import { isUnderWay } from '../base/request-log.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Applies } from '../change/apply.ts';
import type { Confirmation } from '../change/confirmation.ts';
import { recordAll } from '../history/history.ts';
import type { OutboxDispatcher } from '../showing/outbox-dispatcher.ts';
import type { TimedChanges } from '../timed/timed-changes.ts';
import type { Recovery } from './recovery.ts';

/** Everything that happens later, because of the time and not because somebody asked. */
export interface Scheduler {
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
    | 'held'
    | 'adoptOrphans'
    | 'isShared'
    | 'overdue'
    | 'forgetOver'
    | 'forgetDeliveries'
    | 'forgetSealedOver'
  >;
  readonly confirmation: Pick<Confirmation, 'expire'>;
  readonly applies: Pick<Applies, 'tick'>;
  readonly timedChanges: Pick<TimedChanges, 'tick'>;
  readonly recover: Recovery;
  readonly outbox: Pick<OutboxDispatcher, 'tick'>;
  readonly recorder: Recorder;
  /** What the policy says of it now. */
  readonly audit: () => AuditPolicy | undefined;
  readonly now: () => number;
  readonly every: (milliseconds: number, callback: () => void) => () => void;
  readonly work: Pick<WorkInFlight, 'track' | 'later'>;
}

const hour = 60 * 60_000;
/** So many times some hundred records are pruned at one look at the clock, so that nobody waits long for the journal. */
const mostBatches = 4;
/** So long nothing has come of what nobody seems to be at, in milliseconds. */
const forgotten = 60_000;
/** How long it is remembered that something was delivered, in milliseconds: longer than Slack delivers again (slack-facts.md §5). */
const remembered = 25 * 60 * 60_000;

export function startScheduler({
  journal,
  confirmation,
  applies,
  timedChanges,
  recover,
  outbox,
  recorder,
  audit,
  now,
  every,
  work,
}: SchedulerParts): Scheduler {
  let nextPruning = Number.NEGATIVE_INFINITY;
  const tick = async () => {
    if (journal.isShared) await mindOthers();
    await mindForgotten();
    await timedChanges.tick();
    for (const action of await journal.overdue(now())) await confirmation.expire(action);
    await applies.tick();
    work.later(outbox.tick);
    await journal.forgetOver(now());
    await journal.forgetSealedOver(now());
    await journal.forgetDeliveries(now() - remembered);
    await recordAll(journal, recorder);
    if (now() >= nextPruning) await prune();
  };
  return { stop: every(interval, () => work.track(tick)) };

  /** Deletes the records that are older than the policy wants them. */
  async function prune(): Promise<void> {
    const keep = audit()?.keep;
    let batches = 0;
    // When years are pruned at once, the next looks at the clock go on with it.
    while (keep !== undefined && (await journal.prune(now() - keep)) > 0) {
      batches += 1;
      if (batches === mostBatches) return;
    }
    nextPruning = now() + hour;
  }

  /**
   * What this one holds and is not at any more: something went wrong in the middle of it, or the journal did not take its
   * next step. Nobody else would ever end it while this one lives.
   */
  async function mindForgotten(): Promise<void> {
    const left = (await journal.held(now() - forgotten)).filter(({ id }) => !isUnderWay(id));
    if (left.length > 0) work.later(() => recover(left));
  }

  /** Whatever a replica that is gone was at goes on here. */
  async function mindOthers(): Promise<void> {
    await journal.heartbeat();
    const left = await journal.adoptOrphans();
    work.later(() => recover(left));
  }
}
