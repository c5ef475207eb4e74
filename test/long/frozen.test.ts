import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { orders, replicas, times } from '../replicas.ts';

const disconnect = 'POST /rdpproxy/sessions/{id}/disconnect';
/** A replica is missed after twelve seconds, and looked for every two, on a machine that has time for it. */
const evicted = { timeout: 60_000, interval: 100 };

/**
 * Does something, and does it again whenever its person reads that the database does not answer, as they are told to: on a slow
 * machine it may not for two seconds. Resolves when `seen` does not throw any more.
 */
async function insist(read: () => string, does: () => Promise<unknown>, seen: () => void): Promise<void> {
  const unanswered = () => times('Try again in a minute', read());
  let told = unanswered();
  await does();
  await expect
    .poll(async () => {
      if (unanswered() > told) {
        told = unanswered();
        await does();
      }
      seen();
    })
    .toBeUndefined();
}

// `before-order.test.ts` freezes one that has not sent its order yet.
test('a replica that is frozen in the middle of an order blocks the appliance for no longer than its eviction takes, and adds nothing about its order when it wakes', async () => {
  const house = await replicas(1);
  const { at, hastily, read, appliance, bot, workspace } = house;
  // In a process of its own.
  const other = await house.spawnBot(1);
  const atOther = () => workspace.sockets.prefer(other.connection);
  const disconnects = (name: string, session: number) =>
    insist(
      () => read(name),
      () => hastily(name).type('helpdesk', `/appliance rdp disconnect ${session}`),
      () => expect(read(name)).toContain(`Disconnect session ${session}`),
    );
  const confirms = (name: string, seen: () => void) =>
    insist(
      () => read(name),
      () => hastily(name).press('helpdesk', 'Disconnect'),
      seen,
    );
  atOther();
  await disconnects('alice', 12);
  appliance.faults.set(disconnect, { kind: 'slow', ms: 2_000, times: 1 });
  await confirms('alice', () => expect(orders(house)).toHaveLength(1));
  other.freeze();
  at(0);
  await disconnects('bob', 14);
  await confirms('bob', () => expect(read('bob')).not.toContain('Disconnect session 14'));
  await expect.poll(() => orders(house), evicted).toHaveLength(2);
  await expect.poll(() => read('bob')).toContain('✅ Session 14 of yuki.tanaka on srv-cad-03 disconnected');
  await expect.poll(() => read('bob')).toContain('14 is gone');
  const told = 'The bot was stopped while this was in progress. A check showed that it did happen.';
  await expect.poll(() => read(), evicted).toContain(told);
  // The bot finishes its messages about it.
  await bot.idle();
  const before = read();
  other.wake();
  await sleep(4_000);
  await bot.idle();
  expect(read()).toBe(before);
  expect(orders(house)).toHaveLength(2);
  // The replica takes part again.
  atOther();
  await hastily('bob').type('helpdesk', '/appliance categorize example.com');
  await expect.poll(() => read('bob')).toContain('is in 1 category');
});
