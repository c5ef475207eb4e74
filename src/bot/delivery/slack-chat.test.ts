import { LogLevel } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHarbour } from '../../../sandbox/harbour.ts';
import { helpdesk, start as startWorkspace } from '../../../sandbox/workspace/testing.ts';
import { transcript } from '../../../sandbox/workspace/transcript.ts';
import type { WorkspaceOptions } from '../../../sandbox/workspace/workspace.ts';
import type { Attachment, Said, SaidPart, Stamp } from '../../action/base/chat.ts';
import { say } from '../../handlers/reply.ts';
import { createLog } from '../../telemetry/log.ts';
import { createDelivery } from './delivery.ts';
import { createSlackChat, createStamps, metadataOf, stampIn } from './slack-chat.ts';

const channel = 'C0HELPDESK';
const alice = 'U0ALICE001';

/** A workspace with a message, and a chat that writes into its thread. */
async function start(options: WorkspaceOptions = {}) {
  const workspace = await startHarbour(options);
  onTestFinished(() => workspace.stop());
  const client = new WebClient(workspace.botToken, {
    slackApiUrl: workspace.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 5_000,
    logLevel: LogLevel.ERROR,
  });
  const logged: string[] = [];
  const log = createLog('debug', { write: (line: string) => void logged.push(line) });
  const own = { user: undefined, stamp: async () => undefined, now: Date.now };
  const delivery = createDelivery({
    client,
    fetch,
    deadline: 5_000,
    now: Date.now,
    sleep: async () => undefined,
    log,
  });
  const chat = createSlackChat(delivery, client, own, log);
  const card = await delivery.post(channel, undefined, () => ({ text: 'An answer', blocks: [] }));
  const messages = () => workspace.snapshot(alice).messages;
  return {
    ...{ workspace, logged, messages },
    thread: { channel, card },
    notify: chat.notify,
    direct: (person: string) =>
      transcript(workspace.snapshot(person), 'appliance-bot').replace(/ · \d\d:\d\d/g, ''),
    tell: (said: Partial<Said>) => chat.reply({ channel, card }, { headline: [], ...said }),
    read: () => transcript(workspace.snapshot(alice), channel).replace(/ · \d\d:\d\d/g, ''),
    contentOf: (name: string) => {
      const file = messages()
        .flatMap(({ files = [] }) => files)
        .findLast((one) => one.name === name);
      return file && workspace.fileContent(alice, file.id)?.toString();
    },
  };
}

const file = (given: Partial<Attachment> = {}): Attachment => ({
  name: 'records.csv',
  title: 'Records',
  content: 'Café\r\n',
  ...given,
});
const chart: SaidPart = {
  kind: 'chart',
  style: 'bar',
  title: 'Files per day',
  unit: 'files',
  labels: ['1 Nov', '2 Nov'],
  series: [{ name: 'Mirror', values: [10, 20] }],
};
const table: SaidPart = { kind: 'table', columns: ['Name'], rows: [[['google_sni']]] };

