import { describe, expect, test } from 'vitest';
import { everybody, idOf, minute, rule } from '../../../test/approval-policy.ts';
import { type ApprovalUnit, approvalUnit } from '../../../test/approval-unit.ts';
import { plainText } from '../../handlers/reply.ts';

describe('a card that waits for others', () => {
  test('is run by an approval one millisecond before its time is over, and by none from then on', async () => {
    const unit = await approvalUnit({ rules: [rule({ open: 10 * minute })] });
    await unit.ask('alice');
    unit.clock.at += 10 * minute - 1;
    expect(await unit.approve('carol')).toBe('done');
    await unit.ask('alice');
    const token = unit.token();
    unit.clock.at += 10 * minute;
    expect(await unit.approve('carol')).toBe('already');
    expect(await unit.action()).toMatchObject({ state: 'expired', outcome: { code: 'expired' } });
    expect(unit.toldLast('carol')).toMatch(/This card expired at .*, before it was approved/);
    expect(await unit.approve('dana', token)).toBe('already');
    expect(unit.ran).toHaveLength(1);
  });

  test('expires by the clock at its time and not before, and whoever asked is called', async () => {
    const unit = await approvalUnit({ rules: [rule({ open: 10 * minute, count: 2 })] });
    await unit.ask('alice');
    await unit.approve('carol');
    unit.clock.at += 10 * minute - 1;
    await unit.tick();
    expect((await unit.action()).state).toBe('waiting');
    unit.clock.at += 1;
    await unit.tick();
    expect((await unit.action()).state).toBe('expired');
    expect(unit.card().question).toBeUndefined();
    expect(unit.seen.thread.map(({ said }) => plainText(said.headline))).toEqual([
      'U0ALICE: Nobody approved it in time, so no changes were made.',
    ]);
  });

  test('whose time is over while it is looked up who clicked is not run', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    unit.people.describe(idOf('carol'), {
      get human() {
        unit.clock.at += 10 * minute;
        return 'W0CAROL';
      },
    });
    expect(await unit.approve('carol')).toBe('already');
    expect((await unit.action()).state).toBe('expired');
    expect(unit.ran).toEqual([]);
  });

  test('opens no form to deny it when its time is over', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    unit.clock.at += 10 * minute;
    expect(await unit.deny('carol', 'no')).toBe('already');
    expect(unit.seen.forms).toEqual([]);
    expect((await unit.action()).state).toBe('expired');
  });

  test('is withdrawn by whoever asked, and by nobody else', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    for (const who of ['carol', 'bob', 'root']) {
      expect(await unit.withdraw(who)).toBe('not_yours_to_withdraw');
    }
    expect(await unit.withdraw('alice')).toBe('cancelled');
    const { outcome, decidedBy } = await unit.action();
    expect([outcome, decidedBy]).toEqual([
      {
        code: 'cancelled',
        says: 'Withdrawn by U0ALICE. No changes were made.',
        named: [{ at: 13, kind: 'person', id: 'U0ALICE' }],
      },
      idOf('alice'),
    ]);
  });

  test('that is over says to every later click how it ended', async () => {
    const unit = await approvalUnit();
    const ends: readonly [() => Promise<string>, RegExp][] = [
      [() => unit.approve('carol'), /This was already approved by U0CAROL/],
      [() => unit.withdraw('alice'), /This was already withdrawn by U0ALICE/],
      [() => unit.deny('carol', 'no'), /This was already denied by U0CAROL/],
    ];
    for (const [end, says] of ends) {
      await unit.ask('alice');
      const token = unit.token();
      await end();
      expect(await unit.approve('dana', token)).toBe('already');
      expect(unit.toldLast('dana')).toMatch(says);
      expect(await unit.press('alice', 'cancel', token)).toBe('already');
    }
    expect(unit.ran).toHaveLength(1);
  });

  test('takes no button of another card, of another channel, or of one that it does not know', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    expect(await unit.press('alice', 'confirm')).toBe('card_gone');
    expect(await unit.approve('carol', 'made up')).toBe('card_gone');
    const of = { team: 'T1', person: idOf('carol'), button: 'approve', card: '1' } as const;
    await unit.confirmation.press({ ...of, channel: 'C0ELSEWHERE', token: unit.token() });
    expect(await unit.approvers()).toEqual([]);
    expect((await unit.action()).state).toBe('waiting');
  });

  test('is not posted where the chat does not take it, and waits for nobody then', async () => {
    const unit = await approvalUnit();
    unit.shut.add('channel');
    expect(await unit.ask('alice')).toBe('cancelled');
    expect(unit.toldLast('alice')).toMatch(/^This channel is archived\. .*No changes were made\. /);
  });
});

