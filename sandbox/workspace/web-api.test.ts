import { expect, test } from 'vitest';
import type { Manifest } from './manifest.ts';
import type { Method } from './methods/method.ts';
import { methods } from './methods.ts';
import { alice, bob, client, helpdesk, incident, refusalOf, start } from './testing.ts';

const withScopes = (...bot: string[]): Manifest => ({ oauth_config: { scopes: { bot } } });
const section = (text: string) => [{ type: 'section' as const, text: { type: 'mrkdwn' as const, text } }];

test('a call needs a token, the right kind of it, and a method that exists', async () => {
  const workspace = await start();
  const error = async (token: string, method: string) =>
    (await refusalOf(client(workspace, token).apiCall(method))).error;
  expect(await error('', 'auth.test')).toBe('not_authed');
  expect(await error('xoxb-wrong', 'auth.test')).toBe('invalid_auth');
  expect(await error(workspace.appToken, 'auth.test')).toBe('not_allowed_token_type');
  expect(await error(workspace.botToken, 'apps.connections.open')).toBe('not_allowed_token_type');
  expect(await error(workspace.botToken, 'chat.shout')).toBe('unknown_method');
  expect(await client(workspace).auth.test()).toMatchObject({
    user_id: workspace.botUserId,
    team_id: workspace.teamId,
  });
});

test('JSON bodies and tokens among the arguments work as forms do', async () => {
  const workspace = await start();
  const call = async (headers: Record<string, string>, body: string) =>
    (await fetch(`${workspace.apiUrl}chat.postMessage`, { method: 'POST', headers, body })).json();
  const json = { 'content-type': 'application/json', authorization: `Bearer ${workspace.botToken}` };
  expect(await call(json, JSON.stringify({ channel: helpdesk, blocks: section('a') }))).toMatchObject({
    ok: true,
  });
  const form = new URLSearchParams({ token: workspace.botToken, channel: helpdesk, blocks: '[{' });
  const urlencoded = { 'content-type': 'application/x-www-form-urlencoded' };
  expect(await call(urlencoded, form.toString())).toEqual({ ok: false, error: 'invalid_blocks_format' });
  expect(JSON.stringify(workspace.log.calls())).not.toContain(workspace.botToken);
});

test.each(
  Object.entries<Method>(methods).filter(([, { token, scopes }]) => token === 'bot' && scopes.length > 0),
)('%s is refused without its scope', async (name, { scopes }) => {
  const workspace = await start({ manifest: withScopes('commands') });
  expect(await refusalOf(client(workspace).apiCall(name))).toMatchObject({
    error: 'missing_scope',
    needed: scopes.join(','),
    provided: 'commands',
  });
});

test('a message needs a channel the bot is in, that is not archived, and something to say', async () => {
  const workspace = await start({
    channels: [
      { id: helpdesk, name: 'helpdesk' },
      { id: 'C0OUTSIDE1', name: 'outside', botIsMember: false },
      { id: 'C0SECRET01', name: 'secret', botIsMember: false, isPrivate: true },
      { id: 'C0OLD00001', name: 'old', isArchived: true },
    ],
  });
  const error = async (channel: string, text = 'hello') =>
    (await refusalOf(client(workspace).chat.postMessage({ channel, text }))).error;
  expect(await error('C0OUTSIDE1')).toBe('not_in_channel');
  expect(await error('C0SECRET01')).toBe('channel_not_found');
  expect(await error('C0NOWHERE1')).toBe('channel_not_found');
  expect(await error('C0OLD00001')).toBe('is_archived');
  expect(await error('U0NOBODY01')).toBe('channel_not_found');
  expect(await error(helpdesk, '')).toBe('no_text');
  expect(await client(workspace).chat.postMessage({ channel: '#helpdesk', text: 'by name' })).toMatchObject({
    channel: helpdesk,
  });
});