describe('a file', () => {
  test('goes into the thread after what is said, byte for byte', async () => {
    const { tell, messages, thread, contentOf } = await start();
    const ts = await tell({ headline: ['Here it is'], files: [file()] });
    const [, said, posted] = messages();
    expect(said).toMatchObject({ ts, text: 'Here it is', thread_ts: thread.card });
    expect(posted).toMatchObject({
      thread_ts: thread.card,
      files: [{ name: 'records.csv', title: 'Records' }],
    });
    expect(contentOf('records.csv')).toBe('Café\r\n');
  });

  test('alone is one message with its words, without unintended mentions', async () => {
    const { tell, messages, thread } = await start();
    expect(await tell({ files: [file({ words: say`For ${'<!channel> & *all*'}` })] })).toBe(thread.card);
    expect(messages()).toHaveLength(2);
    expect(messages()[1]?.text).toBe('For &lt;!channel&gt; &amp; ∗all∗');
  });

  test('is never read from a path that its content names', async () => {
    const { tell, contentOf } = await start();
    await tell({ files: [file({ content: '/etc/hostname' })] });
    expect(contentOf('records.csv')).toBe('/etc/hostname');
  });

  test('that is empty is posted anyway', async () => {
    const { tell, contentOf } = await start();
    await tell({ files: [file({ content: '' })] });
    expect(contentOf('records.csv')).toBe('\n');
  });

  test.each([
    ['upload', { kind: 'http', status: 500 }],
    ['upload', { kind: 'close', when: 'after' }],
    ['files.getUploadURLExternal', { kind: 'http', status: 503 }],
    ['files.getUploadURLExternal', { kind: 'rate_limited', retryAfter: 1 }],
    ['files.completeUploadExternal', { kind: 'rate_limited', retryAfter: 1 }],
  ] as const)('is there once after trouble with %s: %o', async (call, fault) => {
    const { tell, workspace, messages } = await start();
    workspace.faults.next(call, fault);
    await tell({ files: [file()] });
    expect(messages().flatMap(({ files = [] }) => files)).toHaveLength(1);
    expect(messages()).toHaveLength(2);
  });

  test.each([
    ['files.getUploadURLExternal', { kind: 'error', error: 'missing_scope' }, 'needs the scope files:write'],
    [
      'files.completeUploadExternal',
      { kind: 'error', error: 'storage_limit_reached' },
      '(storage_limit_reached)',
    ],
  ] as const)(
    'that does not get through (%s) is told to the thread, and the next one comes',
    async (call, fault, words) => {
      const { tell, workspace, read } = await start();
      workspace.faults.next(call, fault);
      await tell({ files: [file(), file({ name: 'other.csv' })] });
      expect(read()).toContain('Couldn’t post the file records.csv here');
      expect(read()).toContain(words);
      expect(read()).toContain('[file other.csv');
      expect(read()).not.toContain('[file records.csv');
    },
  );

  test('that Slack cannot take now is kept for later, and its thread gets no message', async () => {
    const { tell, workspace, messages } = await start();
    const before = messages().length;
    workspace.faults.next('upload', { kind: 'http', status: 500 }, 3);
    await expect(tell({ files: [file()] })).rejects.toMatchObject({ isPassing: true, mayStand: false });
    expect(messages()).toHaveLength(before);
  });

  test('that may be there is not posted a second time', async () => {
    const { tell, workspace, messages } = await start();
    workspace.faults.next('files.completeUploadExternal', { kind: 'close', when: 'after' });
    await tell({ files: [file()] });
    expect(messages().flatMap(({ files = [] }) => files)).toHaveLength(1);
    expect(messages().at(-1)?.text).toContain(
      'Outcome unknown: Slack didn’t confirm that the file `records.csv` was posted',
    );
  });

  test('has its address in no log', async () => {
    const { tell, workspace, logged } = await start();
    workspace.faults.next('upload', { kind: 'http', status: 500 }, 3);
    await expect(tell({ files: [file()] })).rejects.toMatchObject({ code: 'upload_500' });
    expect(logged.join('')).not.toContain('/upload/');
  });
});

test('text beyond one message comes in the next ones, in order', async () => {
  const { tell, messages } = await start();
  await tell({ headline: ['one'], next: [{ headline: ['two'] }, { headline: ['three'] }], files: [file()] });
  expect(messages().map(({ text }) => text)).toEqual(['An answer', 'one', 'two', 'three', '']);
});

describe('a workspace that does not draw charts yet', () => {
  const refusal = {
    kind: 'error',
    error: 'invalid_blocks',
    details: { response_metadata: { messages: ['unsupported type [json-pointer:/blocks/0/type]'] } },
  } as const;

  test('gets bars, and keeps getting tables', async () => {
    const { tell, workspace, read, messages } = await start();
    workspace.faults.next('chat.postMessage', refusal);
    await tell({ details: [chart, table] });
    expect(read()).toContain('1 Nov  ████████████              10');
    await tell({ details: [chart, table] });
    const types = messages().map(({ blocks = [] }) => blocks.map(({ type }) => type));
    expect(types.slice(1)).toEqual([
      ['rich_text', 'table'],
      ['rich_text', 'table'],
    ]);
    expect(workspace.log.calls('chat.postMessage').map(({ ok }) => ok)).toEqual([true, false, true, true]);
  });

  test('that does not draw tables either gets both in fixed width, also without naming one', async () => {
    const { tell, workspace, messages } = await start();
    workspace.faults.next('chat.postMessage', { kind: 'error', error: 'invalid_blocks' }, 2);
    await tell({ details: [chart, table] });
    expect(messages()[1]?.blocks?.map(({ type }) => type)).toEqual(['rich_text', 'rich_text']);
  });

  test('is not assumed if Slack points at something else', async () => {
    const { tell, workspace, messages } = await start();
    const elsewhere = { messages: ['no more than 25 items [json-pointer:/blocks/1/elements]'] };
    workspace.faults.next('chat.postMessage', { ...refusal, details: { response_metadata: elsewhere } });
    const buttons: SaidPart = { kind: 'buttons', buttons: [{ press: 'page', label: 'Next', token: 't' }] };
    await expect(tell({ details: [chart, buttons] })).rejects.toMatchObject({ code: 'invalid_blocks' });
    await tell({ details: [chart] });
    expect(messages()[1]?.blocks?.map(({ type }) => type)).toEqual(['data_visualization']);
  });
});

