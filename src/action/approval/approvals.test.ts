import { describe, expect, test } from 'vitest';
import { everybody, hours, idOf, minute, rule } from '../../../test/approval-policy.ts';
import { approvalUnit } from '../../../test/approval-unit.ts';

const two = rule({ count: 2 });

describe('whose yes counts', () => {
  test.each([
    ['somebody with the role that the rule names', 'carol', 'done'],
    ['whoever asked', 'alice', 'own_request'],
    ['somebody who may run it, but has not that role', 'bob', 'not_an_approver'],
    ['somebody whom the policy does not know', 'zoe', 'not_an_approver'],
  ])('that of %s: %3$s', async (_, who, comes) => {
    const unit = await approvalUnit();
    expect(await unit.ask('alice')).toBe('waiting');
    expect(await unit.approve(who)).toBe(comes);
    expect(unit.ran).toHaveLength(comes === 'done' ? 1 : 0);
  });

  test('that of each role which the rule names, and of a group that has it', async () => {
    const lists = { ...everybody, approver: ['S0APPROVER'] };
    const unit = await approvalUnit({ rules: [rule({ by: ['approver', 'admin'] })], lists });
    unit.people.fill('S0APPROVER', [idOf('carol')]);
    for (const who of ['root', 'carol']) {
      await unit.ask('alice');
      expect(await unit.approve(who)).toBe('done');
    }
    expect(await unit.ask('alice')).toBe('waiting');
    unit.people.fill('S0APPROVER', []);
    expect(await unit.approve('carol')).toBe('not_an_approver');
  });

  test('never that of the asker, whoever they are and whichever account of theirs clicks', async () => {
    const unit = await approvalUnit({ lists: { ...everybody, helpdesk: ['carol', 'alice'] } });
    unit.people.describe(idOf('alice'), { human: 'W0CAROL' });
    unit.people.describe(idOf('carol'), { human: 'W0CAROL' });
    await unit.ask('carol');
    expect(await unit.approve('carol')).toBe('own_request');
    await unit.ask('alice');
    expect(await unit.approve('carol')).toBe('own_request');
    expect(unit.toldLast('carol')).toContain('with your other account');
    expect(unit.ran).toEqual([]);
    expect(await unit.approve('dana')).toBe('done');
  });

  test('that of the asker where the rule says so, as one of those that are needed', async () => {
    const own = { count: 2, requester: true, by: ['helpdesk', 'approver'] } as const;
    const unit = await approvalUnit({ rules: [rule(own)] });
    await unit.ask('alice');
    expect(await unit.approve('alice')).toBe('waiting');
    expect(await unit.approve('alice')).toBe('approved_already');
    expect(await unit.approve('carol')).toBe('done');
  });

  test.each([
    ['a bot, although the role was given to it by name', 'bot', 'carol', 'not_an_approver'],
    ['an account that is deactivated', 'deactivated', 'carol', 'not_an_approver'],
    ['a guest who has the role by a group alone', 'guest', 'gus', 'not_an_approver'],
    ['a guest to whom it was given by name', 'guest', 'carol', 'done'],
  ] as const)('of %s: %4$s', async (_, kind, who, comes) => {
    const unit = await approvalUnit({ lists: { ...everybody, approver: ['carol', 'S0APPROVER'] } });
    unit.people.fill('S0APPROVER', [idOf('gus')]);
    unit.people.describe(idOf(who), { kind });
    await unit.ask('alice');
    expect(await unit.approve(who)).toBe(comes);
  });

  test('nobody’s while it is not known who they are, and not while nobody knows whose account asked', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    unit.people.hide(idOf('carol'));
    expect(await unit.approve('carol')).toBe('lookup_failed');
    unit.people.hide(idOf('carol'), false);
    unit.people.hide(idOf('alice'));
    expect(await unit.approve('carol')).toBe('asker_denied');
    expect(await unit.approvers()).toEqual([]);
    unit.people.hide(idOf('alice'), false);
    expect(await unit.approve('carol')).toBe('done');
  });

  test('for a role that is lent: of those who may run this very thing, and of nobody who may not', async () => {
    const unit = await approvalUnit({ rules: [] });
    expect(await unit.ask('vic', { accessRequest: true })).toBe('waiting');
    expect(await unit.approve('carol')).toBe('not_an_approver');
    unit.people.share('C0HELPDESK');
    expect(await unit.approve('bob')).toBe('shared_channel');
    expect(unit.ran).toEqual([]);
  });
});

