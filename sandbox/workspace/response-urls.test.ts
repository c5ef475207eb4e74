import { expect, test } from 'vitest';
import { alice, bob, button, client, connect, helpdesk, start } from './testing.ts';

/** A workspace with a clock, the response URL of a command, and that of a click on a message of the bot. */
async function withUrls() {
  let now = 1_790_000_000_000;
  const workspace = await start({
    clock: () => now,
    channels: [
      { id: helpdesk, name: 'helpdesk' },
      { id: 'C0OUTSIDE1', name: 'outside', botIsMember: false },
    ],
  });
  let url = '';
  await connect(workspace, (app) => {
    app.command('/appliance', async ({ ack, command }) => {
      url = command.response_url;
      await ack();
    });
    app.action('go', async ({ ack, body }) => {
      url = 'response_url' in body ? String(body.response_url) : '';
      await ack();
    });
  });
  const post = async (to: string, message: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(to, { method: 'POST', headers, body: JSON.stringify(message) });
    return { status: response.status, body: await response.text() };
  };
  return {
    workspace,
    post,
    texts: (as = alice) => workspace.snapshot(as).messages.map(({ text }) => text),
    pass: (ms: number) => {
      now += ms;
    },
    async command(channel = helpdesk) {
      await workspace.act({ act: 'type', as: alice, channel, text: '/appliance help' });
      return url;
    },
    async click() {
      const blocks = [{ type: 'actions' as const, block_id: 'b', elements: [button('go', 'Go')] }];
      const { ts = '' } = await client(workspace).chat.postMessage({
        channel: helpdesk,
        text: 'root',
        blocks,
      });
      const container = { kind: 'message', channel: helpdesk, ts } as const;
      await workspace.act({ act: 'use', as: bob, container, block_id: 'b', action_id: 'go', value: {} });
      return { url, ts };
    },
  };
}

test('a response URL takes five messages, then it is dead', async () => {
  const { command, post, texts } = await withUrls();
  const url = await command();
  for (const text of ['1', '2', '3', '4', '5'])
    expect(await post(url, { text })).toEqual({ status: 200, body: 'ok' });
  expect(await post(url, { text: '6' })).toMatchObject({
    status: 404,
    body: expect.stringContaining('used_url'),
  });
  expect(texts()).toEqual(['1', '2', '3', '4', '5']);
});

test('a response URL lives for thirty minutes', async () => {
  const { command, post, pass } = await withUrls();
  const url = await command();
  pass(30 * 60_000);
  expect((await post(url, { text: 'in time' })).status).toBe(200);
  pass(1);
  expect(await post(url, { text: 'late' })).toMatchObject({
    status: 404,
    body: expect.stringContaining('expired_url'),
  });
  expect((await post(`${url}x`, { text: 'guess' })).status).toBe(404);
});

test('a response URL works where the bot is no member, for one person or for all, and refuses what Slack refuses', async () => {
  const { command, post, texts } = await withUrls();
  const url = await command('C0OUTSIDE1');
  await post(url, { text: 'for you' });
  await post(url, { text: 'for all', response_type: 'in_channel' });
  expect(texts()).toEqual(['for you', 'for all']);
  expect(texts(bob)).toEqual(['for all']);
  expect(await post(url, { blocks: [{ type: 'header' }] })).toMatchObject({
    status: 400,
    body: expect.stringContaining('invalid_blocks'),
  });
  expect(await post(url, {})).toMatchObject({ status: 400, body: expect.stringContaining('no_text') });
});

test('after a click it can replace or delete the message, whisper, or answer in its thread', async () => {
  const { workspace, click, post, texts } = await withUrls();
  const { url, ts } = await click();
  await post(url, { text: 'only bob' });
  expect(texts(bob)).toEqual(['root', 'only bob']);
  expect(texts(alice)).toEqual(['root']);
  await post(url, { text: 'reply', response_type: 'in_channel', replace_original: false, thread_ts: ts });
  await post(url, { text: 'done', replace_original: true });
  expect(workspace.snapshot(alice).messages).toMatchObject([
    { ts, text: 'done', reply_count: 1 },
    { text: 'reply', thread_ts: ts },
  ]);
  await post(url, { delete_original: true });
  expect(texts()).not.toContain('done');
});