test('a message to a person stands in their direct messages with the app, where nobody else reads it', async () => {
  const workspace = await start();
  const web = client(workspace);
  const { channel, ts = '' } = await web.chat.postMessage({ channel: alice, text: 'for you' });
  expect(channel).toBe(workspace.direct(alice).id);
  expect(channel).toMatch(/^D/);
  expect(workspace.snapshot(alice)).toMatchObject({
    channels: expect.arrayContaining([expect.objectContaining({ id: channel, name: 'appliance-bot' })]),
    messages: [{ channel, text: 'for you' }],
  });
  expect(workspace.snapshot(bob).messages).toEqual([]);
  expect(workspace.snapshot(bob).channels.map(({ id }) => id)).not.toContain(channel);
  await web.chat.postMessage({ channel: alice, text: 'again' });
  await web.chat.update({ channel: channel ?? '', ts, text: 'changed' });
  expect(workspace.snapshot(alice).messages.map(({ text }) => text)).toEqual(['changed', 'again']);
});

test('without a Messages tab nobody gets direct messages', async () => {
  const scopes = withScopes('chat:write');
  const tab = (messages_tab_enabled: boolean) => ({ features: { app_home: { messages_tab_enabled } } });
  const post = async (isThere: boolean) => {
    const workspace = await start({ manifest: { ...scopes, ...tab(isThere) } });
    return client(workspace).chat.postMessage({ channel: alice, text: 'for you' });
  };
  expect((await refusalOf(post(false))).error).toBe('messages_tab_disabled');
  expect(await post(true)).toMatchObject({ ok: true });
});

test('a read-only Messages tab says so', async () => {
  const direct = async (messages_tab_read_only_enabled: boolean) => {
    const app_home = { messages_tab_enabled: true, messages_tab_read_only_enabled };
    const workspace = await start({ manifest: { features: { app_home } } });
    const { id } = workspace.direct(alice);
    const { channels } = workspace.snapshot(alice);
    expect(channels.filter(({ isReadOnly }) => isReadOnly).length).toBe(
      messages_tab_read_only_enabled ? 1 : 0,
    );
    return channels.find((channel) => channel.id === id)?.isReadOnly;
  };
  expect(await direct(true)).toBe(true);
  expect(await direct(false)).toBeUndefined();
});

test('posted text is cut at 40,000 characters, updated text over 4,000 is refused', async () => {
  const workspace = await start();
  const web = client(workspace);
  const { ts = '', message } = await web.chat.postMessage({ channel: helpdesk, text: 'x'.repeat(50_000) });
  expect(message?.text).toHaveLength(40_000);
  expect((await refusalOf(web.chat.update({ channel: helpdesk, ts, text: 'x'.repeat(4001) }))).error).toBe(
    'msg_too_long',
  );
  expect(await web.chat.update({ channel: helpdesk, ts, text: 'x'.repeat(4000) })).toMatchObject({
    ok: true,
  });
});

test('an update replaces only the own message; text without blocks takes the blocks away, and metadata stays', async () => {
  const workspace = await start();
  const web = client(workspace);
  const metadata = { event_type: 'action', event_payload: { id: '7' } };
  const { ts = '' } = await web.chat.postMessage({
    channel: helpdesk,
    text: 'a',
    blocks: section('a'),
    metadata,
  });
  const shown = () => workspace.snapshot(alice).messages.find((message) => message.ts === ts);

  await web.chat.update({ channel: helpdesk, ts, blocks: section('b') });
  expect(shown()).toMatchObject({ text: 'a', edited: false, blocks: [{ text: { text: 'b' } }] });
  const { message } = await web.chat.update({ channel: helpdesk, ts, text: 'c' });
  expect(message).toMatchObject({ text: 'c', metadata });
  expect(shown()?.blocks).toBeUndefined();
  expect(shown()?.edited).toBe(true);

  await workspace.act({ act: 'type', as: alice, channel: helpdesk, text: 'mine' });
  const mine = workspace.snapshot(alice).messages.at(-1)?.ts ?? '';
  const { message_ts = '' } = await web.chat.postEphemeral({ channel: helpdesk, user: alice, text: 'psst' });
  const error = async (wrong: string) =>
    (await refusalOf(web.chat.update({ channel: helpdesk, ts: wrong, text: 'd' }))).error;
  expect(await error(mine)).toBe('cant_update_message');
  expect(await error(message_ts)).toBe('message_not_found');
  expect(await error('1.000001')).toBe('message_not_found');
  expect((await refusalOf(web.chat.delete({ channel: helpdesk, ts: mine }))).error).toBe(
    'cant_delete_message',
  );
  await web.chat.delete({ channel: helpdesk, ts });
  expect(shown()).toBeUndefined();
});

