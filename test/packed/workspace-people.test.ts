import { App, type BlockAction, LogLevel, type StaticSelectAction } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { expect, onTestFinished, test } from 'vitest';
import { NoSuchOption, startWorkspace } from '../../packages/workspace-for-slack-apps/src/index.ts';

/** Actions of people in the workspace, and faults that a test sets: compared with the events that an app records. */

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const manifest = {
  display_information: { name: 'Desk' },
  features: {
    bot_user: { display_name: 'desk' },
    app_home: { home_tab_enabled: true, messages_tab_enabled: true },
    slash_commands: [{ command: '/desk', description: 'Ask the desk' }],
    shortcuts: [
      { name: 'Keep it', callback_id: 'keep', description: 'Keeps a message', type: 'message' },
      { name: 'New case', callback_id: 'new', description: 'Opens a case', type: 'global' },
    ],
  },
  oauth_config: {
    scopes: {
      bot: [
        ...['commands', 'chat:write', 'files:read', 'channels:history', 'channels:read', 'im:history'],
        ...['users:read', 'usergroups:read', 'groups:read'],
      ],
    },
  },
  settings: {
    event_subscriptions: {
      bot_events: [
        ...['message.channels', 'message.im', 'user_change', 'subteam_members_changed', 'channel_shared'],
        ...['member_joined_channel', 'member_left_channel', 'tokens_revoked'],
      ],
    },
  },
};

const card: KnownBlock[] = [
  {
    type: 'section',
    text: { type: 'mrkdwn', text: 'How urgent?' },
    accessory: {
      type: 'static_select',
      action_id: 'urgent',
      placeholder: plain('Urgency'),
      options: ['Low', 'High'].map((text) => ({ text: plain(text), value: text })),
    },
  },
];

const form = {
  type: 'modal' as const,
  callback_id: 'case',
  title: plain('New case'),
  submit: plain('Open'),
  blocks: [
    {
      type: 'input' as const,
      block_id: 'site',
      label: plain('Site'),
      element: { type: 'external_select' as const, action_id: 'site', min_query_length: 1 },
    },
  ],
};

async function withDesk() {
  const slack = await startWorkspace({
    manifest,
    people: ['ana', 'ben', { name: 'eve', isExternal: true }],
    channels: ['help', { name: 'shared', isShared: true }, { name: 'quiet', members: ['ana'] }],
    userGroups: [{ handle: 'helpers', members: ['ana'] }],
    eventRetryDelaysMs: [],
  });
  onTestFinished(() => slack.close());
  const app = new App({
    token: slack.botToken,
    appToken: slack.appToken,
    socketMode: true,
    clientOptions: { slackApiUrl: slack.apiUrl },
    logLevel: LogLevel.ERROR,
  });
  const heard: string[] = [];
  app.use(async ({ body, next }) => {
    const { type, event } = body as { type?: string; event?: { type: string; subtype?: string } };
    heard.push(event?.subtype ?? event?.type ?? type ?? 'command');
    await next();
  });
  app.command('/desk', async ({ ack, say }) => {
    await ack();
    await say({ text: 'How urgent?', blocks: card });
  });
  app.action<BlockAction<StaticSelectAction>>('urgent', async ({ ack, action, say }) => {
    await ack();
    await say(`Urgency: ${action.selected_option.value}`);
  });
  app.shortcut('new', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: form });
  });
  app.shortcut('keep', async ({ ack, shortcut, client }) => {
    await ack();
    if (shortcut.type === 'message_action')
      await client.chat.postMessage({ channel: shortcut.channel.id, text: `Kept: ${shortcut.message.text}` });
  });
  app.options('site', async ({ ack, options }) =>
    ack({ options: ['north', 'south'].filter((one) => one.includes(options.value)).map(optionOf) }),
  );
  app.view('case', async ({ ack, client, body, view }) => {
    await ack();
    const site = view.state.values.site?.site?.selected_option?.value;
    await client.chat.postMessage({ channel: body.user.id, text: `A case for ${site}` });
  });
  await app.start();
  onTestFinished(async () => void (await app.stop()));
  return { slack, app, heard, ana: slack.person('ana'), ben: slack.person('@ben') };
}

