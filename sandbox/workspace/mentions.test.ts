import { expect, test } from 'vitest';
import type { Manifest } from './manifest.ts';
import { alice, bob, client, connect, helpdesk, start } from './testing.ts';

const eve = 'U0EVE00001';
const scopes = ['chat:write', 'app_mentions:read', 'im:history', 'channels:history'];

const manifest = (bot: readonly string[], isReadOnly = false): Manifest => ({
  features: {
    bot_user: { display_name: 'appliance-bot' },
    app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: isReadOnly },
  },
  oauth_config: { scopes: { bot } },
  settings: { event_subscriptions: { bot_events: ['app_mention', 'message.im', 'message.channels'] } },
});

type Heard = Readonly<Record<string, unknown>>;

/** A workspace and the events that its app hears; Bolt hides what an app says itself, so they are read before it. */
async function listening(bot = scopes, isReadOnly = false) {
  const workspace = await start({ manifest: manifest(bot, isReadOnly) });
  const heard: Heard[] = [];
  const app = await connect(workspace, () => undefined);
  const process = app.processEvent.bind(app);
  app.processEvent = async (event) => {
    heard.push((event.body as { readonly event: Heard }).event);
    await process(event);
  };
  const type = (text: string, more: { as?: string; channel?: string; thread_ts?: string } = {}) =>
    workspace.act({ act: 'type', as: alice, channel: helpdesk, text, ...more });
  const edit = (ts: string, text: string, as = alice) =>
    workspace.act({ act: 'edit', as, channel: helpdesk, ts, text });
  const last = () => workspace.snapshot(alice).messages.at(-1)?.ts ?? '';
  const mention = `<@${workspace.botUserId}>`;
  return { workspace, heard, type, edit, last, mention, direct: workspace.direct(alice).id };
}

const kinds = (heard: readonly Heard[]) =>
  heard.map(({ type, subtype, text }) => [type, subtype, text].filter(Boolean));

test('a mention comes as app_mention, and in a thread names the thread', async () => {
  const { heard, type, last, mention, workspace } = await listening();
  await type('@appliance-bot status');
  const ts = last();
  await type('and now, @appliance-bot?', { as: bob, thread_ts: ts });
  await expect.poll(() => heard).toHaveLength(4);
  const mentions = heard.filter((event) => event.type === 'app_mention');
  expect(mentions).toEqual([
    {
      type: 'app_mention',
      user: alice,
      text: `${mention} status`,
      ts,
      event_ts: ts,
      client_msg_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      team: workspace.teamId,
      channel: helpdesk,
    },
    expect.objectContaining({
      user: bob,
      text: `and now, ${mention}?`,
      thread_ts: ts,
      parent_user_id: alice,
    }),
  ]);
  expect(heard.find((event) => event.type === 'message')).toMatchObject({
    channel_type: 'channel',
    client_msg_id: mentions[0]?.client_msg_id,
  });
});

test('a mention by somebody from outside names their organization', async () => {
  const { heard, type } = await listening();
  await type('@appliance-bot status', { as: eve, channel: 'C0PARTNERS' });
  await expect.poll(() => heard).toHaveLength(2);
  for (const event of heard)
    expect(event).toMatchObject({ user: eve, user_team: 'T0THEOTHER', source_team: 'T0THEOTHER' });
});

test('a direct message with the app comes as message.im only, mention or not', async () => {
  const { heard, type, direct, mention } = await listening();
  expect(await type('status', { channel: direct })).toEqual({ ok: true });
  expect(await type('@appliance-bot status', { channel: direct })).toEqual({ ok: true });
  await expect.poll(() => heard).toHaveLength(2);
  expect(heard).toMatchObject([
    { type: 'message', channel_type: 'im', channel: direct, text: 'status', user: alice },
    { type: 'message', channel_type: 'im', channel: direct, text: `${mention} status` },
  ]);
});

test('without the scope, or with a read-only Messages tab, no message comes', async () => {
  const scopeless = await listening(['chat:write', 'channels:history']);
  await scopeless.type('hello', { channel: scopeless.direct });
  await scopeless.type('@appliance-bot status');
  await expect.poll(() => kinds(scopeless.heard)).toEqual([['message', `${scopeless.mention} status`]]);
  scopeless.workspace.conditions.grant('channels:history', false);
  await scopeless.type('more');

  const readOnly = await listening(scopes, true);
  expect(await readOnly.type('status', { channel: readOnly.direct })).toEqual({
    ok: false,
    error: 'Sending messages to this app has been turned off.',
  });
  for (const [{ workspace }, count] of [
    [scopeless, 1],
    [readOnly, 0],
  ] as const)
    expect(workspace.log.envelopes()).toHaveLength(count);
});

test('an edited message comes as message_changed, and as a mention when it had none before', async () => {
  const { heard, type, edit, last, mention } = await listening();
  await type('status');
  const ts = last();
  await edit(ts, '@appliance-bot status');
  await edit(ts, '@appliance-bot status, please');
  await expect.poll(() => heard).toHaveLength(4);
  expect(heard).toMatchObject([
    { type: 'message', text: 'status' },
    { type: 'app_mention', ts, text: `${mention} status`, edited: { user: alice } },
    {
      type: 'message',
      subtype: 'message_changed',
      hidden: true,
      channel: helpdesk,
      message: { ts, text: `${mention} status`, user: alice },
      previous_message: { ts, text: 'status' },
    },
    { subtype: 'message_changed', previous_message: { text: `${mention} status` } },
  ]);
  expect(await edit(ts, 'mine', bob), 'it is of alice').toMatchObject({ ok: false });
  expect(await edit(ts, ' '), 'nothing is left').toMatchObject({ ok: false });
});

test('the app’s own message comes with its bot_id, and mentions nobody when it names itself', async () => {
  const { heard, workspace, mention, direct } = await listening();
  const web = client(workspace);
  const { ts = '' } = await web.chat.postMessage({ channel: helpdesk, text: `I am ${mention}` });
  await web.chat.update({ channel: helpdesk, ts, text: `It was ${mention}` });
  await web.chat.delete({ channel: helpdesk, ts });
  await web.chat.postMessage({ channel: direct, text: 'Done' });
  await web.chat.postEphemeral({ channel: helpdesk, user: alice, text: 'For you' });
  await expect.poll(() => heard).toHaveLength(4);
  expect(heard).toMatchObject([
    { type: 'message', user: workspace.botUserId, bot_id: expect.stringMatching(/^B/), ts },
    { subtype: 'message_changed', message: { text: `It was ${mention}` } },
    { subtype: 'message_deleted', deleted_ts: ts, previous_message: { bot_id: expect.anything() } },
    { channel_type: 'im', text: 'Done', bot_id: expect.anything() },
  ]);
});
