import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { helpdesk, start } from '../../../sandbox/workspace/testing.ts';
import type { Stamp } from '../../action/base/stamp.ts';
import { createLog } from '../../telemetry/log.ts';
import { createStamps, metadataOf, stampIn } from './stamps.ts';

const stamp: Stamp = {
  ...{ key: 'k1', journal: 'g1', at: 1_700_000_000_123, action: 'a1' },
  ...{ state: 'done', isChange: true },
};

/** A workspace, and how the bot looks at what it has noted there. */
async function house() {
  const workspace = await start();
  const client = new WebClient(workspace.botToken, {
    slackApiUrl: workspace.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 2_000,
  });
  const say = async (noted: object, thread?: string) => {
    const place = thread === undefined ? {} : { thread_ts: thread };
    return (await client.chat.postMessage({ channel: helpdesk, text: 'Done', ...place, ...noted })).ts ?? '';
  };
  const looking = (user: string | undefined) => createStamps(client, user, createLog('silent'));
  return { workspace, client, say, looking, look: looking(workspace.botUserId) };
}

test('what is noted on a message is read as it was written, and what is no note of the bot is none', () => {
  expect(stampIn(metadataOf(stamp).metadata)).toEqual(stamp);
  expect(stampIn(undefined)).toBeUndefined();
  expect(stampIn({ event_type: 'another', event_payload: {} })).toBeUndefined();
  const meddled = { journal: 7, at: 'soon', state: 'flying', message: 'k1' };
  expect(stampIn({ event_type: 'appliance_action', event_payload: meddled })).toMatchObject({
    key: 'k1',
    journal: undefined,
    state: undefined,
  });
});

test('a journal that does not know all of it notes neither itself nor how far it knew', () => {
  const { event_payload } = metadataOf({ ...stamp, journal: undefined }).metadata;
  expect(event_payload).toEqual({ action: 'a1', message: 'k1' });
});

test('the newest of a channel are read, and one message by itself, in a thread too', async () => {
  const { say, look } = await house();
  const first = await say(metadataOf(stamp));
  const plain = await say({});
  const second = await say(metadataOf({ ...stamp, key: 'k2' }));
  const reply = await say(metadataOf({ ...stamp, key: 'k3' }), first);
  expect(await look({ channel: helpdesk })).toMatchObject({
    messages: [
      { ts: second, stamp: { key: 'k2' } },
      { ts: first, stamp },
    ],
  });
  expect(await look({ channel: helpdesk }, first)).toEqual({
    kind: 'read',
    messages: [{ ts: first, stamp }],
  });
  expect(await look({ channel: helpdesk, card: first }, reply)).toMatchObject({ messages: [{ ts: reply }] });
  expect(await look({ channel: helpdesk }, plain)).toEqual({ kind: 'read', messages: [] });
});

test('what somebody else’s app notes on its messages says nothing', async () => {
  const { say, looking } = await house();
  const ts = await say(metadataOf(stamp));
  const look = looking('U0ANOTHER1');
  expect(await look({ channel: helpdesk })).toEqual({ kind: 'read', messages: [] });
  expect(await look({ channel: helpdesk }, ts)).toEqual({ kind: 'read', messages: [] });
});

test('it is told whether Slack does not let the bot look, or is to be asked later', async () => {
  const { workspace, look } = await house();
  expect(await look({ channel: 'C0NOWHERE1' })).toEqual({ kind: 'cannot_look' });
  workspace.faults.next('conversations.history', { kind: 'http', status: 503 });
  expect(await look({ channel: helpdesk })).toEqual({ kind: 'try_later' });
});