describe('a card that waits for whoever asked', () => {
  test('is run by their click alone, for five minutes', async () => {
    const unit = await approvalUnit({ rules: [] });
    await unit.ask('alice');
    expect(await unit.press('bob', 'confirm')).toBe('not_yours');
    expect(await unit.approve('carol')).toBe('card_gone');
    unit.clock.at += 5 * minute - 1;
    expect(await unit.press('alice', 'confirm')).toBe('done');
    await unit.ask('alice');
    unit.clock.at += 5 * minute;
    expect(await unit.press('alice', 'confirm')).toBe('already');
    expect((await unit.action()).state).toBe('expired');
    expect(unit.ran).toHaveLength(1);
  });

  test('is cancelled by nobody else', async () => {
    const unit = await approvalUnit({ rules: [] });
    await unit.ask('alice');
    expect(await unit.withdraw('root')).toBe('not_yours');
    expect(await unit.withdraw('alice')).toBe('cancelled');
    expect((await unit.action()).outcome?.says).toBe('Canceled by U0ALICE. No changes were made.');
  });
});

describe('of two clicks at the same moment', () => {
  test('on Approve one runs it, and the other hears who was first', async () => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    const comes = await Promise.all([unit.approve('carol'), unit.approve('dana')]);
    expect(comes.toSorted()).toEqual(['already', 'done']);
    expect(unit.ran).toHaveLength(1);
    const { decidedBy } = await unit.action();
    const late = decidedBy === idOf('carol') ? 'dana' : 'carol';
    expect(unit.toldLast(late)).toContain(`This was already approved by ${decidedBy}`);
  });

  test('which are both needed the second runs it, once', async () => {
    const unit = await approvalUnit({ rules: [rule({ count: 2 })] });
    await unit.ask('alice');
    await Promise.all([unit.approve('carol'), unit.approve('dana')]);
    expect((await unit.action()).state).toBe('done');
    expect(unit.ran).toHaveLength(1);
  });

  test('by the same person, twenty times, counts one', async () => {
    const unit = await approvalUnit({ rules: [rule({ count: 2 })] });
    await unit.ask('alice');
    await Promise.all(Array.from({ length: 20 }, () => unit.approve('carol')));
    expect(await unit.approvers()).toEqual(['carol']);
    expect(unit.ran).toEqual([]);
  });

  test.each([
    ['a withdrawal', (unit: ApprovalUnit) => unit.withdraw('alice')],
    ['a denial', (unit: ApprovalUnit) => unit.deny('dana', 'no')],
  ])('an approval and %s it takes one, and never both', async (_, other) => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    await Promise.all([unit.approve('carol'), other(unit)]);
    const { state } = await unit.action();
    expect([state, unit.ran.length]).toEqual(unit.ran.length === 1 ? ['done', 1] : ['cancelled', 0]);
  });
});