test("a reply counts under its parent; a reply to a reply's ts is misplaced, and to nothing refused", async () => {
  const workspace = await start();
  const web = client(workspace);
  const say = async (text: string, thread_ts?: string) =>
    (
      await web.chat.postMessage({
        channel: helpdesk,
        text,
        ...(thread_ts === undefined ? {} : { thread_ts }),
      })
    ).ts ?? '';
  const root = await say('root');
  const reply = await say('reply', root);
  await say('lost', reply);
  expect((await refusalOf(say('nowhere', '1.000001'))).error).toBe('thread_not_found');
  expect(
    workspace
      .snapshot(alice)
      .messages.map(({ text, reply_count, thread_ts }) => [text, reply_count, thread_ts]),
  ).toEqual([
    ['root', 1, undefined],
    ['reply', 0, root],
    ['lost', 0, reply],
  ]);
});

test('a reply is sent to the channel, too, where the app asks for it', async () => {
  const workspace = await start();
  const web = client(workspace);
  const { ts = '' } = await web.chat.postMessage({ channel: helpdesk, text: 'root' });
  const posted = await web.chat.postMessage({
    channel: helpdesk,
    text: 'everybody reads this',
    thread_ts: ts,
    reply_broadcast: true,
  });
  expect(posted.message?.subtype).toBe('thread_broadcast');
  await web.chat.postMessage({ channel: helpdesk, text: 'only the thread', thread_ts: ts });
  expect(workspace.snapshot(alice).messages.map(({ text, is_broadcast }) => [text, is_broadcast])).toEqual([
    ['root', undefined],
    ['everybody reads this', true],
    ['only the thread', undefined],
  ]);
});

test('an ephemeral message reaches one member only', async () => {
  const workspace = await start({ channels: [{ id: helpdesk, name: 'helpdesk', members: [alice] }] });
  const web = client(workspace);
  await web.chat.postEphemeral({ channel: helpdesk, user: alice, text: 'psst' });
  expect(workspace.snapshot(alice).messages).toMatchObject([{ ephemeral_to: alice }]);
  expect(
    (await refusalOf(web.chat.postEphemeral({ channel: helpdesk, user: bob, text: 'psst' }))).error,
  ).toBe('user_not_in_channel');
});

test('a ts is unique in its channel only', async () => {
  const workspace = await start({ clock: () => 1_790_000_000_000 });
  const web = client(workspace);
  const ts = async (channel: string) => (await web.chat.postMessage({ channel, text: 'a' })).ts;
  expect(await ts(helpdesk)).toBe('1790000000.000000');
  expect(await ts(helpdesk)).toBe('1790000000.000001');
  expect(await ts(incident)).toBe('1790000000.000000');
});

test('people, user groups and channels are reported as they are', async () => {
  const workspace = await start({ manifest: withScopes('users:read', 'usergroups:read', 'channels:read') });
  const web = client(workspace);
  expect(await web.users.info({ user: 'U0GUS00001' })).toMatchObject({
    user: { is_restricted: true, team_id: workspace.teamId },
  });
  const eve = await web.users.info({ user: 'U0EVE00001' });
  expect(eve.user).toMatchObject({ team_id: 'T0THEOTHER', is_stranger: false });
  expect((await refusalOf(web.users.info({ user: 'U0NOBODY01' }))).error).toBe('user_not_found');
  expect((await web.usergroups.users.list({ usergroup: 'S0OPERATOR' })).users).toEqual([bob]);
  expect((await refusalOf(web.usergroups.users.list({ usergroup: 'S0NOTHING1' }))).error).toBe(
    'no_such_subteam',
  );
  expect((await web.conversations.info({ channel: helpdesk })).channel).toMatchObject({
    name: 'helpdesk',
    is_member: true,
  });
  const first = await web.users.list({ limit: 2 });
  expect(first.members).toHaveLength(2);
  const next = await web.users.list({ limit: 2, cursor: first.response_metadata?.next_cursor ?? '' });
  expect(next.members?.[0]?.id).toBe('U0CAROL001');
});