const optionOf = (text: string) => ({ text: plain(text), value: text });

test('people choose, run shortcuts, search, fill in, send and close', async () => {
  const { ana } = await withDesk();
  await ana.type('#help', '/desk');
  await ana.choose('help', 'Urgency', 'High');
  await ana.sees('help', 'Urgency: High');
  await expect(ana.choose('help', 'Urgency', 'Never')).rejects.toThrow(NoSuchOption);

  await ana.shortcut('help', 'Keep it');
  await ana.sees('help', 'Kept: Urgency: High');

  await ana.globalShortcut('New case');
  expect(await ana.search('Site', 'o')).toEqual(['north', 'south']);
  await ana.fill({ Site: 'south' });
  expect((await ana.seesForm(/case/)).fields[0]?.value).toBe('south');
  await ana.submit();
  await ana.sees('@desk', 'A case for south');
  await ana.globalShortcut('New case');
  await ana.dismiss();
  expect(ana.form()).toBeUndefined();
});

test('people post files, write in threads, edit, and see no more than they may', async () => {
  const { ana, ben, slack } = await withDesk();
  await ana.type('help', 'Look at this', { files: [{ name: 'log.txt', content: 'one\ntwo' }] });
  const message = await ben.sees('help', 'Look at this');
  expect(message.files).toEqual([{ name: 'log.txt', mimetype: 'text/plain', size: 7 }]);
  expect(Buffer.from(ben.file('help', 'log.txt')).toString()).toBe('one\ntwo');
  await ben.type('help', 'I do', { thread: message.ts });
  expect((await ana.sees('help', 'I do')).thread).toBe(message.ts);
  expect(await ben.edit('help', message.ts, 'x')).toEqual({
    ok: false,
    error: 'You can edit messages of your own.',
  });
  await ana.edit('help', message.ts, 'Look at that');
  expect((await ben.sees('help', 'Look at that')).isEdited).toBe(true);

  await ana.type('quiet', 'between us');
  expect(await ben.type('quiet', 'me too')).toMatchObject({ ok: false });
  await ana.invite('quiet', 'ben');
  await ben.sees('quiet', 'between us');
  await ben.remove('quiet', 'ben');
  expect(ben.messages('quiet')).toEqual([]);
  expect(slack.transcript()).toMatch(/^#help$[\s\S]*│ {2}?\s*I do[\s\S]*^#quiet$/m);
});

test('a repeated action and a repeated delivery are told apart', async () => {
  const { ana, slack, heard } = await withDesk();
  await expect(slack.badDays.repeat()).rejects.toThrow('Nobody has done anything');
  await ana.type('help', '/desk');
  await ana.sees('help', 'How urgent?');
  await slack.badDays.repeat();
  const [command] = slack.deliveries();
  await slack.badDays.redeliver(command?.id);
  await slack.quiet();
  expect(heard.filter((what) => what === 'command')).toHaveLength(3);
});

test('people, channels and groups change, and the app hears of it', async () => {
  const { ana, slack, heard } = await withDesk();
  await slack.changePerson('ben', { isGuest: true, isDeactivated: true });
  await slack.changeUserGroup('helpers', ['ben']);
  await slack.changeChannel('help', { isShared: true, topic: 'Ask here' });
  await slack.changeChannel('help', { hasApp: false });
  await slack.emit({ type: 'tokens_revoked', tokens: { bot: [slack.botUserId] } });
  await slack.quiet();
  // Eve comes with her organization.
  for (const what of ['user_change', 'subteam_members_changed', 'member_joined_channel', 'channel_shared'])
    expect(heard).toContain(what);
  expect(heard.at(-1)).toBe('tokens_revoked');
  expect(await slack.person('ben').type('help', 'x')).toEqual({ ok: false, error: '@ben is deactivated.' });
  const before = heard.length;
  await ana.type('help', 'Is nobody there?');
  await slack.quiet();
  expect(heard.length, 'the app has left').toBe(before);
  expect(slack.channel('help').id).toBe('C0HELP0000');
  expect(slack.userGroup('helpers').id).toBe('S0HELPERS0');
});
