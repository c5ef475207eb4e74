import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readBody } from './http.ts';
import { alice, bob, button, client, connect, helpdesk, start } from './testing.ts';
import type { Workspace } from './workspace.ts';

const help = { act: 'type', as: alice, channel: helpdesk, text: '/appliance help' } as const;

/** Several apps with the same tokens; each records its events, and whether they were repeated. */
async function replicas(workspace: Workspace, count: number) {
  const heard: { readonly replica: number; readonly what: string; readonly retry: number | undefined }[] = [];
  for (let replica = 0; replica < count; replica += 1) {
    const hear = (what: string, retry: number | undefined) => void heard.push({ replica, what, retry });
    await connect(workspace, (app) => {
      app.command('/appliance', async ({ ack, command, context }) => {
        hear(command.text, context.retryNum);
        await ack();
      });
      app.action('go', async ({ ack, body, context }) => {
        hear(`click by ${body.user.id}`, context.retryNum);
        await ack();
      });
      app.event('app_home_opened', async ({ event, body, context }) =>
        hear(`${event.user} ${'event_id' in body ? body.event_id : ''}`, context.retryNum),
      );
    });
  }
  return heard;
}

const click = async (workspace: Workspace) => {
  const blocks = [{ type: 'actions' as const, block_id: 'b', elements: [button('go', 'Go')] }];
  const { ts = '' } = await client(workspace).chat.postMessage({ channel: helpdesk, text: 'Go?', blocks });
  const container = { kind: 'message', channel: helpdesk, ts } as const;
  return workspace.act({ act: 'use', as: bob, container, block_id: 'b', action_id: 'go', value: {} });
};

test('each payload reaches one of three replicas in turn, and a cut one’s go to the others', async () => {
  const workspace = await start();
  const heard = await replicas(workspace, 3);
  expect(workspace.sockets.count).toBe(3);
  for (let count = 0; count < 6; count += 1) await workspace.act(help);
  expect(heard.map(({ replica }) => replica)).toEqual([0, 1, 2, 0, 1, 2]);

  heard.length = 0;
  const [, cut] = workspace.sockets.ids;
  workspace.sockets.drop(cut);
  for (let count = 0; count < 4; count += 1) expect(await workspace.act(help)).toEqual({ ok: true });
  expect(heard.map(({ replica }) => replica).toSorted()).toEqual([0, 0, 2, 2]);
});

test('one replica can be named to get everything while it is there', async () => {
  const workspace = await start();
  const heard = await replicas(workspace, 2);
  const [first, second] = workspace.sockets.ids;
  const asked = async () => {
    heard.length = 0;
    for (let count = 0; count < 2; count += 1) await workspace.act(help);
    return heard.map(({ replica }) => replica);
  };
  workspace.sockets.prefer(second);
  expect(await asked()).toEqual([1, 1]);
  workspace.sockets.prefer();
  expect((await asked()).toSorted()).toEqual([0, 1]);
  workspace.sockets.prefer(second);
  workspace.sockets.drop(second);
  expect(await asked(), 'it is gone').toEqual([0, 0]);
  expect(workspace.log.envelopes().at(-1)?.connection).toBe(first);
});

test('an event that a cut replica took with it is delivered again, to another one', async () => {
  const workspace = await start({ ackTimeoutMs: 50, eventRetryDelaysMs: [0] });
  const heard = await replicas(workspace, 2);
  workspace.sockets.prefer(workspace.sockets.ids[0]);
  const opened = workspace.act({ act: 'open_home', as: alice });
  workspace.sockets.drop(workspace.sockets.ids[0]);
  await opened;
  await expect
    .poll(() => heard.at(-1))
    .toEqual({ replica: 1, what: expect.stringContaining(alice), retry: 1 });
});

test('a command, a click and an event come twice where Slack delivers them twice, in an envelope of their own', async () => {
  const workspace = await start();
  const heard = await replicas(workspace, 2);
  workspace.faults.next('delivery', { kind: 'twice' }, 3);
  expect(await workspace.act(help)).toEqual({ ok: true });
  expect(await click(workspace)).toEqual({ ok: true });
  await workspace.act({ act: 'open_home', as: alice });
  await expect.poll(() => heard.length).toBe(6);
  const payloads = Map.groupBy(heard, ({ what }) => what);
  expect(payloads.size, 'the payload is the same, also the ID of the event').toBe(3);
  for (const [what, both] of payloads) {
    expect(both.map(({ replica }) => replica).toSorted(), what).toEqual([0, 1]);
    expect(both.map(({ retry }) => retry).toSorted(), what).toEqual([1, undefined]);
  }
  expect(new Set(workspace.log.envelopes().map(({ id }) => id)).size).toBe(6);
  await workspace.act(help);
  expect(heard, 'and the next one once').toHaveLength(7);
});

