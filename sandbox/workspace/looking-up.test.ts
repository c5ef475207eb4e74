import type { KnownBlock, MessageAttachment } from '@slack/types';
import { expect, test } from 'vitest';
import { personIn } from '../person.ts';
import type { Manifest } from './manifest.ts';
import { alice, button, client, connect, helpdesk, refusalOf, start } from './testing.ts';
import { transcript } from './transcript.ts';

const scopes = ['chat:write', 'channels:join', 'channels:read', 'im:write', 'team:read', 'users:read.email'];
const manifest: Manifest = {
  features: { app_home: { messages_tab_enabled: true } },
  oauth_config: { scopes: { bot: scopes } },
  settings: { event_subscriptions: { bot_events: ['member_joined_channel'] } },
};

test('an app opens its direct messages with one person, and writes to them', async () => {
  const workspace = await start({ manifest });
  const { conversations, chat } = client(workspace);
  const { channel } = await conversations.open({ users: alice });
  expect(channel?.id).toBe(workspace.direct(alice).id);
  await chat.postMessage({ channel: channel?.id ?? '', text: 'Just for you' });
  expect(workspace.snapshot(alice).messages.at(-1)?.text).toBe('Just for you');
  expect((await conversations.open({ users: alice, return_im: true })).channel).toMatchObject({
    is_im: true,
  });
  const error = async (given: object) =>
    (await refusalOf(client(workspace).apiCall('conversations.open', { ...given }))).error;
  expect(await error({})).toBe('users_list_not_supplied');
  expect(await error({ users: 'U0NOBODY00' })).toBe('user_not_found');
  expect(await error({ channel: helpdesk })).toBe('method_not_supported_for_channel_type');
});

test('an app joins a public channel, which everybody in it reads, and no private one', async () => {
  const workspace = await start({
    manifest,
    channels: [
      { id: 'C0PUBLIC01', name: 'public', botIsMember: false },
      { id: 'C0PRIVATE1', name: 'private', isPrivate: true, botIsMember: false },
    ],
  });
  const joined: string[] = [];
  await connect(workspace, (app) =>
    app.event('member_joined_channel', async ({ event }) => void joined.push(event.user)),
  );
  const { conversations } = client(workspace);
  await conversations.join({ channel: 'C0PUBLIC01' });
  await expect.poll(() => joined).toEqual([workspace.botUserId]);
  expect(transcript(workspace.snapshot(alice), 'public')).toContain('has joined the channel');
  expect(await conversations.join({ channel: 'C0PUBLIC01' })).toMatchObject({
    warning: 'already_in_channel',
  });
  expect((await refusalOf(conversations.join({ channel: 'C0PRIVATE1' }))).error).toBe('channel_not_found');
});

test('an app finds somebody by their e-mail address, and learns the name of the workspace', async () => {
  const workspace = await start({ manifest });
  const { users, team } = client(workspace);
  const [{ email = '' } = {}] = workspace.people;
  expect((await users.lookupByEmail({ email: email.toUpperCase() })).user?.id).toBe(alice);
  expect((await refusalOf(users.lookupByEmail({ email: 'nobody@x.example' }))).error).toBe('users_not_found');
  await workspace.changePerson(alice, { deleted: true });
  expect((await refusalOf(users.lookupByEmail({ email }))).error).toBe('users_not_found');
  expect((await team.info()).team).toMatchObject({ name: 'Harbour Logistics', domain: 'harbour-logistics' });
});

test('a button in an attachment is pressed, and says which attachment it was in', async () => {
  const workspace = await start({ manifest });
  const pressed: unknown[] = [];
  await connect(workspace, (app) =>
    app.action('go', async ({ ack, body }) => {
      await ack();
      if (body.type === 'block_actions') pressed.push(body.container);
    }),
  );
  const actions = (...elements: object[]) => [{ type: 'actions', elements }] as KnownBlock[];
  const post = (...attachments: MessageAttachment[]) =>
    client(workspace).chat.postMessage({ channel: helpdesk, attachments });
  const { ts } = await post(
    { fallback: 'first' },
    { color: 'good', blocks: actions(button('go', 'Go'), button('stay', 'Stay')) },
  );
  const person = personIn(workspace, { idle: async () => undefined }, 'alice');
  expect(await person.press('helpdesk', 'Go')).toEqual({ ok: true });
  expect(pressed).toEqual([
    {
      ...{ type: 'message_attachment', attachment_id: 2, is_app_unfurl: false },
      ...{ message_ts: ts, channel_id: helpdesk, is_ephemeral: false },
    },
  ]);
  expect(await refusalOf(post({ blocks: actions(button('go', 'x'.repeat(76))) }))).toMatchObject({
    error: 'invalid_attachments',
    errors: [expect.stringContaining('[json-pointer:/attachments/0/blocks/0/elements/0/text/text]')],
  });
});

