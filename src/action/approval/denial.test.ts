import { describe, expect, test } from 'vitest';
import { channel, everybody, idOf, minute } from '../../../test/approval-policy.ts';
import { approvalUnit } from '../../../test/approval-unit.ts';
import { plainText } from '../../handlers/reply.ts';

describe('who denies it', () => {
  test('says why, and everybody reads it, whoever asked is called', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    const token = unit.token();
    expect(await unit.deny('carol', ' not before the change window ')).toBe('cancelled');
    const { outcome, decidedBy } = await unit.action();
    expect([outcome?.code, decidedBy]).toEqual(['denied', idOf('carol')]);
    const headline = 'Denied by U0CAROL: not before the change window. No changes were made.';
    expect(plainText(unit.card().headline)).toBe(`Not done: Drop session 12 of bob.miller. ${headline}`);
    expect(unit.card().question).toBeUndefined();
    expect(unit.seen.thread.map(({ said }) => plainText(said.headline))).toEqual([`U0ALICE: ${headline}`]);
    expect(await unit.approve('dana', token)).toBe('already');
    expect(unit.ran).toEqual([]);
  });

  test('has to be somebody who could approve it, when the form is opened and when it is sent', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    expect(await unit.deny('alice', 'no')).toBe('own_request');
    expect(await unit.deny('bob', 'no')).toBe('not_an_approver');
    expect(unit.seen.forms).toEqual([]);
    const lists = { ...everybody, approver: ['dana'] };
    expect(await unit.deny('carol', 'no', () => unit.change({ lists }))).toBe('waiting');
    expect(unit.toldLast('carol')).toContain('This requires the approver role to approve or deny.');
  });

  test('needs a reason, and a form of their own', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    expect(await unit.deny('carol', '  ')).toBe('problems');
    const token = unit.seen.forms[0]?.form.token ?? '';
    const entered = { words: { reason: ['no'] }, files: {} };
    const of = { team: 'T1', person: idOf('dana'), entered };
    expect(await unit.confirmation.submit({ ...of, token })).toMatchObject({ kind: 'over' });
    expect(await unit.confirmation.submit({ ...of, token: 'of another form' })).toBeUndefined();
    expect((await unit.action()).state).toBe('waiting');
  });

  test('comes too late where it is over, or another question stands there by now', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    expect(await unit.deny('carol', 'no', () => unit.approve('dana'))).toBe('done');
    expect(unit.toldLast('carol')).toContain('This was already approved by U0DANA');
    await unit.ask('alice');
    const askedAnew = async () => {
      unit.session.owner = 'carla.jones';
      await unit.approve('dana');
    };
    expect(await unit.deny('carol', 'no', askedAnew)).toBe('waiting');
    expect(unit.toldLast('carol')).toContain('The question has changed since you were shown it');
  });

  test('comes too late when the form has lain open until the time was over', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    const over = () => {
      unit.clock.at += 10 * minute;
    };
    expect(await unit.deny('carol', 'no', over)).toBe('expired');
    expect(unit.toldLast('carol')).toContain('This card expired at');
  });

  test('hears when the form did not open', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    const { card = '' } = unit.card();
    const of = { team: 'T1', channel, person: idOf('carol'), button: 'deny', card } as const;
    // Without a trigger none can be opened.
    await unit.confirmation.press({ ...of, token: unit.token() });
    expect(unit.toldLast('carol')).toContain('Slack did not open the form. No changes were made.');
  });
});
