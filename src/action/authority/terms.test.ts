import { describe, expect, test } from 'vitest';
import { channel, everybody, hours, idOf, minute, rule } from '../../../test/approval-policy.ts';
import { approvalUnit } from '../../../test/approval-unit.ts';
import { policyOf, servedTo } from '../../../test/policy.ts';
import { consentOf } from '../base/consent.ts';

const about = (session: number, given: Parameters<typeof rule>[0]) =>
  rule({ commands: [{ phrase: 'session drop', where: { session: [session] } }], ...given });

/** What was asked waits for this. */
async function consent(unit: Awaited<ReturnType<typeof approvalUnit>>) {
  return consentOf(await unit.action());
}

describe('what is asked waits', () => {
  test('for whoever asked alone, where no rule concerns it', async () => {
    const unit = await approvalUnit({ rules: [rule({ commands: [{ phrase: 'session list' }] })] });
    expect(await unit.ask('alice')).toBe('waiting');
    expect(await consent(unit)).toBeUndefined();
    expect(unit.card().question?.approval).toBe(false);
  });

  test('for those whom the rule names, as long as it says, with the reason that was given', async () => {
    const unit = await approvalUnit({ rules: [rule({ count: 2, open: 7 * minute, reason: {} })] });
    await unit.ask('alice', { reason: 'it hangs' });
    expect(await consent(unit)).toEqual({
      needs: [{ by: ['approver'], count: 2, delegates: false, holders: ['carol', 'dana', 'erin'].map(idOf) }],
      ...{ requester: false, open: 7 * minute, reason: 'it hangs', unattended: false },
    });
    expect((await unit.action()).expiresAt).toBe(unit.clock.at + 7 * minute);
  });

  test('for what each rule wants: of the same roles once and by as many as the strictest says, no longer than the shortest', async () => {
    const rules = [
      about(12, { count: 2, requester: true }),
      about(13, { count: 3, open: 5 * minute, requester: true }),
      about(14, { by: ['admin'] }),
    ];
    const unit = await approvalUnit({ rules });
    await unit.ask('alice', { sessions: [12, 13] });
    expect(await consent(unit)).toMatchObject({ needs: [{ count: 3 }], requester: true, open: 5 * minute });
    await unit.ask('alice', { sessions: [12, 14] });
    expect(await consent(unit)).toMatchObject({
      needs: [
        { by: ['approver'], count: 2 },
        { by: ['admin'], count: 1 },
      ],
      requester: false,
    });
  });

  test('on several appliances for the same yes once', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice', { on: ['hq', 'branch'] });
    expect((await consent(unit))?.needs).toHaveLength(1);
    expect(await unit.approve('carol')).toBe('done');
  });

  test('only where whoever asks may run it by no other role than the rule names', async () => {
    const unit = await approvalUnit({ rules: [rule({ requesters: ['helpdesk'] })] });
    await unit.ask('alice');
    expect(unit.card().question?.approval).toBe(true);
    await unit.ask('bob');
    expect(unit.card().question?.approval).toBe(false);
  });
});

describe('what is asked without the role for it', () => {
  test('is refused, unless it is asked of those who have it', async () => {
    const unit = await approvalUnit({ rules: [] });
    expect(await unit.ask('vic')).toBe('denied');
    expect(await unit.ask('vic', { accessRequest: true })).toBe('waiting');
    expect(await consent(unit)).toMatchObject({
      needs: [{ by: ['helpdesk', 'operator', 'admin'], count: 1, delegates: true }],
      requester: false,
      open: 60 * minute,
    });
  });

  test('waits for what the rule wants besides, also where the rule leaves the yes to whoever asks', async () => {
    const unit = await approvalUnit({ rules: [rule({ requester: true, by: ['admin'], open: 2 * minute })] });
    await unit.ask('vic', { accessRequest: true });
    expect(await consent(unit)).toMatchObject({
      needs: [
        { by: ['helpdesk', 'operator', 'admin'], delegates: true },
        { by: ['admin'], delegates: false },
      ],
      ...{ requester: false, open: 2 * minute },
    });
  });

  test('is lent to nobody who is missing more than a role', async () => {
    const unit = await approvalUnit({ rules: [] });
    unit.people.describe(idOf('gus'), { kind: 'guest' });
    unit.people.describe(idOf('ron'), { kind: 'bot' });
    unit.people.hide(idOf('eve'));
    for (const who of ['gus', 'ron', 'eve'])
      expect(await unit.ask(who, { accessRequest: true })).toBe('denied');
    unit.people.share(channel);
    expect(await unit.ask('alice', { accessRequest: true })).toBe('denied');
  });
});

