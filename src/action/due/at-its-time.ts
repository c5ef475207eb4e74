import { allowedIn } from '../../auth/targets.ts';
import type { AnyChange } from '../../handlers/command.ts';
import { code, moment, type Part, say, type Text } from '../../handlers/reply.ts';
import type { Action } from '../../journal/journal.ts';
import { JournalUnavailable } from '../../journal/unavailable.ts';
import type { Approvals } from '../approval/approvals.ts';
import { isOpenAt } from '../authority/starts.ts';
import { inPlaceOf } from '../base/in-place.ts';
import { holdsSecret, isReadable, type Shown, shownOf } from '../base/stored.ts';
import { previewOf, shownNow } from '../change/question.ts';
import { type Begin, internal, notHere, unreadable } from '../change/recheck.ts';
import type { Gathering } from '../change/supervision.ts';
import { lateEnd } from '../change/temporary.ts';
import type { Parts } from '../ground/ground.ts';
import { holdAgain } from '../planned/hold.ts';
import { differences, type EndNotRun, type NotRun, tooLate } from '../planned/not-run.ts';
import { askedIn } from '../showing/messages.ts';
import { otherAmong } from '../target/identity.ts';
import { faultIn, isSame } from '../target/target.ts';
import { applianceFailure } from '../wording/appliance-failure.ts';
import { explain, type Fault } from '../wording/faults.ts';
import { withoutPromise } from '../wording/misread/misfits.ts';
import type { RunAtItsTime } from './due.ts';
import { lookAtAll } from './look-at-all.ts';
import { type Become, moveEnd, withPreview } from './move-end.ts';

export interface AtItsTimeParts extends Parts {
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
      else await endNotRun(approved, { state: 'cancelled', code: 'internal', why: internal });
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
      return notRun(approved, 'unreadable', unreadable);
    const { window } = start;
    if (window !== undefined && !isOpenAt(now(), window, authority.policy()))
      return notRun(approved, 'no_such_window', closed(window));
    const here = authority.channel(approved.channel);
    const allowed = here === undefined ? [] : allowedIn(here, parts.fleet, approved.channel);
    const gone = before.targets.find(({ appliance }) => !allowed.includes(appliance));
    if (gone !== undefined) return notRun(approved, 'no_appliance', notHere(gone.appliance));
    if (holdsSecret(command, approved.args) && (await secretStore.fetch(approved.id)) === undefined)
      return notRun(approved, 'secret_forgotten', sealedAway);
    const seen = await see(approved, before, command);
    const become = 'become' in seen ? seen.become : undefined;
    const obstacle =
      (await obstacleTo(approved, command)) ?? (become && (await obstacleTo(become.action, become.command)));
    if (obstacle !== undefined)
      return isUnread(obstacle) ? again(approved, obstacle) : barred(approved, obstacle);
    if ('fault' in seen) {
      const { fault } = seen;
      return fault.code === 'nothing_to_act_on' || fault.code === 'on_no_appliance' || fault.code === 'file'
        ? notRun(approved, temporary?.extends ? 'preview_changed' : fault.code, explain(fault).headline)
        : fault.code === 'appliance' || isUnread(fault)
          ? again(approved, fault)
          : barred(approved, fault);
    }
    if (!seen.isSame) {
      if (seen.unread !== undefined) return again(approved, seen.unread);
      const other = otherAmong(before.targets, seen.shown.targets);
      const why = other === undefined ? changed : say`${other} No changes were made.`;
      return notRun(approved, 'preview_changed', why, differences(before, seen.shown));
    }
    const late = lateEnd(temporary, now());
    if (late !== undefined) return notRun(approved, 'ended', late);
    if (now() > start.latest) {
      await endNotRun(approved, tooLate(start.at));
      return true;
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
      ...{ shown, isSame: isSame(before.targets, shown.targets) },
      unread: unread?.kind === 'fault' ? unread.fault : undefined,
    };
  }

  /** Everybody reads it, so it speaks of whoever asked by name. */
  async function barred(approved: Action, obstacle: Fault): Promise<true> {
    const { person: asker } = approved;
    const named: Fault =
      obstacle.code === 'denied'
        ? { code: 'asker_denied', asker, denial: obstacle.denial }
        : obstacle.code === 'ticket_wanted'
          ? { ...obstacle, planned: 'due' }
          : obstacle;
    const why = explain(named).headline;
    const frozenUntil = obstacle.code === 'frozen' ? obstacle.frozen.until : undefined;
    await endNotRun(approved, { state: 'cancelled', code: named.code, why, frozenUntil });
    return true;
  }

  /** What cannot be looked at now is looked at again, while it is in time. */
  async function again(approved: Action, fault: Fault): Promise<boolean> {
    const { start } = shownOf(approved) ?? {};
    const cause =
      fault.code === 'appliance'
        ? applianceFailure(fault.appliance, fault.failure)
        : withoutPromise(explain(fault).headline);
    if (start === undefined) return notRun(approved, fault.code, cause, [], 'expired');
    if (now() <= start.latest) {
      await holdAgain(parts, approved, {
        notice: say`${cause} Trying again until ${moment(start.latest)}.`,
        cause,
      });
      return false;
    }
    await endNotRun(approved, tooLate(start.at, cause));
    return true;
  }

  async function notRun(
    approved: Action,
    code: string,
    why: Text,
    details: readonly Part[] = [],
    state: NotRun['state'] = 'cancelled',
  ): Promise<true> {
    await endNotRun(approved, { state, code, why, details });
    return true;
  }
}

const closed = (window: string): Text =>
  say`The window ${code(window)} is not in the policy any more, or has other hours now. No changes were made.`;
const sealedAway = say`The password from the form can’t be opened any more. No changes were made. Type the command again.`;
const changed = say`What it would change is not what was agreed to any more. No changes were made.`;

/** Whether it is only not known so far: who somebody is, or what they hold. */
const isUnread = (fault: Fault): boolean =>
  fault.code === 'approver_unknown' ||
  ((fault.code === 'denied' || fault.code === 'asker_denied') && fault.denial.code === 'lookup_failed');
