import { allowedIn } from '../../auth/targets.ts';
import { onBehalfOf } from '../../caller.ts';
import { recalled } from '../../handlers/audit/recalled.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { moment, say } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import type { Approvals } from '../approval/approvals.ts';
import { isOpenAt } from '../authority/starts.ts';
import { ChatRefused, inPlaceOf } from '../base/chat.ts';
import { inAction } from '../base/request-log.ts';
import { appliancesActedOn, changeOf, holdsSecret, isReadable, type Shown, shownOf } from '../base/stored.ts';
import type { WorkInFlight } from '../base/work-in-flight.ts';
import { previewOf, shownNow } from '../change/question.ts';
import type { Begin } from '../change/recheck.ts';
import type { Gathering } from '../change/supervision.ts';
import { endFrom, lateEnd, withEnd, withStart } from '../change/temporary.ts';
import type { Parts } from '../ground/ground.ts';
import { onAlready } from '../holding/holders.ts';
import { holdAgain } from '../planned/hold.ts';
import { createEndNotRun, differences, type EndNotRun, type NotRun, notRunFor } from '../planned/not-run.ts';
import { askedIn } from '../showing/messages.ts';
import { showLooks } from '../showing/previews.ts';
import { otherAmong } from '../target/identity.ts';
import { faultIn, isNothing, isSame, type TargetPreview } from '../target/target.ts';
import { applianceFailure } from '../wording/appliance-failures.ts';
import { type Fault, reasonFor } from '../wording/faults.ts';
import { lostOutcome } from '../wording/restored.ts';
import { createMoving, createReschedule, lookAtAll, type Reschedule, withPreview } from './reschedule.ts';
import { createTellFrozen } from './tell-frozen.ts';

/** What becomes of what is planned: at its time, and until then. */
export interface DueStage {
  readonly plannedChanges: PlannedChanges;
  readonly reschedule: Reschedule;
  /** Tells those whose planned changes the policy keeps from running by now. */
  readonly tellFrozen: () => Promise<void>;
}

