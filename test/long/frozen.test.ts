import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { orders, replicas, times } from '../replicas.ts';

const disconnect = 'POST /rdpproxy/sessions/{id}/disconnect';
/** A replica is missed after twelve seconds, and looked for every two. */
const evicted = { timeout: 20_000, interval: 100 };

/** One replica in this process, and one in a process of its own, which can be stopped and goes on later. */
async function two() {
  const house = await replicas(1);
  const other = await house.spawnBot(1);
  return { ...house, other, atOther: () => house.workspace.sockets.prefer(other.connection) };
}

const paths = (house: Parameters<typeof orders>[0]) => orders(house).map(({ path }) => path);

describe('a replica that is frozen', () => {
  test('in the middle of an order keeps nobody from the appliance for longer than it takes to miss it, and says nothing else of its order when it wakes', async () => {
    const house = await two();
    const { atOther, at, other, hastily, read, appliance, bot } = house;
    atOther();
    await hastily('alice').type('helpdesk', '/appliance rdp disconnect 12');
    await expect.poll(() => read()).toContain('Disconnect session 12');
    appliance.faults.set(disconnect, { kind: 'slow', ms: 2_000, times: 1 });
    await hastily('alice').press('helpdesk', 'Disconnect');
    await expect.poll(() => orders(house)).toHaveLength(1);
    other.freeze();
    at(0);
    await hastily('bob').type('helpdesk', '/appliance rdp disconnect 14');
    await expect.poll(() => read('bob')).toContain('Disconnect session 14');
    await hastily('bob').press('helpdesk', 'Disconnect');
    await expect.poll(() => orders(house), evicted).toHaveLength(2);
    await expect.poll(() => read('bob')).toContain('✅ Session 14 of yuki.tanaka on srv-cad-03 disconnected');
    await expect.poll(() => read('bob')).toContain('14 is gone');
    const told = 'The bot was stopped while this was in progress. A check showed that it did happen.';
    await expect.poll(() => read()).toContain(told);
    // What it still has to say of that is said.
    await bot.idle();
    const before = read();
    other.wake();
    await sleep(4_000);
    await bot.idle();
    expect(read()).toBe(before);
    expect(orders(house)).toHaveLength(2);
    // It is one of them again.
    atOther();
    await hastily('bob').type('helpdesk', '/appliance categorize example.com');
    await expect.poll(() => read('bob')).toContain('is in 1 category');
  }, 60_000);

  test('between its intent and its order sends none when it wakes, and says so', async () => {
    const house = await two();
    const { atOther, at, other, hastily, read, appliance, bot } = house;
    atOther();
    await hastily('alice').type('helpdesk', '/appliance rdp disconnect 12');
    await expect.poll(() => read()).toContain('Disconnect session 12');
    // Another one is at the appliance, so that it has to wait after it has written down what it is about to do.
    at(0);
    await hastily('bob').type('helpdesk', '/appliance rdp disconnect 14');
    await expect.poll(() => read('bob')).toContain('Disconnect session 14');
    appliance.faults.set(disconnect, { kind: 'slow', ms: 6_000, times: 1 });
    await hastily('bob').press('helpdesk', 'Disconnect');
    await expect.poll(() => orders(house)).toHaveLength(1);
    atOther();
    await hastily('alice').press('helpdesk', 'Disconnect');
    const running = async () =>
      (await bot.journal.recent()).filter(({ state }) => state === 'running').length;
    await expect.poll(running).toBe(2);
    other.freeze();
    const unsure = 'The bot was stopped while this was in progress. It has not happened so far';
    await expect.poll(() => read(), evicted).toContain(unsure);
    other.wake();
    // Which of the two it notices first, its lost lock or its ended connection, is chance.
    await expect
      .poll(() => read(), { timeout: 10_000 })
      .toMatch(
        /Another replica of the bot took this over|This was not sent: the journal’s database does not answer/,
      );
    await sleep(2_000);
    expect(paths(house).filter((path) => path.includes('/12/'))).toEqual([]);
    // The card is set right, and that is told, for somebody may have acted on what stood there.
    expect(read()).toContain('❌ Disconnecting session 12 of bob.miller on srv-files-01 failed');
    expect(read()).not.toContain(unsure);
    expect(times('was not sent', read())).toBe(1);
    expect((await bot.journal.recent()).filter(({ state }) => state === 'running')).toEqual([]);
  }, 60_000);

  test('between two orders of one change does not send the second when it wakes', async () => {
    const house = await two();
    const { atOther, other, hastily, read, appliance, bot } = house;
    const added = () => appliance.requests.filter(({ method }) => method === 'PUT');
    atOther();
    appliance.faults.set('PUT /proxy/acls/record/add/{objectId}', { kind: 'slow', ms: 1_000 });
    await hastily('dana').type(
      'helpdesk',
      '/appliance acl record add 12 example.com, example.org --note "ticket 4711"',
    );
    await expect.poll(added).toHaveLength(1);
    other.freeze();
    await expect
      .poll(() => read('dana'), evicted)
      .toContain('The bot was stopped while this was in progress.');
    other.wake();
    await sleep(6_000);
    await bot.idle();
    expect(added()).toHaveLength(1);
    expect((await bot.journal.recent()).filter(({ state }) => state === 'running')).toEqual([]);
  }, 60_000);
});
