import { expect, test } from 'vitest';
import { converse } from './conversation.ts';

const minute = 60_000;

test('while Slack knows the app no more, the bot goes on: what is on for a time ends, and is told when Slack is back', async () => {
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
  expect(read('bob')).toContain('🚨 Emergency mode ON on hq');
  workspace.faults.clear();
  await pass(5 * minute);
  expect(read('bob')).toContain('✅ Emergency mode on hq is over');
  expect(read('bob')).toMatch(/Ended {2}by myself at \d\d:\d\d/);
});