describe('a direct message', () => {
  test('stays there, and nobody else reads it', async () => {
    const { notify, direct, read, workspace } = await start();
    expect(await notify(alice, { headline: say`Emergency mode is still on.` })).toBe(true);
    expect(direct(alice)).toBe('appliance-bot\n\nappliance-bot\n  Emergency mode is still on.');
    expect(workspace.snapshot(alice).messages.at(-1)?.ephemeral_to).toBeUndefined();
    expect(direct('U0BOB00001')).toBe('');
    expect(read()).not.toContain('Emergency');
  });

  test('comes in as many messages as needed, and says that a file is missing', async () => {
    const { notify, direct } = await start();
    const said = { headline: ['one'], next: [{ headline: ['two'] }], files: [file()] };
    expect(await notify(alice, said)).toBe(true);
    expect(direct(alice)).toMatch(/one\n {2}The file `?records\.csv`? isn’t posted here.*\n\n.*\n {2}two$/s);
  });

  test('mentions nobody unintended', async () => {
    const { notify, workspace } = await start();
    await notify(alice, { headline: say`For ${'<!channel>'}` });
    expect(workspace.snapshot(alice).messages.at(-1)?.text).toBe('For &lt;!channel&gt;');
  });

  test('is sent again when Slack limits the rate, and never twice', async () => {
    const { notify, workspace, direct } = await start();
    workspace.faults.next('chat.postMessage', { kind: 'rate_limited', retryAfter: 1 });
    expect(await notify(alice, { headline: ['Now.'] })).toBe(true);
    workspace.faults.next('chat.postMessage', { kind: 'close', when: 'after' });
    expect(await notify(alice, { headline: ['Once.'] })).toBe(false);
    expect(direct(alice).match(/Now\.|Once\./g)).toEqual(['Now.', 'Once.']);
  });

  test('counts as not sent if Slack refuses, and the log says why', async () => {
    const { notify, logged, workspace } = await start();
    expect(await notify('U0NOBODY01', { headline: ['Hello'] })).toBe(false);
    expect(logged.join('')).toContain('channel_not_found');
    workspace.faults.next('chat.postMessage', { kind: 'error', error: 'messages_tab_disabled' });
    expect(await notify(alice, { headline: ['Hello'] })).toBe(false);
    expect(logged.join('')).toContain('messages_tab_disabled');
  });
});

describe('stamps', () => {
  const stamp: Stamp = {
    ...{ key: 'k1', journal: 'g1', at: 1_700_000_000_123, action: 'a1' },
    ...{ state: 'done', isChange: true },
  };

  /** A workspace, and the bot's reader of its stamps. */
  async function house() {
    const workspace = await startWorkspace();
    const client = new WebClient(workspace.botToken, {
      slackApiUrl: workspace.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      timeout: 2_000,
    });
    const say = async (noted: object, thread?: string) => {
      const place = thread === undefined ? {} : { thread_ts: thread };
      return (
        (await client.chat.postMessage({ channel: helpdesk, text: 'Done', ...place, ...noted })).ts ?? ''
      );
    };
    const looking = (user: string | undefined) => createStamps(client, user, createLog('silent'));
    return { workspace, client, say, looking, look: looking(workspace.botUserId) };
  }

  test('a stamp is read as it was written, and other metadata is no stamp', () => {
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

  test('an incomplete journal stamps neither its name nor its progress', () => {
    const { event_payload } = metadataOf({ ...stamp, journal: undefined }).metadata;
    expect(event_payload).toEqual({ action: 'a1', message: 'k1' });
  });

  test('the newest of a channel are read, and a single message, in a thread too', async () => {
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
    expect(await look({ channel: helpdesk, card: first }, reply)).toMatchObject({
      messages: [{ ts: reply }],
    });
    expect(await look({ channel: helpdesk }, plain)).toEqual({ kind: 'read', messages: [] });
  });

  test('the metadata of another app’s messages is ignored', async () => {
    const { say, looking } = await house();
    const ts = await say(metadataOf(stamp));
    const look = looking('U0ANOTHER1');
    expect(await look({ channel: helpdesk })).toEqual({ kind: 'read', messages: [] });
    expect(await look({ channel: helpdesk }, ts)).toEqual({ kind: 'read', messages: [] });
  });

  test('the answer says whether Slack forbids reading, or should be asked later', async () => {
    const { workspace, look } = await house();
    expect(await look({ channel: 'C0NOWHERE1' })).toEqual({ kind: 'cannot_look' });
    workspace.faults.next('conversations.history', { kind: 'http', status: 503 });
    expect(await look({ channel: helpdesk })).toEqual({ kind: 'try_later' });
  });
});
