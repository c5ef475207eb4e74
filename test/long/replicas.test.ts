import { expect, test } from 'vitest';
import { measureLosses } from '../../bench/losses.ts';
import { orders, replicas, times } from '../replicas.ts';

test('what a killed replica was at is read back and told by another one within 30 seconds, and what it left unsaid or lost is said once', async () => {
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
  // Nothing comes of this one: who may ask is not known yet.
  workspace.faults.next('users.info', { kind: 'hang' });
  await hastily('vic').type('helpdesk', '/appliance rdp sessions');
  await expect.poll(() => workspace.log.envelopes().at(-1)?.ackedAt).toBeDefined();
  await spawned.kill();
  const killed = performance.now();
  workspace.faults.clear();
  const told = 'The bot was stopped while this was in progress. A check showed that it did happen.';
  await expect.poll(() => read(), { timeout: 30_000, interval: 100 }).toContain(told);
  await expect.poll(() => read('bob'), { timeout: 30_000, interval: 100 }).toContain('is in 1 category');
  expect(performance.now() - killed).toBeLessThan(30_000);
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

test('three replicas, one of them killed every ten seconds for two minutes, lose nothing and do nothing twice', async () => {
  const rows = await measureLosses({
    ...{ wanted: 25, perSecond: 25, seconds: 120, killEvery: 10 },
    ...{ channels: 200, people: 40, branches: 3 },
  });
  const [, answered, ordered, over] = rows;
  // With all that was counted, so that whoever reads a failure sees what was lost or done twice.
  for (const row of [answered, ordered, over]) expect(row?.ratio, JSON.stringify(row)).toBe(1);
}, 600_000);
