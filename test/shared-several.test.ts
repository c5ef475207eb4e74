import { expect, test } from 'vitest';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const from = Date.UTC(2026, 2, 31, 14, 0);
const link = 'rdp policy link member yuki.tanaka to 5';

async function withBranch() {
  const conversation = await withBob({ from, branches: 1 });
  const branch = conversation.branches.get('branch-2');
  if (branch === undefined) throw new Error('There is no branch');
  const on = () =>
    [conversation.appliance, branch].map((one) => one.state.rdp.policies.get(5)?.links.members.has(10));
  return { ...conversation, on };
}

test('what is on for less long on one of several appliances is wanted there, too, until the end that was asked for', async () => {
  const { type, press, pass, read, on } = await withBranch();
  await type(`/appliance ${link} --for 1h --on hq`, 'bob');
  await type(`/appliance ${link} --for 3h --on all`, 'dana');
  await press('Link', 'dana').catch(() => undefined);
  expect(on()).toEqual([true, true]);
  expect(read('dana')).toMatch(/until 15:00 by @bob with .*; now until 17:00\./);
  await pass(62 * minute);
  expect(on()).toEqual([true, true]);
  await pass(122 * minute);
  expect(on()).toEqual([false, false]);
});

test('what is on for longer on one of several appliances is left alone there', async () => {
  const { type, press, pass, on, bot } = await withBranch();
  await type(`/appliance ${link} --for 4h --on hq`, 'bob');
  await type(`/appliance ${link} --for 1h --on all`, 'dana');
  await press('Link', 'dana').catch(() => undefined);
  expect(await bot.journal.timedChanges()).toHaveLength(2);
  await pass(62 * minute);
  expect(on()).toEqual([true, false]);
});
