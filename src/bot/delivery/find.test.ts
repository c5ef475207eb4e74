import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { alice, bob, helpdesk, incident, start } from '../../../sandbox/workspace/testing.ts';
import { createLog } from '../../telemetry/log.ts';
import { createFind } from './slack-chat.ts';

/** A workspace with keyed and other messages, and a `find` with the bot's own client. */
async function house(options: Parameters<typeof start>[0] = {}) {
  const workspace = await start(options);
  const written: string[] = [];
  const log = createLog('info', { write: (line: string) => written.push(line) });
  const client = new WebClient(workspace.botToken, {
    slackApiUrl: workspace.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 2_000,
  });
  const say = async (channel: string, key?: string, thread?: string) => {
    const metadata = { event_type: 'appliance_action', event_payload: { action: 'a1', message: key ?? '' } };
    const place = thread === undefined ? {} : { thread_ts: thread };
    const posted = await client.chat.postMessage({ channel, text: 'Done', metadata, ...place });
    return posted.ts ?? '';
  };
  return { workspace, written, client, say, find: createFind(client, log, options.clock ?? Date.now) };
}

const longAgo = 0;

test('a message is found by its key where it was sent, and nowhere else', async () => {
  const { say, find } = await house();
  const card = await say(helpdesk, 'k1');
  const reply = await say(helpdesk, 'k2', card);
  await say(helpdesk, 'k3');
  expect(await find(helpdesk, undefined, 'k1', longAgo)).toEqual({ kind: 'stands', ts: card });
  expect(await find(helpdesk, card, 'k2', longAgo)).toEqual({ kind: 'stands', ts: reply });
  for (const [channel, thread, key] of [
    [helpdesk, undefined, 'k4'],
    [incident, undefined, 'k1'],
    [helpdesk, card, 'k3'],
    [helpdesk, undefined, 'k2'],
  ] as const)
    expect(await find(channel, thread, key, longAgo), `${key} in ${channel}`).toEqual({ kind: 'not_there' });
  expect(await find(helpdesk, '1790000000.000001', 'k1', longAgo), 'a thread that is not there').toEqual({
    kind: 'not_there',
  });
});

test('a direct message is found among those to that person', async () => {
  const { workspace, say, find } = await house();
  expect(await find(alice, undefined, 'k1', longAgo)).toEqual({ kind: 'not_there' });
  const ts = await say(alice, 'k1');
  await say(bob, 'k2');
  expect(await find(alice, undefined, 'k1', longAgo)).toEqual({ kind: 'stands', ts });
  expect(await find(bob, undefined, 'k1', longAgo)).toEqual({ kind: 'not_there' });
  expect(await find(workspace.direct(alice).id, undefined, 'k1', longAgo)).toEqual({ kind: 'stands', ts });
});

const hour = 3_600_000;

test('the search reaches back to an hour before the message was written', async () => {
  const sentAt = 1_790_000_000_000;
  let now = sentAt;
  const { say, find } = await house({ clock: () => now });
  const ts = await say(helpdesk, 'k1');
  now += 5 * hour;
  await say(helpdesk, 'k2');
  expect(await find(helpdesk, undefined, 'k1', sentAt + hour - 1_000)).toEqual({ kind: 'stands', ts });
  expect(await find(helpdesk, undefined, 'k1', sentAt + hour + 1_000)).toEqual({ kind: 'not_there' });
});

test('a message is found although the clock was set back since', async () => {
  const { say, find } = await house({ clock: () => 1_790_000_000_000 });
  const ts = await say(helpdesk, 'k1');
  expect(await find(helpdesk, undefined, 'k1', 1_790_000_000_000 + 24 * hour)).toEqual({
    kind: 'stands',
    ts,
  });
});

test('a message is found while the clock is a day ahead of Slack’s, in a channel and in a thread', async () => {
  const { workspace, client, say } = await house();
  const card = await say(helpdesk, 'k1');
  const reply = await say(helpdesk, 'k2', card);
  const now = () => Date.now() + 24 * hour;
  const find = createFind(client, createLog('silent'), now);
  expect(await find(helpdesk, undefined, 'k1', now())).toEqual({ kind: 'stands', ts: card });
  expect(await find(helpdesk, card, 'k2', now())).toEqual({ kind: 'stands', ts: reply });
  // A missing message costs one more request.
  const before = workspace.log.calls('conversations.history').length;
  expect(await find(helpdesk, undefined, 'k9', now())).toEqual({ kind: 'not_there' });
  expect(workspace.log.calls('conversations.history')).toHaveLength(before + 2);
});

test('a busy channel is searched page by page, with a limit', async () => {
  const { workspace, say, find, written } = await house();
  const chatter = async (count: number) => {
    for (let one = 0; one < count; one += 1)
      expect(await workspace.act({ act: 'type', as: alice, channel: helpdesk, text: '.' })).toEqual({
        ok: true,
      });
  };
  const ts = await say(helpdesk, 'k1');
  await chatter(450);
  expect(await find(helpdesk, undefined, 'k1', longAgo)).toEqual({ kind: 'stands', ts });
  expect(workspace.log.calls('conversations.history')).toHaveLength(3);
  await chatter(1_600);
  expect(await find(helpdesk, undefined, 'k1', longAgo)).toEqual({ kind: 'cannot_look' });
  expect(workspace.log.calls('conversations.history')).toHaveLength(13);
  expect(written.join()).toContain('too_many_messages');
});

test('a missing scope makes a search impossible, and is logged once', async () => {
  const oauth_config = { scopes: { bot: ['chat:write', 'im:history'] } };
  const features = { app_home: { messages_tab_enabled: true } };
  const { say, find, written } = await house({ manifest: { oauth_config, features } });
  await say(helpdesk, 'k1');
  await say(alice, 'k2');
  for (const key of ['k1', 'k9']) {
    expect(await find(helpdesk, undefined, key, longAgo)).toEqual({ kind: 'cannot_look' });
    expect(await find(alice, undefined, key, longAgo)).toEqual({ kind: 'cannot_look' });
  }
  expect(await find('C0NOWHERE1', undefined, 'k1', longAgo)).toEqual({ kind: 'cannot_look' });
  expect(written.map((line) => [JSON.parse(line).code, JSON.parse(line).needed])).toEqual([
    ['missing_scope', 'channels:history'],
    ['missing_scope', 'channels:read,groups:read,im:read,mpim:read'],
    ['channel_not_found', undefined],
  ]);
});

test('while Slack is in trouble a search gives no verdict', async () => {
  const { workspace, say, find } = await house();
  await say(helpdesk, 'k1');
  for (const fault of [
    { kind: 'http', status: 503 },
    { kind: 'rate_limited', retryAfter: 7 },
    { kind: 'close', when: 'after' },
    { kind: 'hang' },
    { kind: 'error', error: 'internal_error' },
  ] as const) {
    workspace.faults.next('conversations.history', fault);
    expect(await find(helpdesk, undefined, 'k1', longAgo), fault.kind).toEqual({ kind: 'try_later' });
  }
  expect(await find(helpdesk, undefined, 'k1', longAgo)).toMatchObject({ kind: 'stands' });
});