export function createDueStage(
  parts: Omit<AtItsTimeParts, 'endNotRun'>,
  later: WorkInFlight['later'],
): DueStage {
  const endNotRun = createEndNotRun(parts);
  const runAtItsTime = createRunAtItsTime({ ...parts, endNotRun });
  return {
    plannedChanges: createPlannedChanges({ ...parts, runAtItsTime, endNotRun }, later),
    reschedule: createReschedule({ ...parts, moving: createMoving(parts) }),
    tellFrozen: createTellFrozen(parts),
  };
}

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
type RunAtItsTime = (approved: Action, command: AnyChange) => Promise<boolean>;

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
      await endNotRun(action, notRunFor({ code: 'unreadable' }));
      return true;
    }
    if (now() > start.latest) {
      const cause = start.held === undefined ? [] : recalled(start.held);
      await endNotRun(action, notRunFor({ code: 'too_late', at: start.at, cause }));
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

interface AtItsTimeParts extends Parts {
  readonly obstacle: Approvals['obstacle'];
  readonly begin: Begin;
  /** Asked for later than this is built: it builds on it. */
  readonly gathering: () => Gathering;
  readonly endNotRun: EndNotRun;
}

export function createRunAtItsTime(parts: AtItsTimeParts): RunAtItsTime {
  const { authority, obstacle: obstacleTo, begin, gathering, endNotRun, secretStore, now } = parts;

  return async (approved, command) => {
    try {
      return await runIfSame(approved, command);
    } catch (error) {
      if (error instanceof JournalUnavailable) await holdAgain(parts, approved);
      // Whatever was sent is written down before.
      else await notRun(approved, { code: 'internal' });
      throw error;
    }
  };

  /**
   * Nobody is there who could be asked again: it runs as it was agreed to, or not at all. False where that could not be looked at so
   * far, and it is planned as before.
   */
  async function runIfSame(approved: Action, command: AnyChange): Promise<boolean> {
    const before = shownOf(approved);
    const { start, temporary } = before ?? {};
    if (before === undefined || start === undefined || !isReadable(approved))
      return notRun(approved, { code: 'unreadable' });
    const { window } = start;
    if (window !== undefined && !isOpenAt(now(), window, authority.policy()))
      return notRun(approved, { code: 'window_changed', window });
    const here = authority.channel(approved.channel);
    const allowed = here === undefined ? [] : allowedIn(here, parts.fleet, approved.channel);
    const gone = before.targets.find(({ appliance }) => !allowed.includes(appliance));
    if (gone !== undefined) return notRun(approved, { code: 'no_appliance', appliance: gone.appliance });
    if (holdsSecret(command, approved.args) && (await secretStore.fetch(approved.id)) === undefined)
      return notRun(approved, { code: 'secret_forgotten' });
    const seen = await see(approved, before, command);
    const become = 'become' in seen ? seen.become : undefined;
    const obstacle =
      (await obstacleTo(approved, command)) ?? (become && (await obstacleTo(become.action, become.command)));
    if (obstacle !== undefined)
      return isUnread(obstacle) ? again(approved, obstacle) : barred(approved, obstacle);
    if ('fault' in seen) {
      const { fault } = seen;
      return fault.code === 'nothing_to_act_on' || fault.code === 'on_no_appliance' || fault.code === 'file'
        ? notRun(approved, fault, { ...(temporary?.extends && { code: 'preview_changed' }) })
        : fault.code === 'appliance' || isUnread(fault)
          ? again(approved, fault)
          : barred(approved, fault);
    }
    if (!seen.isSame) {
      if (seen.unread !== undefined) return again(approved, seen.unread);
      const other = otherAmong(before.targets, seen.shown.targets);
      const details = differences(before, seen.shown);
      return notRun(approved, { code: 'preview_changed', other }, { details });
    }
    const late = lateEnd(temporary, now());
    if (late !== undefined) return notRun(approved, late);
    if (now() > start.latest) {
      return notRun(approved, { code: 'too_late', at: start.at, cause: [] });
    }
    const { channel, person } = approved;
    const to = { channel, person, ...inPlaceOf(askedIn(approved)) };
    await begin(to, approved, become?.command ?? command, become?.action.preview);
    return true;
  }

  /** What it would do now. `unread`: one of its appliances could not be asked. */
  async function see(
    approved: Action,
    before: Shown,
    command: AnyChange,
  ): Promise<
    | { readonly fault: Fault }
    | {
        readonly shown: Shown;
        readonly isSame: boolean;
        readonly unread?: Fault | undefined;
        readonly become?: Become | undefined;
      }
  > {
    if (command.gathers !== undefined) return lookAtAll(gathering(), approved, command, before);
    const looks = await previewOf(parts, approved, command);
    const shown = shownNow(approved, command, looks, now());
    if (shown === undefined) {
      const become = await moveEnd(parts, approved, command, looks);
      return become === undefined
        ? { fault: faultIn(looks) }
        : 'code' in become
          ? { fault: become }
          : { shown: before, isSame: true, become };
    }
    if (before.temporary?.extends !== undefined)
      return { shown, isSame: true, become: { action: withPreview(approved, shown), command } };
    const unread = looks.find((look) => look.kind === 'fault' && look.fault.code === 'appliance');
    return {
      shown,
      isSame: isSame(before.targets, shown.targets),
      unread: unread?.kind === 'fault' ? unread.fault : undefined,
    };
  }

  /** Everybody reads it, so it speaks of whoever asked by name. */
  async function barred(approved: Action, obstacle: Fault): Promise<true> {
    const { person: asker } = approved;
    const named: Fault =
      obstacle.code === 'denied'
        ? { code: 'asker_denied', asker, denial: obstacle.denial, channel: obstacle.channel }
        : obstacle.code === 'ticket_wanted'
          ? { ...obstacle, planned: 'due' }
          : obstacle;
    return notRun(approved, named, {
      ...(obstacle.code === 'frozen' && { frozenUntil: obstacle.frozen.until }),
    });
  }

  /** What cannot be looked at now is looked at again, while it is in time. */
  async function again(approved: Action, fault: Fault): Promise<boolean> {
    const { start } = shownOf(approved) ?? {};
    const cause =
      fault.code === 'appliance' ? applianceFailure(fault.appliance, fault.failure) : reasonFor(fault);
    if (start === undefined) return notRun(approved, fault, { why: cause, state: 'expired' });
    if (now() <= start.latest) {
      await holdAgain(parts, approved, {
        notice: say`${cause} Trying again until ${moment(start.latest)}.`,
        cause,
      });
      return false;
    }
    return notRun(approved, { code: 'too_late', at: start.at, cause });
  }

  async function notRun(approved: Action, fault: Fault, otherwise: Partial<NotRun> = {}): Promise<true> {
    await endNotRun(approved, { ...notRunFor(fault), ...otherwise });
    return true;
  }
}

/** Whether it is only not known so far: who somebody is, or what they hold. */
const isUnread = (fault: Fault): boolean =>
  fault.code === 'approver_unknown' ||
  ((fault.code === 'denied' || fault.code === 'asker_denied') && fault.denial.code === 'lookup_failed');

/** What was planned is on already, for a time: it comes to what was agreed to if that stays, or ends later. */
interface Become {
  /** With what it does instead. */
  readonly action: Action;
  readonly command: AnyChange;
}

/** Undefined where it is not on for a time; why not, where its end need not move. */
async function moveEnd(
  parts: Pick<
    Parts,
    'appliances' | 'authority' | 'commandByPhrase' | 'contexts' | 'journal' | 'match' | 'now'
  >,
  approved: Action,
  command: AnyChange,
  looks: readonly TargetPreview[],
): Promise<Become | Fault | undefined> {
  const { now } = parts;
  const isDone = looks.every(isNothing);
  const { targets = [], temporary, start } = shownOf(approved) ?? {};
  if (!isDone || temporary?.extends !== undefined) return undefined;
  const until = endFrom(now(), temporary);
  const moved = await onAlready(parts, command, { until, person: approved.person }, targets);
  if (moved === undefined) return undefined;
  if ('fault' in moved) return moved.fault;
  const again = await previewOf(parts, approved, moved.command);
  const looked = showLooks(moved.command, again);
  if (looked === undefined) return faultIn(again);
  const lasts = until === undefined ? 'forGood' : until - moved.since;
  const shown = withStart(
    withEnd(looked, moved.temporary, now(), () => lasts),
    start,
  );
  return { action: withPreview(approved, shown), command: moved.command };
}
