import { expect, test } from 'vitest';
import { personIn } from '../sandbox/person.ts';
import { createLog } from '../src/telemetry/log.ts';
import { converse } from './conversation.ts';

const minute = 60_000;

test('while Slack does not know the app, the bot goes on: temporary changes end, and are reported when Slack is back', async () => {
  const house = await converse();
  const { type, press, read, pass, workspace, appliance } = house;
  await type('/appliance emergency enable --for 30m --reason "directory down"', 'bob');
  await press('Approve', 'carol');
  const calls = [
    ...['apps.connections.open', 'auth.test', 'users.info', 'usergroups.users.list', 'conversations.info'],
    ...['conversations.history', 'conversations.replies', 'conversations.list'],
    ...['chat.postMessage', 'chat.update', 'chat.postEphemeral'],
  ];
  for (const call of calls) workspace.faults.next(call, { kind: 'error', error: 'account_inactive' }, 10_000);
  workspace.sockets.drop();
  for (let minutes = 0; minutes < 35; minutes += 5) await pass(5 * minute);
  expect(appliance.state.directory.emergency).toBe(false);
  expect(read('bob')).toContain('🚨 Emergency mode on hq is on');
  workspace.faults.clear();
  await pass(5 * minute);
  expect(read('bob')).toContain('✅ Emergency mode on hq is over');
  expect(read('bob')).toMatch(/Ended {2}automatically at \d\d:\d\d/);
});

test('while Slack refuses the bot’s token, no order is taken, people are told, and the log says it once', async () => {
  const logged: string[] = [];
  const log = createLog('info', { write: (line) => void logged.push(line) });
  const { type, pass, workspace, appliance } = await converse({ world: { log } });
  for (const call of [
    'users.info',
    'usergroups.users.list',
    'conversations.info',
    'chat.postMessage',
    'chat.update',
    'chat.postEphemeral',
  ])
    workspace.faults.next(call, { kind: 'error', error: 'token_revoked' }, Number.POSITIVE_INFINITY);
  const before = appliance.requests.length;
  expect(await type('/appliance acl object disable google_sni', 'bob')).toMatch(
    /token_revoked.*No changes were made|Couldn’t find out from Slack who you are/s,
  );
  await pass(10 * minute);
  expect(await type('/appliance acl object disable google_sni', 'bob')).toContain(
    'Couldn’t find out from Slack who you are',
  );
  expect(appliance.requests.slice(before).filter(({ path }) => path.includes('disable'))).toEqual([]);
  const told = () => logged.filter((line) => line.includes('SLACK_BOT_TOKEN'));
  expect(told()).toEqual([expect.stringMatching(/"level":"error".*token_revoked.*no longer accepts/)]);
  workspace.faults.clear();
  await pass(10 * minute);
  expect(await type('/appliance acl object disable google_sni', 'bob')).toContain(
    '✅ ACL object google_sni disabled',
  );
  expect(told()).toHaveLength(2);
});

test('while Slack limits a channel, waiting people are told for how long, the log says it, and another channel is not held up', async () => {
  const logged: string[] = [];
  const log = createLog('warn', { write: (line) => void logged.push(line) });
  let over = () => {};
  const held = new Promise<void>((resolve) => {
    over = resolve;
  });
  const { read, workspace, bot } = await converse({
    world: { log, sleep: async (milliseconds) => (milliseconds >= 20_000 ? held : undefined) },
  });
  workspace.faults.next('chat.postMessage', { kind: 'rate_limited', retryAfter: 20 });
  const hastily = (name: string) => personIn(workspace, { idle: async () => undefined }, name);
  await hastily('alice').type('helpdesk', '/appliance categorize example.com');
  await expect
    .poll(() => read('alice'))
    .toContain('Slack limits how fast messages are posted here. Your answer follows in about 20 seconds.');
  expect(logged.join('')).toMatch(/"seconds":20,"msg":"Slack limits messages to a channel/);
  await hastily('bob').type('incident', '/appliance whoami');
  await expect.poll(() => read('bob', 'incident')).toContain('@bob has the');
  over();
  await bot.idle();
  expect(read('alice')).toContain('example.com is in');
});