test('a look-up that waits is answered in its card by the last approval, in the name of whoever asked', async () => {
  const rules = [rule({ commands: [{ phrase: 'session list' }], count: 2, by: ['approver', 'admin'] })];
  const unit = await approvalUnit({ rules });
  expect(await unit.ask('alice', { look: true })).toBe('waiting');
  expect(plainText(unit.card().headline)).toBe('Look this up for U0ALICE: session list?');
  expect(await unit.withdraw('carol')).toBe('not_yours_to_withdraw');
  expect(await unit.approve('carol')).toBe('waiting');
  expect(await unit.approve('alice')).toBe('own_request');
  expect(await unit.approve('root')).toBe('done');
  expect(plainText(unit.card().headline)).toBe('One session, of bob.miller');
  expect(unit.seen.thread.map(({ said }) => plainText(said.headline))).toEqual([
    'U0CAROL and U0ROOT approved this for U0ALICE.',
  ]);
  expect(await unit.action()).toMatchObject({ person: idOf('alice'), decidedBy: idOf('root') });
});

test('a look-up that nobody approves is never answered', async () => {
  const rules = [rule({ commands: [{ phrase: 'session list' }] })];
  const unit = await approvalUnit({ rules, lists: { ...everybody, approver: ['carol'] } });
  await unit.ask('alice', { look: true });
  unit.change({ lists: { ...everybody, helpdesk: [] } });
  expect(await unit.approve('carol')).toBe('asker_denied');
  unit.clock.at += 10 * minute;
  await unit.tick();
  expect((await unit.action()).state).toBe('expired');
  expect(plainText(unit.card().headline)).toBe(
    'Not done: Look this up for U0ALICE: session list. Nobody approved it in time, so no changes were made.',
  );
});

test('a click that does nothing has a record of its own where whoever pressed may not press there, and no other', async () => {
  const unit = await approvalUnit();
  const ownRecords = async () =>
    (await unit.journal.recent()).flatMap(({ interaction, person, outcome }) =>
      interaction === undefined ? [] : [[person, outcome?.code]],
    );
  await unit.ask('alice');
  const token = unit.token();
  expect(await unit.approve('vic')).toBe('not_an_approver');
  expect(await ownRecords()).toEqual([[idOf('vic'), 'not_an_approver']]);
  // Whoever asked may not any more: whoever approves it then may.
  unit.change({ lists: { ...everybody, helpdesk: [] } });
  expect(await unit.approve('carol')).toBe('asker_denied');
  unit.change({ lists: everybody });
  expect(await unit.withdraw('alice')).toBe('cancelled');
  expect(await unit.approve('carol', token)).toBe('already');
  expect(await ownRecords()).toHaveLength(1);
});

describe('a card of which the journal holds what nobody understands any more', () => {
  const [preview, consent] = [{ question: 'Drop session 12?' }, { needs: [] }];

  test.each([
    ['its preview', { preview }],
    ['whose yes it waits for', { consent }],
  ])('runs nothing whoever presses, and can be withdrawn: %s', async (_, broken) => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    await breakIt(unit, broken);
    expect(await unit.approve('carol')).toBe('card_gone');
    expect(await unit.deny('carol', 'no')).toBe('card_gone');
    expect(unit.ran).toEqual([]);
    expect(await unit.withdraw('alice')).toBe('cancelled');
  });

  test.each([
    ['its preview', { preview }],
    ['whose yes it waits for', { consent }],
  ])('expires like the others, and is recorded: %s', async (_, broken) => {
    const unit = await approvalUnit();
    await unit.ask('alice');
    await breakIt(unit, broken);
    const former = await unit.action();
    await unit.ask('alice');
    unit.clock.at += 60 * minute;
    await unit.tick();
    expect((await unit.action()).state).toBe('expired');
    expect((await unit.journal.byId(former.id))?.state).toBe('expired');
  });
});

/** As if somebody had edited the database, or a version that is not known yet had written there. */
async function breakIt({ journal, action }: ApprovalUnit, broken: object): Promise<void> {
  const waiting = await action();
  const approved = await journal.move(waiting, 'approved');
  if (approved === undefined) throw new Error('It waits');
  await journal.move(approved, 'waiting', { token: waiting.token ?? '', ...broken });
}
