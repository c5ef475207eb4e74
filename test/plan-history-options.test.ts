import { expect, test } from 'vitest';
import { under } from './approving.ts';
import { withBob } from './planning-lines.ts';

const noon = Date.UTC(2026, 2, 3, 12, 0);

/** What takes a site out needs an approval with a reason. */
const wanting = () =>
  withBob(
    under(
      {
        tickets: { pattern: '^CHG-[0-9]+$', example: 'CHG-1' },
        windows: { night: ['Mon-Sun 22:00-05:00'] },
        approvals: [{ commands: [{ phrase: 'category delete' }], by: 'approver', reason: true }],
      },
      {},
      noon,
    ),
  );
const history = 'plan from history 1h --undo';

test('a plan from history takes a reason and a ticket for all of its lines, and says where a reason lacks', async () => {
  const { ask, press, isIn, bot } = await wanting();
  await ask('category add one.example.net to 252');
  expect(await ask(history)).toContain(
    'This needs a reason. No changes were made. Type it with one: /appliance plan from history 1h --undo --reason "what it is for".',
  );
  expect(await ask(`${history} --reason "wrong shop" --ticket chg-12`)).toMatch(
    /Undo 1 change on hq\?[\s\S]*Reason {2}wrong shop[\s\S]*1 approval by approver/,
  );
  expect(await press('Approve', 'carol')).toContain('Undone: 1 change');
  expect(isIn('one.example.net')).toBe(false);
  const [step] = (await bot.journal.recent(9)).filter(({ line }) => line.startsWith('category delete'));
  expect(step).toMatchObject({ ticket: 'CHG-12', state: 'done' });
});

test('a plan from history runs at its time or in its window, and says why it has no end and needs no dry run', async () => {
  const { ask, press, pass, isIn } = await wanting();
  await ask('category add one.example.net to 252');
  expect(await ask(`${history} --for 2h`)).toContain(
    '--for is not for what takes changes back or goes on with a plan. Leave it out: what is taken back stays so',
  );
  expect(await ask(`${history} --until 18:00`)).toContain('--until is not for what takes changes back');
  expect(await ask(`${history} --dry-run`)).toContain('--dry-run is not needed for a plan');
  expect(await ask(`${history} --window night --reason "wrong shop"`)).toMatch(/Runs {2}.*22:00/);
  await press('Withdraw', 'bob');
  await ask(`${history} --at 22:00 --reason "wrong shop"`);
  expect(await press('Approve', 'carol')).toContain('Planned for today 22:00: Undo 1 change on hq');
  expect(isIn('one.example.net')).toBe(true);
  await pass(10 * 60 * 60_000 + 5_000);
  expect(isIn('one.example.net')).toBe(false);
});

test('a plan is rolled back for the reason that its lines were run for, or for another one that is given', async () => {
  const { plan, click, ask, press, planned, isIn } = await wanting();
  await plan(
    'category add one.example.net to 252 --reason "new shop"',
    'category add two.example.net to 252',
  );
  await click('Run plan');
  const line = `plan rollback ${await planned()}`;
  expect(await ask(`${line} --reason "wrong shop"`)).toMatch(
    /Roll back 2 lines on hq\?[\s\S]*Reason {2}wrong shop/,
  );
  await press('Approve', 'carol');
  expect([isIn('one.example.net'), isIn('two.example.net')]).toEqual([false, false]);
});

test('without a reason of its own, a plan is rolled back for that of its lines', async () => {
  const { plan, click, ask, press, planned, isIn } = await wanting();
  await plan('--reason "new shop"', 'category add one.example.net to 252');
  await click('Run plan');
  expect(await ask(`plan rollback ${await planned()}`)).toMatch(
    /Roll back 1 line on hq\?[\s\S]*Reason {2}new shop/,
  );
  await press('Approve', 'carol');
  expect(isIn('one.example.net')).toBe(false);
});
