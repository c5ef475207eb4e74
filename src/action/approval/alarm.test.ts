import { expect, test } from 'vitest';
import { everybody, idOf, minute, rule } from '../../../test/approval-policy.ts';
import { approvalUnit } from '../../../test/approval-unit.ts';
import { plainText } from '../../handlers/reply.ts';

const emergency = { longest: 240 * minute, breakGlass: 'operator' };
const breakGlass = true;
const words =
  "🚨 U0BOB used break-glass in C0HELPDESK and runs session drop 12 on hq now, without anybody's approval.";

test('everybody who could have approved it hears in person that the glass is broken, when it runs and not before', async () => {
  const lists = { ...everybody, approver: ['bob', 'carol', 'S0APPROVER'] };
  const unit = await approvalUnit({
    rules: [rule({ by: ['approver', 'admin'] })],
    lists,
    more: { emergency },
  });
  unit.people.fill('S0APPROVER', [idOf('dana'), idOf('carol')]);
  await unit.ask('bob', { breakGlass });
  expect(unit.seen.notes).toEqual([]);
  await unit.press('bob', 'confirm');
  expect(unit.seen.notes.map(({ person }) => person).toSorted()).toEqual(['carol', 'dana', 'root'].map(idOf));
  for (const { said } of unit.seen.notes) expect(plainText(said.headline)).toContain(words);
});

test('in an hour in which nobody could approve it they hear of it all the same', async () => {
  const always = [{ days: [0, 1, 2, 3, 4, 5, 6], from: 0, to: 24 * 60 }];
  const unit = await approvalUnit({ rules: [rule({ notPossible: always })], more: { emergency } });
  await unit.ask('bob', { breakGlass });
  await unit.press('bob', 'confirm');
  expect(unit.seen.notes.map(({ person }) => person)).toEqual(['carol', 'dana', 'erin'].map(idOf));
});

test('nobody is alarmed by what was approved, by what needs no approval, and by what is not run', async () => {
  const unit = await approvalUnit({ more: { emergency } });
  await unit.ask('bob');
  await unit.approve('carol');
  unit.change({ rules: [] });
  await unit.ask('bob', { breakGlass });
  await unit.press('bob', 'confirm');
  expect(unit.ran).toHaveLength(2);
  unit.change({ rules: [rule()] });
  await unit.ask('bob', { breakGlass });
  unit.session.owner = undefined;
  expect(await unit.press('bob', 'confirm')).toBe('cancelled');
  expect(unit.seen.notes).toEqual([]);
});