test('a lost delivery never reaches the app, and Slack sends an event again', async () => {
  const workspace = await start({ ackTimeoutMs: 50, eventRetryDelaysMs: [0] });
  const heard = await replicas(workspace, 1);
  workspace.faults.next('delivery', { kind: 'lost' }, 2);
  expect(await workspace.act(help)).toMatchObject({ error: expect.stringContaining('operation_timeout') });
  await workspace.act({ act: 'open_home', as: alice });
  await expect.poll(() => heard).toEqual([{ replica: 0, what: expect.stringContaining(alice), retry: 1 }]);
});

test('a late delivery arrives, and Slack counts the time from its sending', async () => {
  const workspace = await start({ ackTimeoutMs: 300 });
  const heard = await replicas(workspace, 1);
  workspace.faults.next('delivery', { kind: 'late', ms: 20 });
  expect(await workspace.act(help)).toEqual({ ok: true });
  workspace.faults.next('delivery', { kind: 'late', ms: 600 });
  expect(await workspace.act(help)).toMatchObject({ error: expect.stringContaining('operation_timeout') });
  expect(heard).toHaveLength(1);
  await expect.poll(() => workspace.log.envelopes().map(({ late }) => late)).toEqual([undefined, true]);
  expect(heard).toHaveLength(2);
});

test('the last delivery can be repeated at any time, in the same envelope or in a new one', async () => {
  const workspace = await start();
  const heard = await replicas(workspace, 1);
  await workspace.act(help);
  expect(await workspace.redeliver()).toMatchObject({ kind: 'acked' });
  expect(await workspace.redeliver(undefined, 'new')).toMatchObject({ kind: 'acked' });
  expect(heard.map(({ what, retry }) => [what, retry])).toEqual([
    ['help', undefined],
    ['help', undefined],
    ['help', 1],
  ]);
  const [first, second, third] = workspace.log.envelopes().map(({ id }) => id);
  expect(second).toBe(first);
  expect(third).not.toBe(first);
  expect(() => workspace.redeliver('nothing')).toThrow('No envelope nothing was sent lately');
});

test('repeating a click from a screen that has not caught up is no repeated delivery', async () => {
  const workspace = await start();
  const triggers: string[] = [];
  const retries: unknown[] = [];
  await connect(workspace, (app) => {
    app.action('go', async ({ ack, body, client, context }) => {
      await ack();
      if (!('trigger_id' in body) || body.type !== 'block_actions' || body.message === undefined) return;
      triggers.push(body.trigger_id);
      retries.push(context.retryNum);
      await client.chat.update({ channel: helpdesk, ts: body.message.ts, text: 'Gone' });
    });
  });
  expect(await click(workspace)).toEqual({ ok: true });
  await expect.poll(() => workspace.snapshot(bob).messages.at(-1)?.text).toBe('Gone');
  expect(await workspace.repeat()).toMatchObject({ kind: 'acked' });
  await expect.poll(() => new Set(triggers).size).toBe(2);
  expect(retries).toEqual([undefined, undefined]);
});

test('over HTTP a repetition has the same body, and says so in its headers', async () => {
  const received: { readonly body: string; readonly retry: unknown }[] = [];
  const app = createServer(async (request, response) => {
    const retry = request.headers['x-slack-retry-num'];
    received.push({ body: await readBody(request, 100_000), retry });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(app, 'listening');
  onTestFinished(() => void app.close());
  const { port } = app.address() as AddressInfo;
  const workspace = await start();
  expect(await workspace.act(help)).toMatchObject({ error: expect.stringContaining('dispatch_failed') });
  workspace.useRequestUrl(`http://127.0.0.1:${port}/slack/events`);
  await workspace.act(help);
  await workspace.redeliver();
  await workspace.redeliver(undefined, 'new');
  expect(received.map(({ retry }) => retry)).toEqual([undefined, undefined, '1']);
  expect(new Set(received.map(({ body }) => body)).size).toBe(1);
});