describe('what stands in the way of asking', () => {
  test('a reason that is missing, or none that the rule takes', async () => {
    const unit = await approvalUnit({ rules: [rule({ reason: { pattern: '^INC-[0-9]+' } })] });
    expect(await unit.ask('alice')).toBe('reason_wanted');
    expect(await unit.ask('alice', { reason: ' ' })).toBe('reason_wanted');
    expect(await unit.ask('alice', { reason: 'it hangs' })).toBe('reason_wanted');
    expect(await unit.ask('alice', { reason: ' inc-7 hangs' })).toBe('waiting');
  });

  test('an hour in which nobody can approve; in one in which nobody has to, nothing does', async () => {
    const rules = [rule({ notPossible: hours('Mon 10:00-11:00'), notNeeded: hours('Mon 10:30-12:00') })];
    const unit = await approvalUnit({ rules });
    const said: string[] = [];
    for (let half = 0; half < 8; half += 1) {
      const came = await unit.ask('alice');
      said.push(came === 'waiting' ? String(unit.card().question?.approval) : came);
      unit.clock.at += 30 * minute;
    }
    const [none, needed, free] = ['approval_not_possible', 'true', 'false'];
    expect(said).toEqual([needed, needed, none, none, free, free, needed, needed]);
  });

  test('that nobody here has the role; the channels are named in which somebody has', async () => {
    const unit = await approvalUnit({ lists: { ...everybody, approver: [] } });
    expect(await unit.ask('alice')).toBe('no_approver');
    const { roles, approvals, channels } = unit.policy.current();
    unit.policy.replace(
      policyOf({ ...channels, C0ELSEWHERE: servedTo({ approver: ['U0CAROL'] }) }, { roles, approvals }),
    );
    expect(await unit.ask('alice')).toBe('no_approver');
    expect(unit.toldLast('alice')).toContain('It can be asked for in C0ELSEWHERE.');
  });
});

describe('with the glass broken', () => {
  const breakGlass = true;
  const broken = (role?: string) =>
    approvalUnit({ more: { emergency: { longest: 240 * minute, ...(role && { breakGlass: role }) } } });

  test('it waits for nobody else, where the policy lets this person', async () => {
    const unit = await broken('operator');
    expect(await unit.ask('bob', { breakGlass })).toBe('waiting');
    expect(await consent(unit)).toBeUndefined();
    expect(await unit.press('bob', 'confirm')).toBe('done');
  });

  test('also in an hour in which nobody could approve it', async () => {
    const unit = await broken('operator');
    unit.change({ rules: [rule({ notPossible: hours('Mon-Sun') })] });
    expect(await unit.ask('bob')).toBe('approval_not_possible');
    expect(await unit.ask('bob', { breakGlass })).toBe('waiting');
    expect(await unit.press('bob', 'confirm')).toBe('done');
  });

  test('it is refused to everybody else, and where the policy does not provide for it', async () => {
    expect(await (await broken()).ask('bob', { breakGlass })).toBe('break_glass_off');
    const unit = await broken('operator');
    expect(await unit.ask('alice', { breakGlass })).toBe('break_glass_role');
    // With a role that is lent nobody breaks it either.
    expect(await unit.ask('vic', { breakGlass, accessRequest: true })).toBe('break_glass_role');
  });

  test('it does not run when whoever asked may break it no more', async () => {
    const unit = await broken('operator');
    await unit.ask('bob', { breakGlass });
    unit.change({ more: { emergency: { longest: 240 * minute, breakGlass: 'admin' } } });
    expect(await unit.press('bob', 'confirm')).toBe('break_glass_role');
    unit.change({ more: {} });
    expect(await unit.press('bob', 'confirm')).toBe('break_glass_off');
    expect(unit.ran).toEqual([]);
  });
});
