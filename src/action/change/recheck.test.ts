import { describe, expect, test, vi } from 'vitest';
import { channel, everybody, hours, idOf, minute, rule } from '../../../test/approval-policy.ts';
import { approvalUnit } from '../../../test/approval-unit.ts';
import { policyOf, servedTo } from '../../../test/policy.ts';
import { plainText } from '../../handlers/reply.ts';

const two = rule({ count: 2 });

describe('what is not as it was shown any more', () => {
  test('is asked again by the same card, anew and by everybody', async () => {
    const unit = await approvalUnit({ rules: [two] });
    await unit.ask('alice');
    const first = unit.token();
    await unit.approve('carol');
    unit.session.owner = 'carla.jones';
    unit.clock.at += 9 * minute;
    expect(await unit.approve('dana')).toBe('waiting');
    expect(unit.ran).toEqual([]);
    expect(plainText(unit.card().headline)).toBe('Drop session 12 of carla.jones?');
    expect(plainText(unit.card().notice ?? [])).toBe(
      'This is not what you were shown a moment ago. No changes were made. Look again before you press. Whoever approved it before must approve it again.',
    );
    expect(await unit.approvers()).toEqual([]);
    // An old button, and a new time.
    expect(await unit.approve('erin', first)).toBe('card_gone');
    unit.clock.at += 10 * minute - 1;
    expect(await unit.approve('carol')).toBe('waiting');
    expect(await unit.approve('dana')).toBe('done');
    expect(unit.ran).toHaveLength(1);
  });

  test('stands in the record as it was shown before', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    unit.session.owner = 'carla.jones';
    await unit.approve('carol');
    const shown = (await unit.journal.eventsOf((await unit.action()).id)).filter(
      ({ kind }) => kind === 'shown',
    );
    expect(shown).toMatchObject([{ content: { targets: [{ fingerprint: { owner: 'bob.miller' } }] } }]);
  });

  test('is on several appliances what any of them says', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice', { on: ['hq', 'branch'] });
    let looks = 0;
    unit.session.whileLooking = () => {
      looks += 1;
      unit.session.owner = looks === 1 ? 'bob.miller' : 'carla.jones';
    };
    expect(await unit.approve('carol')).toBe('waiting');
    unit.session.whileLooking = () => undefined;
    expect(unit.ran).toEqual([]);
  });

  test('ends it where there is nothing to act on any more', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    unit.session.owner = undefined;
    expect(await unit.approve('carol')).toBe('cancelled');
    expect((await unit.action()).outcome).toEqual({
      code: 'nothing_to_act_on',
      says: 'There is no session 12. No changes were made.',
    });
  });

  test('is not known while the appliance does not show it: the card asks again, with buttons that work', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    unit.session.isReachable = false;
    expect(await unit.approve('carol')).toBe('waiting');
    expect(plainText(unit.card().headline)).toBe('Drop session 12 of bob.miller?');
    unit.session.isReachable = true;
    expect(await unit.approve('carol')).toBe('done');
  });
});

