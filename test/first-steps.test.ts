import { expect, test } from 'vitest';
import { converse } from './conversation.ts';

const bot = 'U0APPLIANC';

/** A channel without the bot. */
const without = (id: string, name: string) => ({ id, name, botIsMember: false });

test('an admin is told at the first start what is still missing, once', async () => {
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

test('where nothing is missing, nobody is told anything', async () => {
  const house = await converse();
  expect(house.read('dana', 'appliance-bot')).toBe('');
});

test('the bot says once what it can do in a channel that it is invited into', async () => {
  const house = await converse({
    workspace: { channels: [without('C0HELPDESK', 'helpdesk'), { id: 'C0INCIDENT', name: 'incident' }] },
  });
  await house.workspace.act({ act: 'invite', as: 'U0DANA0001', channel: 'C0HELPDESK', user: bot });
  await expect.poll(() => house.read()).toContain('Appliance Bot is ready in this channel, for hq.');
  await house.workspace.redeliver(undefined, 'new');
  await house.bot.idle();
  expect(house.read().split('is ready in this channel').length).toBe(2);
  // Of people who come nothing is said.
  const before = house.read();
  await house.workspace.act({ act: 'remove', as: 'U0DANA0001', channel: 'C0HELPDESK', user: 'U0VIC00001' });
  await house.workspace.act({ act: 'invite', as: 'U0DANA0001', channel: 'C0HELPDESK', user: 'U0VIC00001' });
  await house.bot.idle();
  expect(house.read().split('is ready in this channel').length).toBe(
    before.split('is ready in this channel').length,
  );
});

test('in a channel that is not in the policy it says what an admin has to do', async () => {
  const house = await converse({
    workspace: { channels: [{ id: 'C0HELPDESK', name: 'helpdesk' }, without('C0LOUNGE01', 'lounge')] },
  });
  await house.workspace.act({ act: 'invite', as: 'U0DANA0001', channel: 'C0LOUNGE01', user: bot });
  await expect.poll(() => house.read('alice', 'lounge')).toContain('isn’t enabled in this channel yet');
  expect(house.read('alice', 'lounge')).toContain('C0LOUNGE01:');
});
