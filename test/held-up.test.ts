import { expect, test } from 'vitest';
import { converse } from './conversation.ts';

test('an answer that Slack took late says when the appliance was read', async () => {
  const { type, pass, read, workspace } = await converse();
  expect(await type('/appliance pending', 'bob')).not.toContain('before this was posted');
  workspace.faults.next('chat.postMessage', { kind: 'rate_limited', retryAfter: 80 });
  await type('/appliance acl objects', 'bob');
  await pass(90_000);
  expect(read('bob')).toMatch(/Read at .*, 1 min(?: \d+ s)? before this was posted\./);
});
