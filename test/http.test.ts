import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { converse } from './conversation.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('over HTTP, with signed requests and no socket, the same lines get the same answers', async () => {
  const port = await freePort();
  const { type, press, workspace } = await converse({
    workspace: { requestUrl: `http://127.0.0.1:${port}/slack/events` },
    environment: { SLACK_APP_TOKEN: '', PORT: String(port), HOST: '127.0.0.1' },
  });
  expect(await type('/appliance categorize example.com')).toContain('example.com is in 1 category: shopping');
  await type('/appliance rdp disconnect 12');
  expect(await press('Disconnect')).toContain('✅ Session 12 is disconnected');
  expect(workspace.sockets.count).toBe(0);
});
