import { describe, expect, test } from 'vitest';
import { everybody, hours, idOf, minute, rule } from '../../../test/approval-policy.ts';
import { type ApprovalUnit, approvalUnit } from '../../../test/approval-unit.ts';

const hour = 60 * minute;

/** Alice plans to drop session 12 in an hour, and carol has approved it. */
async function approved(given: Parameters<typeof approvalUnit>[0] = {}): Promise<ApprovalUnit> {
  const unit = await approvalUnit(given);
  expect(await unit.ask('alice', { planned: hour })).toBe('waiting');
  expect(await unit.approve('carol')).toBe('planned');
  return unit;
}

async function later(unit: ApprovalUnit, milliseconds = hour + minute): Promise<string> {
  unit.clock.at += milliseconds;
  await unit.runPlanned();
  const { state, outcome } = await unit.action();
  return outcome === undefined ? state : `${state} ${outcome.code}`;
}

describe('what was planned and approved', () => {
  test('runs at its time, once, in the name of whoever asked', async () => {
    const unit = await approved();
    await unit.runPlanned();
    expect(unit.ran).toHaveLength(0);
    expect(await later(unit)).toBe('done checked');
    await unit.runPlanned();
    expect(unit.ran.map(({ person }) => person)).toEqual(['U0ALICE']);
  });

  test.each<[string, (unit: ApprovalUnit) => unknown, string]>([
    [
      'whoever asked has lost the role',
      (unit) => unit.change({ lists: { ...everybody, helpdesk: [] } }),
      'cancelled asker_denied',
    ],
    [
      'whoever approved has lost theirs',
      (unit) => unit.change({ lists: { ...everybody, approver: ['dana'] } }),
      'cancelled approval_gone',
    ],
    [
      'the policy wants more approvals now',
      (unit) => unit.change({ rules: [rule({ count: 2 })] }),
      'cancelled approval_changed',
    ],
    [
      'changes are frozen by now',
      (unit) =>
        unit.change({ more: { freezes: { closing: { during: { hours: hours('Mon') }, except: [] } } } }),
      'cancelled frozen',
    ],
    ['it is another one by then', ({ session }) => (session.owner = 'mallory'), 'cancelled preview_changed'],
    ['it is gone by then', ({ session }) => (session.owner = undefined), 'cancelled nothing_to_act_on'],
  ])('does not run where %s', async (_, change, ended) => {
    const unit = await approved();
    change(unit);
    expect(await later(unit)).toBe(ended);
    expect(unit.ran).toHaveLength(0);
    // Nothing tries it again.
    expect(await later(unit)).toBe(ended);
  });

  test('waits while the appliance or the chat cannot be asked, and no longer than it may', async () => {
    for (const hide of [true, false]) {
      const unit = await approved();
      const away = (isAway: boolean) => {
        unit.session.isReachable = !isAway || hide;
        unit.people.hide(idOf('alice'), isAway && hide);
      };
      away(true);
      expect(await later(unit)).toBe('planned');
      away(false);
      expect(await later(unit, minute)).toBe('done checked');

      const other = await approved();
      other.session.isReachable = false;
      expect(await later(other)).toBe('planned');
      expect(await later(other, 10 * minute)).toBe('expired too_late');
      expect(other.ran).toHaveLength(0);
    }
  });

  test('does not run when it is too late, also where the preview has taken so long', async () => {
    expect(await later(await approved(), hour + 11 * minute)).toBe('expired too_late');
    const slow = await approved();
    slow.session.whileLooking = () => {
      slow.clock.at += 20 * minute;
    };
    expect(await later(slow)).toBe('expired too_late');
    expect(slow.ran).toHaveLength(0);
  });

  test('is canceled by whoever asked, may run or may approve it, and by nobody else', async () => {
    for (const by of ['alice', 'bob', 'dana']) {
      const unit = await approved();
      const token = (await unit.action()).token ?? '';
      expect(await unit.press('vic', 'cancel', token)).toBe('not_yours_to_cancel');
      expect(await unit.press(by, 'cancel', token)).toBe('cancelled');
      expect(await later(unit)).toBe('cancelled cancelled');
      expect(unit.ran).toHaveLength(0);
    }
  });

  test('is approved in the hours of those who approve, and needs what the hour of its time needs', async () => {
    // It is Monday, 9 o'clock.
    const impossible = await approved({ rules: [rule({ notPossible: hours('Mon 09:30-11:00') })] });
    expect(await later(impossible)).toBe('done checked');
    const free = await approvalUnit({ rules: [rule({ notNeeded: hours('Mon 09:30-11:00') })] });
    expect(await free.ask('alice', { planned: hour })).toBe('waiting');
    expect(await free.press('alice', 'confirm')).toBe('planned');
    const needed = await approvalUnit({ rules: [rule({ notNeeded: hours('Mon 08:30-09:30') })] });
    expect(await needed.ask('alice', { planned: hour })).toBe('waiting');
    expect(await needed.press('alice', 'confirm')).toBe('card_gone');
    expect(await needed.approve('carol')).toBe('planned');
  });
});