test('two accounts of one human share only their enterprise user', async () => {
  const web = client(await start());
  const user = async (id: string) => (await web.users.info({ user: id })).user;
  const [carol, carla] = [await user('U0CAROL001'), await user('U0CARLA001')];
  expect(carla).toMatchObject({ name: 'carla', is_restricted: false, team_id: carol?.team_id });
  expect(carla?.enterprise_user?.id).toBe(carol?.enterprise_user?.id);
  expect(carla?.enterprise_user?.teams).toEqual([carla?.team_id]);
  expect((await user(alice))?.enterprise_user).toBeUndefined();
});

test('the sharing of a channel is visible for each kind of channel to apps that may read it', async () => {
  const workspace = await start();
  const web = client(workspace);
  const info = async (channel: string) => (await web.conversations.info({ channel })).channel;
  expect(await info('C0PARTNERS')).toMatchObject({ is_ext_shared: true, is_shared: true });
  expect(await info(helpdesk)).toMatchObject({ is_ext_shared: false, is_pending_ext_shared: false });
  expect(await info(workspace.direct(alice).id)).toMatchObject({ is_im: true, is_ext_shared: false });
  await workspace.changeChannel(helpdesk, { isPendingExtShared: true });
  expect(await info(helpdesk)).toMatchObject({ is_ext_shared: false, is_pending_ext_shared: true });
  const narrow = await start({ manifest: withScopes('channels:read') });
  const refused = client(narrow).conversations.info({ channel: narrow.direct(alice).id });
  expect(await refusalOf(refused)).toMatchObject({ error: 'missing_scope', needed: 'im:read' });
});

test('conversations are listed by type, each with the scope of its kind, and a direct one says with whom', async () => {
  const workspace = await start({ manifest: withScopes('channels:read', 'im:read') });
  const { id } = workspace.direct(alice);
  const list = async (types: string, of = workspace) =>
    (await client(of).conversations.list({ types })).channels;
  expect(await list('im')).toEqual([expect.objectContaining({ id, user: alice, is_im: true })]);
  expect((await list('public_channel'))?.map(({ name }) => name)).toContain('helpdesk');
  expect((await refusalOf(list('secret_channel'))).error).toBe('invalid_types');
  const narrow = await start({ manifest: withScopes('channels:read') });
  const refusal = { error: 'missing_scope', needed: 'im:read' };
  expect(await refusalOf(list('public_channel,im', narrow))).toMatchObject(refusal);
});

test('the channels of a person are listed, the private ones only where the app is a member, too', async () => {
  const members = [alice];
  const workspace = await start({
    channels: [
      { id: 'C0OPEN0001', name: 'open', members, botIsMember: false },
      { id: 'C0OTHERS01', name: 'others', members: ['U0BOB00001'] },
      { id: 'C0SECRET01', name: 'secret', members, isPrivate: true, botIsMember: false },
      { id: 'C0TEAM0001', name: 'team', members, isPrivate: true },
    ],
  });
  const { id } = workspace.direct(alice);
  workspace.direct('U0BOB00001');
  const web = client(workspace);
  const of = async (types?: string) => {
    const asked = { user: alice, ...(types !== undefined && { types }) };
    return (await web.users.conversations(asked)).channels?.map((channel) => channel.name ?? channel.id);
  };
  expect(await of()).toEqual(['open']);
  expect(await of('public_channel,private_channel,mpim,im')).toEqual(['open', 'team', id]);
  expect((await refusalOf(web.users.conversations({ user: 'U0NOBODY01' }))).error).toBe('user_not_found');
});

