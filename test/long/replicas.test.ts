import { expect, test } from 'vitest';
import { measureLosses } from '../../bench/losses.ts';
import { orders, replicas, times } from '../replicas.ts';
import { sized } from '../size.ts';
import { steadyNow } from '../steady-clock.ts';

test('an action of a killed replica is read back and reported by another one within 30 seconds, and lost answers are sent once', async () => {
  const house = await replicas(1);
  const { spawnBot, workspace, appliance, hastily, read, bot } = house;
  const spawned = await spawnBot(1);
  workspace.sockets.prefer(spawned.connection);
  await hastily('alice').type('helpdesk', '/appliance rdp disconnect 12');
  await expect.poll(() => read()).toContain('[Disconnect]');
  appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 3_000 });
  await hastily('alice').press('helpdesk', 'Disconnect');
  await expect.poll(() => orders(house)).toHaveLength(1);
  workspace.faults.next('chat.postMessage', { kind: 'hang' });
  await hastily('bob').type('helpdesk', '/appliance categorize example.com');
  const isAnswered = async () => (await bot.journal.unsent()).some(({ kind }) => kind === 'answer');
  await expect.poll(isAnswered).toBe(true);
  // This line stays unanswered: the lookup of its author hangs.
  workspace.faults.next('users.info', { kind: 'hang' });
  await hastily('vic').type('helpdesk', '/appliance rdp sessions');
  await expect.poll(() => workspace.log.envelopes().at(-1)?.ackedAt).toBeDefined();
  await spawned.kill();
  const killed = steadyNow();
  workspace.faults.clear();
  const told = 'The bot was stopped while this was in progress. A check showed that it did happen.';
  await expect.poll(() => read(), { timeout: 60_000, interval: 100 }).toContain(told);
  await expect.poll(() => read('bob'), { timeout: 60_000, interval: 100 }).toContain('is in 1 category');
  expect(steadyNow() - killed).toBeLessThan(30_000);
  await bot.idle();
  expect(times(told, read())).toBe(1);
  expect(times('is in 1 category', read('bob'))).toBe(1);
  const lost = 'The bot was stopped right after you typed something here';
  expect(times(lost, read('vic')), 'what was lost is told').toBe(1);
  expect(read('bob'), 'what was not lost is not').not.toContain(lost);
  expect(read()).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  expect(orders(house)).toHaveLength(1);
  expect(await bot.journal.unsent()).toEqual([]);
  expect(await bot.journal.alive()).toHaveLength(1);
});

const seconds = sized(20, 60, 120);

test(`three replicas, one of them killed every ten seconds for ${seconds} seconds, lose nothing and do nothing twice`, async () => {
  const rows = await measureLosses({
    ...{ wanted: 25, perSecond: 25, seconds, killEvery: 10 },
    ...{ channels: 200, people: 40, branches: 3 },
  });
  const [, answered, ordered, over] = rows;
  // The message has all counts, so that a failure shows the lost or double work.
  for (const row of [answered, ordered, over]) expect(row?.ratio, JSON.stringify(row)).toBe(1);
}, 600_000);
