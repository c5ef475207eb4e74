import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { converse } from './conversation.ts';

const bot = 'U0THEAPP01';

/** A channel without the bot. */
const without = (id: string, name: string) => ({ id, name, botIsMember: false });

test('an admin is told the missing steps once, at the first start', async () => {
  const house = await converse({
    workspace: { channels: [{ id: 'C0HELPDESK', name: 'helpdesk' }, without('C0INCIDENT', 'incident')] },
  });
  const told = house.read('dana', 'appliance-bot');
  expect(told).toContain('Appliance Bot is running for the first time. Still missing:');
  expect(told).toContain('The bot is not in #incident: /invite @appliance-bot there.');
  expect(told).not.toContain('not in #helpdesk');
  await house.restart();
  expect(house.read('dana', 'appliance-bot')).toBe(told);
  expect(house.read('alice', 'appliance-bot')).not.toContain('missing');
});

test('a complete setup sends nobody first steps', async () => {
  const house = await converse();
  expect(house.read('dana', 'appliance-bot')).toBe('');
});

test('the bot introduces itself once in a channel that it is invited into', async () => {
  const house = await converse({
    workspace: { channels: [without('C0HELPDESK', 'helpdesk'), { id: 'C0INCIDENT', name: 'incident' }] },
  });
  await house.workspace.act({ act: 'invite', as: 'U0DANA0001', channel: 'C0HELPDESK', user: bot });
  await expect.poll(() => house.read()).toContain('Appliance Bot is ready in this channel, for hq.');
  await house.workspace.redeliver(undefined, 'new');
  await house.bot.idle();
  expect(house.read().split('is ready in this channel').length).toBe(2);
  // The bot does not announce people who join.
  const before = house.read();
  await house.workspace.act({ act: 'remove', as: 'U0DANA0001', channel: 'C0HELPDESK', user: 'U0VIC00001' });
  await house.workspace.act({ act: 'invite', as: 'U0DANA0001', channel: 'C0HELPDESK', user: 'U0VIC00001' });
  await house.bot.idle();
  expect(house.read().split('is ready in this channel').length).toBe(
    before.split('is ready in this channel').length,
  );
});

test('the bot says what an admin has to do in a channel that is not in the policy', async () => {
  const house = await converse({
    workspace: { channels: [{ id: 'C0HELPDESK', name: 'helpdesk' }, without('C0LOUNGE01', 'lounge')] },
  });
  await house.workspace.act({ act: 'invite', as: 'U0DANA0001', channel: 'C0LOUNGE01', user: bot });
  await expect.poll(() => house.read('alice', 'lounge')).toContain('isn’t enabled in this channel yet');
  expect(house.read('alice', 'lounge')).toContain('C0LOUNGE01:');
});

test('a bot that is invited again says nothing, unless the policy says something else by then', async () => {
  const house = await converse({
    workspace: {
      channels: [{ id: 'C0HELPDESK', name: 'helpdesk' }, without('C0LOUNGE01', 'lounge')],
    },
  });
  const introductions = (what: string) => house.read('alice', 'lounge').split(what).length - 1;
  const invite = async () => {
    const act = { as: 'U0DANA0001', channel: 'C0LOUNGE01', user: bot };
    await house.workspace.act({ act: 'remove', ...act });
    await house.workspace.act({ act: 'invite', ...act });
    await expect
      .poll(() => house.workspace.log.envelopes().every(({ ackedAt }) => ackedAt !== undefined))
      .toBe(true);
    await house.bot.idle();
  };
  await invite();
  expect(introductions('isn’t enabled in this channel yet')).toBe(1);
  await invite();
  // The bot reads the channel to know whether it has introduced itself.
  house.wait(40 * 24 * 60 * 60_000);
  await house.pass(2_000);
  await house.restart();
  await invite();
  expect(introductions('isn’t enabled in this channel yet')).toBe(1);
  const file = join(dirname(house.data), 'appliance-bot.yml');
  const policy = readFileSync(file, 'utf8');
  const lounge = '  C0LOUNGE01: { appliance: hq, roles: { viewer: everyone } }\n';
  for (const text of [policy.replace('channels:\n', `channels:\n${lounge}`), policy]) {
    writeFileSync(file, text);
    house.bot.reload();
    await house.bot.idle();
    await invite();
  }
  expect(introductions('is ready in this channel')).toBe(1);
  expect(introductions('isn’t enabled in this channel yet')).toBe(2);
});

test('a bot that may not read its own messages introduces itself once a day at most', async () => {
  const house = await converse({
    workspace: { channels: [without('C0HELPDESK', 'helpdesk'), { id: 'C0INCIDENT', name: 'incident' }] },
  });
  const act = { as: 'U0DANA0001', channel: 'C0HELPDESK', user: bot };
  for (let count = 0; count < 2; count += 1) {
    house.workspace.faults.next('conversations.history', { kind: 'error', error: 'missing_scope' }, 4);
    await house.workspace.act({ act: 'remove', ...act });
    await house.workspace.act({ act: 'invite', ...act });
    await expect.poll(() => house.read()).toContain('is ready in this channel');
    await house.bot.idle();
  }
  expect(house.read().split('is ready in this channel')).toHaveLength(2);
});