test('sharing a channel brings the other organisation in, unsharing it removes them, and the app hears of both', async () => {
  const workspace = await start({ eventRetryDelaysMs: [] });
  const eve = 'U0EVE00001';
  const seenByEve = () => workspace.snapshot(eve).channels.map(({ name }) => name);
  const seenByAlice = () => workspace.snapshot(alice).people.map(({ name }) => name);
  expect(seenByEve()).toEqual(['partners']);
  await workspace.changeChannel(helpdesk, { isExtShared: true });
  expect(seenByEve()).toEqual(['helpdesk', 'partners']);
  await workspace.changeChannel(helpdesk, { topic: 'Still shared' });
  await workspace.changeChannel(helpdesk, { isExtShared: false });
  expect(seenByEve()).toEqual(['partners']);
  expect(seenByAlice()).toContain('eve');
  await workspace.changeChannel('C0PARTNERS', { isExtShared: false });
  expect(seenByAlice()).not.toContain('eve');
  const told = workspace.log.envelopes().map(({ what }) => what);
  expect(told.filter((what) => what.startsWith('channel_'))).toEqual([
    'channel_shared',
    'channel_unshared',
    'channel_unshared',
  ]);
  // One event comes for the new member.
  expect(told.filter((what) => !what.startsWith('channel_'))).toEqual(['member_joined_channel']);
});

test('a change of a user group is answered at once and reaches a subscribed app', async () => {
  const workspace = await start({ eventRetryDelaysMs: [] });
  await workspace.changeUserGroup('S0OPERATOR', { users: [alice, bob] });
  expect((await client(workspace).usergroups.users.list({ usergroup: 'S0OPERATOR' })).users).toEqual([
    alice,
    bob,
  ]);
  expect(workspace.log.envelopes().map(({ what }) => what)).toEqual([
    'subteam_members_changed',
    'subteam_updated',
  ]);
});

test('every fault happens once, to the call it was meant for', async () => {
  const workspace = await start();
  const web = client(workspace);
  const post = () => web.chat.postMessage({ channel: helpdesk, text: 'a' });
  workspace.faults.next('chat.postMessage', { kind: 'rate_limited', retryAfter: 7 });
  await expect(post()).rejects.toMatchObject({ retryAfter: 7 });
  workspace.faults.next('chat.postMessage', { kind: 'http', status: 500 });
  await expect(post()).rejects.toMatchObject({ statusCode: 500 });
  workspace.faults.next('chat.postMessage', { kind: 'error', error: 'restricted_action' });
  expect((await refusalOf(post())).error).toBe('restricted_action');
  workspace.faults.next('chat.postMessage', { kind: 'close', when: 'before' });
  await expect(post()).rejects.toThrow();
  expect(workspace.snapshot(alice).messages).toEqual([]);
  workspace.faults.next('chat.postMessage', { kind: 'close', when: 'after' });
  await expect(post()).rejects.toThrow();
  expect(workspace.snapshot(alice).messages).toHaveLength(1);
  workspace.faults.next('chat.postMessage', { kind: 'hang' });
  await expect(
    fetch(`${workspace.apiUrl}chat.postMessage`, { signal: AbortSignal.timeout(50) }),
  ).rejects.toThrow();
  await post();
  expect(workspace.snapshot(alice).messages).toHaveLength(2);
  expect(workspace.log.calls('chat.postMessage').map(({ ok, status }) => [ok, status])).toEqual([
    [false, 429],
    [false, 500],
    [false, 200],
    [false, 0],
    [false, 0],
    [false, 0],
    [true, 200],
  ]);
});

test('with rate limits on, a sixth message at once waits a second, in that channel only', async () => {
  let now = 1_790_000_000_000;
  const workspace = await start({ rateLimits: true, clock: () => now });
  const post = (channel: string) => client(workspace).chat.postMessage({ channel, text: 'a' });
  for (let count = 1; count <= 5; count += 1) await post(helpdesk);
  await expect(post(helpdesk)).rejects.toMatchObject({ retryAfter: 1 });
  await post(incident);
  now += 1000;
  await post(helpdesk);
});

