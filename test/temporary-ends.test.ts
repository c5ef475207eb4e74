import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Conversation } from './conversation.ts';
import { withBob } from './with-bob.ts';

const minute = 60_000;
const hour = 60 * minute;
const site = 'shop.example.net';
const add = `category add ${site} to 252`;

/** Somebody who has added a site for an hour. */
async function forAnHour(options: Parameters<typeof withBob>[0] = {}) {
  const house = await withBob(options);
  await house.ask(`${add} --for 1h`);
  const before = house.orders();
  return {
    ...house,
    isIn: () => house.category(252).live.has(site),
    /** The number of orders for its end, and of messages about it. */
    ends: () => ({
      orders: house.sent(/\/categories\/delete\//).length,
      told: house.read('bob').split('Ended and undone').length - 1,
    }),
    since: () => house.orders() - before,
  };
}

const contractorsOf = ({ state }: Conversation['appliance']) =>
  [...state.rdp.policies.values()].find(({ name }) => name === 'Contractors');

const once = { orders: 1, told: 1 };

/** Changes the policy file of a running bot. */
async function policyOf(
  { data, bot }: Pick<Conversation, 'data' | 'bot'>,
  change: (policy: string) => string,
): Promise<void> {
  const file = join(dirname(data), 'appliance-bot.yml');
  writeFileSync(file, change(readFileSync(file, 'utf8')));
  bot.reload();
  await bot.idle();
}

describe('a temporary change ends once, and is seen to have ended,', () => {
  test('when the clock jumps a day ahead', async () => {
    const { pass, isIn, ends, read } = await forAnHour();
    await pass(25 * hour);
    await pass(minute);
    expect([isIn(), ends()]).toEqual([false, once]);
    expect(read('bob')).toMatch(/planned until/);
  });

  test('when the clock jumps while the order for it is on its way', async () => {
    const { appliance, pass, sent, isIn, ends } = await forAnHour();
    appliance.faults.set('GET /categories/delete/{id}/{site}', { kind: 'slow', ms: 1_500 });
    const ended = pass(61 * minute);
    await expect.poll(() => sent(/\/categories\/delete\//).length).toBe(1);
    await pass(25 * hour);
    await ended;
    expect([isIn(), ends()]).toEqual([false, once]);
  });

  test('when the bot dies with the order on its way, and looks before it has arrived', async () => {
    let arrives = () => {};
    const sleep = async () => arrives();
    const { bot, category, wait, pass, restart, isIn, ends } = await forAnHour({ world: { sleep } });
    wait(61 * minute);
    const [row] = await bot.journal.claimEnds();
    expect(await bot.journal.orderTimedEnd(row?.id ?? 0)).toBe(true);
    arrives = () => {
      category(252).sites.delete(site);
      category(252).live = new Set(category(252).sites.keys());
    };
    await restart();
    await pass(minute);
    expect([isIn(), ends()]).toEqual([false, { orders: 0, told: 1 }]);
  });

  test('when the clock is set back an hour right before its end', async () => {
    const { pass, isIn, ends } = await forAnHour();
    await pass(58 * minute);
    await pass(-hour);
    expect(isIn()).toBe(true);
    await pass(30 * minute);
    expect(isIn()).toBe(true);
    await pass(40 * minute);
    await pass(minute);
    expect([isIn(), ends()]).toEqual([false, once]);
    await pass(2 * hour);
    expect(ends()).toEqual(once);
  });

  test('when Slack is away at its end', async () => {
    const { pass, isIn, ends, workspace } = await forAnHour();
    for (const call of ['chat.postMessage', 'chat.update', 'chat.postEphemeral', 'conversations.open'])
      workspace.faults.next(call, { kind: 'error', error: 'internal_error' }, 10_000);
    await pass(62 * minute);
    await pass(5 * minute);
    expect([isIn(), ends().told]).toEqual([false, 0]);
    workspace.faults.clear();
    for (const minutes of [1, 5, 10]) await pass(minutes * minute);
    expect(ends()).toEqual(once);
  });

  test('when the bot is down at its end, and when it is started again right then', async () => {
    const { pass, isIn, ends, restart, wait } = await forAnHour();
    await restart(async () => wait(hour));
    await restart();
    await pass(minute);
    expect([isIn(), ends()]).toEqual([false, once]);
  });

  test('when its channel is archived meanwhile: the requester hears it in person', async () => {
    const { pass, isIn, read, workspace } = await forAnHour();
    workspace.faults.next('chat.postMessage', { kind: 'error', error: 'is_archived' }, 3);
    workspace.faults.next('chat.update', { kind: 'error', error: 'is_archived' }, 3);
    await pass(56 * minute);
    await pass(6 * minute);
    await pass(2 * minute);
    expect(isIn()).toBe(false);
    expect(`${read('bob')}${read('bob', 'appliance-bot')}`).toContain('Ended and undone');
  });

  test('on each of several appliances by itself, also where one fails', async () => {
    const { type, press, pass, read, appliance, branches, bot } = await withBob({ branches: 1 });
    await type('/appliance rdp policy disable Contractors --on hq,branch-2 --for 1h', 'dana');
    await press('Disable', 'dana');
    const branch = branches.get('branch-2');
    const isOn = () => [appliance, branch].map((one) => one && contractorsOf(one)?.enabled === 1);
    expect(isOn()).toEqual([false, false]);
    branch?.faults.set('POST /rdpproxy/policies/{id}/enable', { kind: 'refuse', times: 2 });
    await pass(61 * minute);
    expect(isOn()).toEqual([true, false]);
    expect(read('dana')).toContain('This was temporary and couldn’t be undone on branch-2');
    expect(read('dana')).toMatch(/Ended and undone: .*, on hq\./);
    expect((await bot.journal.timedChanges()).map(({ appliance: name }) => name)).toEqual(['branch-2']);
    for (const minutes of [2, 5, 10]) await pass(minutes * minute);
    expect(isOn()).toEqual([true, true]);
    expect(read('dana').match(/Ended and undone/g)).toHaveLength(2);
    expect(await bot.journal.timedChanges()).toEqual([]);
  });
});

describe('a temporary change that is on', () => {
  test('is ended and extended only by people who could make it', async () => {
    const { press, read, bot } = await forAnHour();
    const [before] = await bot.journal.timedChanges();
    for (const label of ['Extend by 1 h', 'End now']) {
      await press(label, 'vic');
      expect(read('vic')).toMatch(/requires|may not|not allowed|can’t/i);
    }
    expect(await bot.journal.timedChanges()).toEqual([
      expect.objectContaining({ state: 'on', endsAt: before?.endsAt }),
    ]);
  });

  test('ends once when two press End now at the same moment', async () => {
    const { person, pass, ends, isIn } = await forAnHour();
    await Promise.all([
      person('bob').press('helpdesk', 'End now'),
      person('dana').press('helpdesk', 'End now'),
    ]);
    await pass(minute);
    expect([isIn(), ends()]).toEqual([false, once]);
    await pass(2 * hour);
    expect(ends()).toEqual(once);
  });

  test('is extended within a stricter new policy, which shortens nothing', async () => {
    const limits = { commands: [{ phrase: 'category add' }], by: 'approver', temporary: { longest: '4h' } };
    const house = await forAnHour({ policy: { approvals: [limits] } });
    const { click, pass, isIn, ends, press } = house;
    await policyOf(house, (policy) => policy.replace('longest: 4h', 'longest: 1h'));
    expect(await click('Extend by 1 h')).toContain('1 approval by approver');
    await pass(50 * minute);
    expect(isIn()).toBe(true);
    await pass(12 * minute);
    expect([isIn(), ends()]).toEqual([false, once]);
    // A later approval brings nothing back.
    expect(await press('Approve', 'carol').catch(String)).not.toContain('added to category shopping, until');
    expect(isIn()).toBe(false);
  });

  test('ends in time when its requester has left the company', async () => {
    const { pass, isIn, ends, workspace } = await forAnHour();
    workspace.faults.next('users.info', { kind: 'error', error: 'user_not_found' }, 1_000);
    await pass(2 * hour);
    await pass(minute);
    expect([isIn(), ends()]).toEqual([false, once]);
  });

  test('in a category that is deleted is put before people, and Keep ends it', async () => {
    const { pass, appliance, read, click, bot } = await forAnHour();
    appliance.state.categories.all.delete(252);
    await pass(62 * minute);
    expect(read('bob')).toContain('This was temporary and was not undone on hq');
    expect(read('bob')).toMatch(/252|shopping/);
    await click('Keep');
    await click('Keep');
    expect(await bot.journal.timedChanges(), read('bob')).toEqual([]);
  });

  test('on an appliance that leaves the configuration is reported again and again, until somebody decides', async () => {
    const house = await withBob({ branches: 1 });
    await house.type('/appliance rdp policy disable Contractors --on branch-2 --for 30m', 'dana');
    const file = join(dirname(house.data), 'appliance-bot.yml');
    const policy = readFileSync(file, 'utf8');
    await house.restart(async () => {
      writeFileSync(file, policy.replace(/^ {2}branch-2:\n(?: {4}.*\n)+/m, ''));
    });
    await house.pass(32 * minute);
    const told = house.read('dana');
    expect(told).toContain('This was temporary and couldn’t be undone on branch-2');
    expect(told).not.toContain('An internal error occurred');
    expect(await house.bot.journal.timedChanges()).toHaveLength(1);
  });
});

test('an end that cannot be is refused before anything is sent', async () => {
  const { ask, orders } = await withBob();
  for (const [end, words] of [
    ['--for 0', '--for takes a duration'],
    ['--for 59s', '--for takes a duration'],
    ['--for 90d1s', '--for takes a duration'],
    ['--for -2h', 'No changes were made'],
    ['--until 2020-01-01', 'is over already'],
    ['--until 2026-02-31', '--until takes a time'],
    ['--until 25:00', '--until takes a time'],
  ])
    expect(await ask(`${add} ${end}`), end).toContain(words);
  expect(orders()).toBe(0);
});

test('an end in the hour that a spring night leaves out is after it', async () => {
  const { type, bot } = await withBob({
    from: Date.parse('2026-03-28T20:00:00Z'),
    policy: { time_zone: 'Europe/Berlin' },
  });
  await type(`/appliance ${add} --until 2026-03-29T02:30`, 'bob');
  const [row] = await bot.journal.timedChanges();
  const at = new Date(row?.endsAt ?? 0).toISOString().slice(0, 16);
  expect(['2026-03-29T00:30', '2026-03-29T01:30', '2026-03-29T01:00']).toContain(at);
});

test('a change that somebody undid behind the bot’s back, and another person makes again for good, is no longer temporary', async () => {
  const { ask, type, pass, read, bot, appliance } = await withBob();
  await ask('acl object disable google_sni --for 30m');
  const object = appliance.state.acl.objects.get(3);
  Object.assign(object ?? {}, { enabled: true });
  await type('/appliance acl object disable google_sni', 'dana');
  await bot.idle();
  expect(await bot.journal.timedChanges()).toEqual([]);
  expect(read('bob')).toMatch(/No longer temporary: ACL object google_sni disabled[\s\S]*Ended {2}by @dana/);
  await pass(31 * minute);
  await pass(minute);
  expect(object?.enabled).toBe(false);
});
