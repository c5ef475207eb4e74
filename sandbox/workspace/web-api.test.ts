import { expect, test } from 'vitest';
import type { Manifest } from './manifest.ts';
import { type Method, methods } from './methods.ts';
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
  expect(await error(alice)).toBe('messages_tab_disabled');
  expect(await error(helpdesk, '')).toBe('no_text');
  expect(await client(workspace).chat.postMessage({ channel: '#helpdesk', text: 'by name' })).toMatchObject({
    channel: helpdesk,
  });
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

test('people, user groups and channels are told as they are', async () => {
  const workspace = await start({ manifest: withScopes('users:read', 'usergroups:read', 'channels:read') });
  const web = client(workspace);
  expect(await web.users.info({ user: 'U0GUS00001' })).toMatchObject({
    user: { is_restricted: true, team_id: workspace.teamId },
  });
  const eve = await web.users.info({ user: 'U0EVE00001' });
  expect(eve.user).toMatchObject({ team_id: 'T0NORDWIND', is_stranger: false });
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

test('a change of a user group is answered at once and told to the app that subscribes', async () => {
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