test('a message has a permanent address, in a thread with its thread, for those who may read it', async () => {
  const workspace = await start({
    channels: [
      { id: helpdesk, name: 'helpdesk' },
      { id: 'C0SECRET01', name: 'secret', botIsMember: false, isPrivate: true },
    ],
  });
  const web = client(workspace);
  const { ts = '' } = await web.chat.postMessage({ channel: helpdesk, text: 'root' });
  const { ts: reply = '' } = await web.chat.postMessage({ channel: helpdesk, text: 'reply', thread_ts: ts });
  const link = (message_ts: string, channel: string = helpdesk) =>
    web.chat.getPermalink({ channel, message_ts });
  const address = (of: string) => `${workspace.url}/archives/${helpdesk}/p${of.replace('.', '')}`;
  expect(await link(ts)).toMatchObject({ channel: helpdesk, permalink: address(ts) });
  expect((await link(reply)).permalink).toBe(`${address(reply)}?thread_ts=${ts}&cid=${helpdesk}`);
  expect((await refusalOf(link('1.000001'))).error).toBe('message_not_found');
  await workspace.act({ act: 'type', as: alice, channel: 'C0SECRET01', text: 'between us' });
  const secret = workspace.snapshot(alice).messages.at(-1)?.ts ?? '';
  expect((await refusalOf(link(secret, 'C0SECRET01'))).error).toBe('channel_not_found');
});

test('a Home tab is refused when it is too large or stale', async () => {
  const workspace = await start();
  const web = client(workspace);
  const publish = (blocks: number, hash?: string) =>
    web.views.publish({
      user_id: alice,
      view: { type: 'home', blocks: Array.from({ length: blocks }, () => ({ type: 'divider' as const })) },
      ...(hash === undefined ? {} : { hash }),
    });
  const first = await publish(1);
  const second = await publish(100, first.view?.hash);
  expect((await refusalOf(publish(1, first.view?.hash))).error).toBe('hash_conflict');
  expect(await publish(1, second.view?.hash)).toMatchObject({ ok: true });
  expect(await refusalOf(publish(101))).toMatchObject({
    error: 'invalid_arguments',
    response_metadata: { messages: ['[ERROR] no more than 100 items allowed [json-pointer:/view/blocks]'] },
  });
  const huge = await refusalOf(
    web.views.publish({
      user_id: alice,
      view: { type: 'home', private_metadata: 'x'.repeat(260_000), blocks: [] },
    }),
  );
  expect(huge.error).toBe('view_too_large');
});

const history = ['channels:history', 'groups:history', 'im:history', 'mpim:history'] as const;

test('the history of a channel comes newest first, with only the broadcast replies of threads', async () => {
  const workspace = await start({ manifest: withScopes('chat:write', ...history) });
  const web = client(workspace);
  const say = async (text: string, thread?: string, also?: { reply_broadcast: true }) => {
    const place = thread === undefined ? {} : { thread_ts: thread, ...also };
    return (await web.chat.postMessage({ channel: helpdesk, text, ...place })).ts ?? '';
  };
  const root = await say('root');
  await say('only the thread', root);
  await say('everybody', root, { reply_broadcast: true });
  await web.chat.postEphemeral({ channel: helpdesk, user: alice, text: 'psst' });
  await workspace.act({ act: 'type', as: bob, channel: helpdesk, text: 'hello' });
  const { messages, has_more } = await web.conversations.history({ channel: helpdesk });
  expect(messages?.map(({ text, user }) => [text, user])).toEqual([
    ['hello', bob],
    ['everybody', workspace.botUserId],
    ['root', workspace.botUserId],
  ]);
  expect(has_more).toBe(false);

  const thread = async (ts: string) =>
    (await web.conversations.replies({ channel: helpdesk, ts })).messages?.map(({ text }) => text);
  expect(await thread(root)).toEqual(['root', 'only the thread', 'everybody']);
  expect(await thread(messages?.[1]?.ts ?? ''), 'named by one of its replies').toHaveLength(3);
  expect(await thread(messages?.[0]?.ts ?? ''), 'of a message without replies').toEqual(['hello']);
  expect((await refusalOf(thread('1.000001'))).error).toBe('thread_not_found');
});

test('the metadata of messages is returned on request', async () => {
  const workspace = await start({ manifest: withScopes('chat:write', ...history) });
  const web = client(workspace);
  const metadata = { event_type: 'action', event_payload: { id: '7' } };
  const { ts = '' } = await web.chat.postMessage({ channel: helpdesk, text: 'a', metadata });
  const told = async (more: { include_all_metadata?: boolean }) => [
    (await web.conversations.history({ channel: helpdesk, ...more })).messages?.[0],
    (await web.conversations.replies({ channel: helpdesk, ts, ...more })).messages?.[0],
  ];
  for (const message of await told({ include_all_metadata: true }))
    expect(message).toMatchObject({ metadata });
  for (const message of await told({})) expect(message).not.toHaveProperty('metadata');
});