describe('between the last yes and the run', () => {
  /** Asked by alice, approved by carol, and this happens while it is looked at once more. */
  const meanwhile = async (
    does: (unit: Awaited<ReturnType<typeof approvalUnit>>) => void,
    rules = [rule()],
  ) => {
    const unit = await approvalUnit({ rules });
    await unit.ask('alice');
    unit.session.whileLooking = () => does(unit);
    await unit.approve('carol');
    const { state, outcome } = await unit.action();
    return { unit, came: outcome?.code === undefined ? state : outcome.code };
  };

  test.each([
    ['whoever asked loses the role', { lists: { ...everybody, helpdesk: [] } }, 'asker_denied'],
    ['whoever approved loses the role', { lists: { ...everybody, approver: ['dana'] } }, 'approval_gone'],
    ['the policy wants more people', { rules: [two] }, 'approval_changed'],
    ['the policy wants a reason', { rules: [rule({ reason: {} })] }, 'approval_changed'],
    [
      'an hour begins in which nobody can approve',
      { rules: [rule({ notPossible: hours('09:00-09:05') })] },
      'approval_not_possible',
    ],
    ['the policy wants nothing any more', { rules: [] }, 'checked'],
  ])('%s: %3$s', async (_, part, comes) => {
    const { unit, came } = await meanwhile(({ change }) => change(part));
    expect(came).toBe(comes);
    expect(unit.ran).toHaveLength(comes === 'checked' ? 1 : 0);
    if (comes !== 'checked') expect(await unit.action()).toMatchObject({ state: 'cancelled' });
  });

  test('whoever approved cannot be looked up any more: nothing is done', async () => {
    const { unit, came } = await meanwhile(({ people }) => people.hide(idOf('carol')));
    expect([came, unit.ran]).toEqual(['approver_unknown', []]);
  });

  test('the hour comes in which none can be given: nothing is done, although it was given in time', async () => {
    const rules = [rule({ notPossible: hours('09:05-10:00') })];
    const { unit, came } = await meanwhile(({ clock }) => {
      clock.at += 5 * minute;
    }, rules);
    expect([came, unit.ran]).toEqual(['approval_not_possible', []]);
  });

  test('the hour ends in which none was needed: whoever asked has to ask again', async () => {
    const unit = await approvalUnit({ rules: [rule({ notNeeded: hours('09:00-09:02') })] });
    await unit.ask('alice');
    unit.clock.at += minute;
    unit.session.whileLooking = () => {
      unit.clock.at += minute;
    };
    expect(await unit.press('alice', 'confirm')).toBe('cancelled');
    expect((await unit.action()).outcome?.code).toBe('approval_changed');
    await unit.ask('alice', { reason: 'again' });
    expect(unit.card().question?.approval).toBe(true);
    expect(unit.ran).toEqual([]);
  });

  test('its time passes: what was approved in time is run', async () => {
    const { unit, came } = await meanwhile((one) => {
      one.clock.at += 10 * minute;
      return one.tick();
    });
    expect([came, unit.ran.length]).toEqual(['checked', 1]);
  });

  test('its appliance leaves the channel: nothing is done', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice', { on: ['hq', 'branch'] });
    const served = servedTo({ helpdesk: [idOf('alice')], approver: [idOf('carol')] });
    const { roles, approvals } = unit.policy.current();
    unit.policy.replace(policyOf({ [channel]: served }, { roles, approvals }));
    expect(await unit.approve('carol')).toBe('cancelled');
    expect((await unit.action()).outcome?.code).toBe('no_appliance');
    expect(unit.ran).toEqual([]);
  });

  test('a mistake of ours ends it before anything is sent, and says so', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    unit.session.whileLooking = () => {
      throw new TypeError('a mistake');
    };
    await expect(unit.approve('carol')).rejects.toThrow('a mistake');
    expect(await unit.action()).toMatchObject({ state: 'cancelled', outcome: { code: 'internal' } });
    expect(unit.ran).toEqual([]);
  });
});

describe('what takes its time', () => {
  test('is told at once to whoever asked, and its outcome when it is over', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    unit.session.whileDropping = async () => {
      unit.timeOut();
      await vi.waitFor(() => expect(unit.seen.thread).toHaveLength(1));
    };
    expect(await unit.approve('carol')).toBe('done');
    expect(unit.seen.thread.map(({ said }) => plainText(said.headline))).toEqual([
      `${idOf('alice')}: Approved by ${idOf('carol')}. It is running; the outcome follows here.`,
    ]);
  });

  test('is not told where whoever asked has pressed the last button', async () => {
    const unit = await approvalUnit({ rules: [] });
    await unit.ask('alice');
    unit.session.whileDropping = unit.timeOut;
    await unit.press('alice', 'confirm');
    expect(unit.ran).toHaveLength(1);
    expect(unit.seen.thread).toEqual([]);
  });
});