describe('how many it takes', () => {
  test.each([1, 2, 3])('%i, each counted once, and the last one runs it', async (count) => {
    const unit = await approvalUnit({ rules: [rule({ count })] });
    await unit.ask('alice');
    const some = ['carol', 'dana', 'erin'].slice(0, count);
    for (const who of some) {
      expect(unit.ran).toEqual([]);
      const isLast = who === some.at(-1);
      expect(await unit.approve(who)).toBe(isLast ? 'done' : 'waiting');
      if (!isLast) expect(await unit.approve(who)).toBe('approved_already');
    }
    expect(unit.ran).toHaveLength(1);
    expect(await unit.approvers()).toEqual(some);
    expect(await unit.action()).toMatchObject({ decidedBy: idOf(some.at(-1) ?? ''), person: idOf('alice') });
  });

  test('two people, and not one with two accounts', async () => {
    const unit = await approvalUnit({ rules: [two] });
    for (const who of ['carol', 'dana']) unit.people.describe(idOf(who), { human: 'W0ONE' });
    await unit.ask('alice');
    expect(await unit.approve('carol')).toBe('waiting');
    expect(await unit.approve('dana')).toBe('approved_already');
    expect(unit.toldLast('dana')).toContain('with your other account');
    expect(await unit.approve('erin')).toBe('done');
  });

  test('nor two accounts that turn out to be one’s after both have clicked', async () => {
    const unit = await approvalUnit({ rules: [rule({ count: 3 })] });
    await unit.ask('alice');
    await unit.approve('carol');
    await unit.approve('dana');
    for (const who of ['carol', 'dana']) unit.people.describe(idOf(who), { human: 'W0ONE' });
    expect(await unit.approve('erin')).toBe('waiting');
    expect(unit.ran).toEqual([]);
  });

  test('of each rule its own, and somebody who has both roles counts for both', async () => {
    const about = (session: number, by: string) =>
      rule({ commands: [{ phrase: 'session drop', where: { session: [session] } }], by: [by] });
    const rules = [about(12, 'approver'), about(13, 'admin')];
    const unit = await approvalUnit({
      rules,
      lists: { ...everybody, approver: ['carol', 'rosa'], admin: ['root', 'rosa'] },
    });
    await unit.ask('alice', { sessions: [12, 13] });
    expect(await unit.approve('carol')).toBe('waiting');
    expect(await unit.approve('root')).toBe('done');
    await unit.ask('alice', { sessions: [12, 13] });
    expect(await unit.approve('rosa')).toBe('done');
  });

  test('of a role that is lent one, besides those that the rule wants; who has both roles counts for both', async () => {
    const unit = await approvalUnit({ lists: { ...everybody, approver: ['carol', 'bob'] } });
    await unit.ask('vic', { accessRequest: true });
    expect(await unit.approve('ben')).toBe('waiting');
    expect(await unit.approve('carol')).toBe('done');
    await unit.ask('vic', { accessRequest: true });
    expect(await unit.approve('bob')).toBe('done');
  });
});

describe('at the click counts what the policy says by then', () => {
  const shut = rule({ notPossible: hours('Mon 09:10-09:20'), count: 2, open: 60 * minute });

  test('no approval is taken in an hour in which none is possible, and those from before count again after it', async () => {
    const unit = await approvalUnit({ rules: [shut] });
    await unit.ask('alice');
    unit.clock.at += 10 * minute - 1;
    expect(await unit.approve('carol')).toBe('waiting');
    unit.clock.at += 1;
    expect(await unit.approve('dana')).toBe('approval_not_possible');
    expect(await unit.approvers()).toEqual(['carol']);
    unit.clock.at += 10 * minute;
    expect(await unit.approve('dana')).toBe('done');
  });

  test.each([
    ['more people', { count: 2 }],
    ['others', { by: ['admin'] }],
    ['others, too', { by: ['approver', 'admin'] }],
    ['another reason', { reason: { pattern: '^INC-' } }],
  ])('%s than it was asked for: it has to be asked again', async (_, wanted) => {
    const unit = await approvalUnit({ rules: [rule({ reason: {} })] });
    await unit.ask('alice', { reason: 'stuck' });
    unit.change({ rules: [rule(wanted)] });
    expect(await unit.approve('carol')).toBe('approval_changed');
    expect(await unit.approvers()).toEqual([]);
    unit.change({ rules: [rule({ reason: {} })] });
    expect(await unit.approve('carol')).toBe('done');
  });

  test('that whoever asks may be one of them no longer', async () => {
    const own = { by: ['helpdesk'], requester: true } as const;
    const unit = await approvalUnit({ rules: [rule(own)] });
    await unit.ask('alice');
    unit.change({ rules: [rule({ ...own, requester: false })] });
    expect(await unit.approve('alice')).toBe('approval_changed');
  });

  test('where it wants less by now, the card still waits for what it says', async () => {
    const unit = await approvalUnit({ rules: [two] });
    await unit.ask('alice');
    unit.change({ rules: [] });
    expect(await unit.approve('carol')).toBe('waiting');
    expect(await unit.approve('dana')).toBe('done');
  });

  test('whoever asked may run it no more: nothing runs, whoever approves', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    unit.change({ lists: { ...everybody, helpdesk: [] } });
    expect(await unit.approve('carol')).toBe('asker_denied');
    expect(unit.toldLast('carol')).toContain(', who asked for this, can no longer run it');
    expect((await unit.action()).state).toBe('waiting');
  });

  test('whoever asked for a role is not there any more', async () => {
    const unit = await approvalUnit({ rules: [] });
    await unit.ask('vic', { accessRequest: true });
    unit.people.describe(idOf('vic'), { kind: 'deactivated' });
    expect(await unit.approve('bob')).toBe('asker_denied');
  });

  test('who approved before has the say no more: the next one hears whose yes is missing', async () => {
    const unit = await approvalUnit({ rules: [two] });
    await unit.ask('alice');
    await unit.approve('carol');
    unit.change({ lists: { ...everybody, approver: ['dana', 'erin'] } });
    expect(await unit.approve('dana')).toBe('waiting');
    expect(unit.toldLast('dana')).toBe(
      'Your approval is noted, but U0CAROL, who approved this before, may no longer do so. No changes were made yet. It needs another approval.',
    );
    expect(await unit.approve('erin')).toBe('done');
  });

  test('who approved before cannot be looked up now: it waits, and the last one can press again', async () => {
    const unit = await approvalUnit({ rules: [two] });
    await unit.ask('alice');
    await unit.approve('carol');
    unit.people.hide(idOf('carol'));
    expect(await unit.approve('dana')).toBe('waiting');
    expect(unit.toldLast('dana')).toContain('whether U0CAROL, who approved this, still may');
    expect(await unit.approve('dana')).toBe('approver_unknown');
    expect(unit.ran).toEqual([]);
    unit.people.hide(idOf('carol'), false);
    expect(await unit.approve('dana')).toBe('done');
  });
});