test('messages are limited in time and come in pages', async () => {
  let now = 1_790_000_000_000;
  const workspace = await start({ manifest: withScopes('chat:write', ...history), clock: () => now });
  const web = client(workspace);
  const root = (await web.chat.postMessage({ channel: helpdesk, text: '0' })).ts ?? '';
  for (const text of ['1', '2', '3', '4']) {
    now += 1_000;
    await web.chat.postMessage({ channel: helpdesk, text });
    await web.chat.postMessage({ channel: helpdesk, text: `reply ${text}`, thread_ts: root });
  }
  type Limits = {
    oldest?: string;
    latest?: string;
    inclusive?: boolean;
    limit?: number;
    cursor?: string;
  };
  const spoken = async (limits: Limits) =>
    (await web.conversations.history({ channel: helpdesk, ...limits })).messages?.map(({ text }) => text);
  const [one, three] = ['1790000001.000000', '1790000003.000000'];
  expect(await spoken({ oldest: one, latest: three })).toEqual(['2']);
  expect(await spoken({ oldest: one, latest: three, inclusive: true })).toEqual(['3', '2', '1']);
  expect(await spoken({ oldest: '1790000002' }), 'without its microseconds').toEqual(['4', '3']);

  const first = await web.conversations.history({ channel: helpdesk, limit: 3 });
  expect(first.messages?.map(({ text }) => text)).toEqual(['4', '3', '2']);
  expect(first.has_more).toBe(true);
  const cursor = first.response_metadata?.next_cursor ?? '';
  expect(await spoken({ limit: 3, cursor })).toEqual(['1', '0']);

  const { messages } = await web.conversations.replies({ channel: helpdesk, ts: root, oldest: three });
  expect(
    messages?.map(({ text }) => text),
    'the first message is always told',
  ).toEqual(['0', 'reply 3', 'reply 4']);
  const refused = async (limits: Limits) => (await refusalOf(spoken(limits))).error;
  expect(await refused({ limit: 1_000 })).toBe('invalid_limit');
  expect(await refused({ oldest: 'yesterday' })).toBe('invalid_ts_oldest');
  expect(await refused({ cursor: 'nonsense' })).toBe('invalid_cursor');
});

test('messages are readable for members, with the scope of the kind of channel', async () => {
  const channels = [
    { id: helpdesk, name: 'helpdesk' },
    { id: 'C0SECRET01', name: 'secret', isPrivate: true },
    { id: 'C0OUTSIDE1', name: 'outside', botIsMember: false },
    { id: 'C0HIDDEN01', name: 'hidden', botIsMember: false, isPrivate: true },
  ];
  const workspace = await start({ channels, manifest: withScopes(...history) });
  const asked = (of: typeof workspace, channel: string) => client(of).conversations.history({ channel });
  const error = async (of: typeof workspace, channel: string) => (await refusalOf(asked(of, channel))).error;
  for (const channel of [helpdesk, 'C0SECRET01', workspace.direct(alice).id])
    expect(await asked(workspace, channel)).toMatchObject({ messages: [] });
  expect(await error(workspace, 'C0OUTSIDE1')).toBe('not_in_channel');
  expect(await error(workspace, 'C0HIDDEN01')).toBe('channel_not_found');
  expect(await error(workspace, alice), 'a person is no channel').toBe('channel_not_found');

  for (const [needed, other, channel] of [
    ['channels:history', 'im:history', () => helpdesk],
    ['groups:history', 'channels:history', () => 'C0SECRET01'],
    ['im:history', 'groups:history', (of: typeof workspace) => of.direct(alice).id],
  ] as const) {
    const narrow = await start({ channels, manifest: withScopes(other) });
    const refusal = { error: 'missing_scope', needed, provided: other };
    expect(await refusalOf(asked(narrow, channel(narrow)))).toMatchObject(refusal);
    const thread = client(narrow).conversations.replies({ channel: channel(narrow), ts: '1.000001' });
    expect(await refusalOf(thread)).toMatchObject(refusal);
  }
});