test('attachments are read, and their fallback only where they have nothing else', async () => {
  const workspace = await start({ manifest });
  const { chat } = client(workspace);
  await chat.postMessage({
    channel: helpdesk,
    attachments: [
      {
        pretext: 'Build *7*',
        title: 'main',
        text: 'is green',
        fields: [{ title: 'Tests', value: '120', short: true }],
        footer: 'ci',
        fallback: 'Build 7 is green',
      },
      { fallback: 'no more than this' },
    ],
  });
  const lines = transcript(workspace.snapshot(alice), 'helpdesk').split('\n').slice(3);
  expect(lines.map((line) => line.trim())).toEqual([
    ...['Build 7', '▏ main', '▏ is green', '▏ Tests: 120', '▏ ci'],
    '▏ no more than this',
  ]);
});

test('lookups, openings and joins are refused where Slack refuses them', async () => {
  const workspace = await start({
    manifest,
    people: [
      { id: alice, name: 'alice' },
      { id: 'U0GONE0001', name: 'gone', deleted: true },
      { id: 'U0PARTNER1', name: 'partner', teamId: 'T0PARTNERS', email: 'partner@partners.example' },
    ],
    channels: [
      { id: helpdesk, name: 'helpdesk', isPrivate: true },
      { id: 'C0OLD00001', name: 'old', isArchived: true, botIsMember: false },
    ],
  });
  const refused: [string, object, string][] = [
    ['conversations.open', { users: 'U0GONE0001' }, 'user_disabled'],
    ['conversations.open', { users: 'USLACKBOT' }, 'cannot_dm_bot'],
    // Several people together are not known here.
    ['conversations.open', { users: `${alice},U0PARTNER1` }, 'method_not_supported_for_channel_type'],
    ['conversations.join', { channel: 'C0OLD00001' }, 'is_archived'],
    ['conversations.join', { channel: helpdesk }, 'method_not_supported_for_channel_type'],
    ['conversations.join', { channel: 'C0NOWHERE1' }, 'channel_not_found'],
    ['users.lookupByEmail', { email: 'partner@partners.example' }, 'users_not_found'],
    ['chat.postMessage', { channel: helpdesk, attachments: '{}' }, 'invalid_attachments'],
    ['chat.postMessage', { channel: helpdesk, attachments: '["red"]' }, 'invalid_attachments'],
    ['chat.postMessage', { channel: helpdesk, attachments: '[{"blocks":{}}]' }, 'invalid_attachments'],
    [
      'chat.postMessage',
      { channel: helpdesk, attachments: JSON.stringify(Array.from({ length: 101 }, () => ({ text: 'x' }))) },
      'too_many_attachments',
    ],
  ];
  for (const [method, given, error] of refused) {
    expect(await refusalOf(client(workspace).apiCall(method, { ...given })), method).toMatchObject({ error });
  }
});

test.each([
  ['conversations.open', { users: alice }, 'im:write'],
  ['conversations.join', { channel: helpdesk }, 'channels:join'],
  ['users.lookupByEmail', { email: 'alice@x.example' }, 'users:read.email'],
  ['team.info', {}, 'team:read'],
])('%s needs its scope', async (method, given, needed) => {
  const all = [...scopes, 'mpim:write'];
  const bot = all.filter((scope) => scope !== needed);
  const workspace = await start({ manifest: { oauth_config: { scopes: { bot } } } });
  const refusal = await refusalOf(client(workspace).apiCall(method, { ...given }));
  expect(refusal).toMatchObject({ error: 'missing_scope', needed });
});
