import { SocketModeClient } from '@slack/socket-mode';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { alice, client, connect, helpdesk, start } from './testing.ts';

const help = { act: 'type', as: alice, channel: helpdesk, text: '/appliance help' } as const;

test('the address of a socket works once', async () => {
  const workspace = await start();
  const { url = '' } = await client(workspace, workspace.appToken).apps.connections.open({});
  const open = () =>
    new Promise<string>((resolve) => {
      const socket = new WebSocket(url);
      onTestFinished(() => socket.terminate());
      socket.on('message', (data) => resolve(JSON.parse(String(data)).type));
      socket.on('error', (error) => resolve(error.message));
    });
  expect(await open()).toBe('hello');
  expect(await open()).toBe('Unexpected server response: 403');
});

test('after ten connections there is no eleventh', async () => {
  const workspace = await start();
  const web = client(workspace, workspace.appToken);
  for (let count = 1; count <= 10; count += 1) {
    const { url = '' } = await web.apps.connections.open({});
    const socket = new WebSocket(url);
    onTestFinished(() => socket.terminate());
    await new Promise((resolve) => socket.once('message', resolve));
  }
  await expect(web.apps.connections.open({})).rejects.toMatchObject({
    data: { error: 'too_many_websockets' },
  });
});

test('the SDK reconnects on request, and in between nobody gets commands', async () => {
  const workspace = await start();
  const socket = new SocketModeClient({
    appToken: workspace.appToken,
    clientPingTimeout: 1_000,
    clientOptions: { slackApiUrl: workspace.apiUrl },
  });
  socket.on('slash_commands', async ({ ack }: { ack: () => Promise<void> }) => ack());
  await socket.start();
  onTestFinished(() => socket.disconnect());
  const [before] = workspace.sockets.ids;
  expect(await workspace.act(help)).toEqual({ ok: true });
  workspace.sockets.disconnect('refresh_requested');
  expect(await workspace.act(help)).toMatchObject({ ok: false });
  await expect.poll(() => workspace.sockets.ids).toEqual([expect.not.stringMatching(before ?? '-')]);
  expect(await workspace.act(help)).toEqual({ ok: true });
  expect(workspace.log.envelopes().map(({ connection }) => connection)).toEqual([
    before,
    '',
    workspace.sockets.ids[0],
  ]);
});

test('a second connection takes over when the first is cut', async () => {
  const workspace = await start();
  for (const _ of [1, 2])
    await connect(workspace, (app) => app.command('/appliance', async ({ ack }) => ack()));
  workspace.sockets.drop(workspace.sockets.ids[0]);
  await expect.poll(() => workspace.sockets.count).toBe(1);
  expect(await workspace.act(help)).toEqual({ ok: true });
});
