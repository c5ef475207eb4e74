import { onBehalfOf } from '../../caller.ts';
import { recalled } from '../../handlers/audit/recalled.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { say } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import { ChatRefused } from '../base/chat.ts';
import { inAction } from '../base/request-log.ts';
import { appliancesActedOn, changeOf, shownOf } from '../base/stored.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import type { Parts } from '../ground/ground.ts';
import { type EndNotRun, tooLate } from '../planned/not-run.ts';
import { lostOutcome } from '../wording/restored.ts';

/** Runs what was planned, once its time has come: once, or not at all. */
export interface PlannedChanges {
  readonly tick: () => Promise<void>;
  /** Begins nothing more; what is planned stays in the journal. */
  readonly stop: () => void;
}

/**
 * Takes everything again: role, approvals, policy, preview. It runs if all is as it was agreed to. False where that could not be
 * looked at, so that it is planned as before.
 */
export type RunAtItsTime = (approved: Action, command: AnyChange) => Promise<boolean>;

/** So much of what is due is looked at, and so many are run at a time. */
const most = { looked: 1_000, atOnce: 20 };
/** How long until what could not be looked at is looked at again, in milliseconds. */
const pause = 30_000;
/** How long one waits for others to take theirs, which is quick. */
const timeout = 10_000;

export function createPlannedChanges(
  parts: Parts & { readonly runAtItsTime: RunAtItsTime; readonly endNotRun: EndNotRun },
  later: WorkInFlight['later'],
): PlannedChanges {
  const { commandByPhrase, journal, generations, ahead, endNotRun, now } = parts;
  /** What is under way, and the appliances that it acts on. */
  const underWay = new Map<string, readonly string[]>();
  /** When it is looked at again. In memory: after a restart it is looked at once more. */
  const paused = new Map<string, number>();
  let stopped = false;

  return {
    tick,

    stop: () => {
      stopped = true;
    },
  };

  async function tick(): Promise<void> {
    if (stopped) return;
    const due = await journal.duePlanned(now(), most.looked);
    for (const id of paused.keys()) if (due.every((one) => one.id !== id)) paused.delete(id);
    const ready = due.filter(({ id }) => !underWay.has(id) && (paused.get(id) ?? 0) <= now());
    // What comes first on an appliance is over before the next one is looked at: that may hit something else by then.
    const taken = new Set([...underWay.values()].flat());
    for (const action of ready) {
      if (stopped || underWay.size >= most.atOnce) return;
      const on = appliancesActedOn(action);
      const isNext = !on.some((appliance) => taken.has(appliance));
      for (const appliance of on) taken.add(appliance);
      if (!isNext) continue;
      underWay.set(action.id, on);
      later(async () => {
        await take(action).finally(() => underWay.delete(action.id));
        await next();
      });
    }
  }

  /** Without the journal it waits for the clock. */
  async function next(): Promise<void> {
    try {
      await tick();
    } catch (error) {
      if (!(error instanceof JournalUnavailable)) throw error;
    }
  }

  async function take(action: Action): Promise<void> {
    const { person } = action;
    try {
      const settled = await onBehalfOf({ person, priority: 'high' }, () =>
        inAction(parts, [action.id], () => run(action)),
      );
      if (!settled) paused.set(action.id, now() + pause);
    } catch (error) {
      if (!(error instanceof JournalUnavailable)) throw error;
      paused.set(action.id, now() + pause);
    }
  }

  /** Whether nothing is left to be done about it. */
  async function run(action: Action): Promise<boolean> {
    const restored = await endedSince(action);
    if (restored === 'unread') return false;
    if (restored) {
      await journal.move(action, 'unknown', { outcome: lostOutcome });
      return true;
    }
    const { start } = shownOf(action) ?? {};
    const command = changeOf(commandByPhrase, action);
    if (start === undefined || command === undefined) {
      const why = say`What was agreed to can no longer be read, so no changes were made. Type the command again.`;
      await endNotRun(action, { state: 'cancelled', code: 'unreadable', why });
      return true;
    }
    if (now() > start.latest) {
      await endNotRun(
        action,
        tooLate(start.at, start.held === undefined ? [] : recalled(start.held, () => false)),
      );
      return true;
    }
    const claimed = await claim(action);
    if (claimed === 'later') return false;
    // Another replica was first, or somebody has cancelled it this moment.
    return claimed === undefined || (await parts.runAtItsTime(claimed, command));
  }

  /** Takes it, unless another replica is at one on the same appliance: the two would not see what the other one does. */
  async function claim(action: Action): Promise<Action | 'later' | undefined> {
    const on = appliancesActedOn(action);
    const claimed = await journal.exclusively('planned changes', timeout, async () => {
      const begun = (await journal.begunPlanned()).filter(({ id }) => id !== action.id);
      const isFree = !begun.some((one) => appliancesActedOn(one).some((name) => on.includes(name)));
      return isFree ? journal.move(action, 'approved') : 'later';
    });
    return claimed === undefined ? 'later' : claimed.value;
  }

  /**
   * Whether it may have run, or was cancelled, after the backup that the journal was restored from. What was to run later than that was
   * noticed can only have been cancelled, which its card tells.
   */
  async function endedSince({ id, state, channel, direct, card, runAt = 0, changedAt }: Action) {
    if (changedAt > (await generations.restoredUntil())) return false;
    const { beganAt } = await generations.current();
    if (runAt <= beganAt || card === undefined) return true;
    try {
      return await ahead.isAhead({ channel: direct ?? channel }, card, { action: id, state });
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      return 'unread';
    }
  }
}
