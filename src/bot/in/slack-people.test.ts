import { WebClient } from '@slack/web-api';
import nock from 'nock';
import { expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { createLog } from '../../telemetry/log.ts';
import { createSlackLookup } from './slack-people.ts';

const slack = 'https://slack.com';
const logged: string[] = [];
const lookup = createSlackLookup(
  new WebClient('xoxb-1', { retryConfig: { retries: 0 } }),
  'T0OURS',
  createLog('warn', { write: (line) => void logged.push(line) }),
);

onlyNockAnswers();

function answer(method: string, reply: object, asked: Readonly<Record<string, string>> = {}): void {
  nock(slack)
    .post(`/api/${method}`, (body) => Object.entries(asked).every(([key, value]) => body[key] === value))
    .reply(200, reply);
}

const ours = { id: 'U1', team_id: 'T0OURS' };

test.each([
  ['member', ours],
  // In an Enterprise organisation somebody may belong to another workspace, or to none.
  ['member', { ...ours, team_id: 'E0ORG', enterprise_user: { teams: ['T0OTHER', 'T0OURS'] } }],
  ['guest', { ...ours, team_id: 'T0OTHER', is_restricted: true, enterprise_user: { teams: ['T0OURS'] } }],
  ['other_organisation', { ...ours, team_id: 'T0OTHER', enterprise_user: { teams: ['T0OTHER'] } }],
  ['other_organisation', { ...ours, is_stranger: true, enterprise_user: { teams: ['T0OURS'] } }],
  ['guest', { ...ours, is_restricted: true }],
  ['guest', { ...ours, is_restricted: true, is_ultra_restricted: true }],
  ['guest', { ...ours, is_ultra_restricted: true }],
  ['other_organisation', { ...ours, team_id: 'T0THEIRS' }],
  ['other_organisation', { ...ours, is_stranger: true }],
  ['other_organisation', { ...ours, team_id: 'T0THEIRS', is_restricted: true }],
  ['other_organisation', { id: 'U1' }],
  ['bot', { ...ours, is_bot: true }],
  ['deactivated', { ...ours, deleted: true }],
  ['deactivated', { ...ours, deleted: true, is_bot: true, team_id: 'T0THEIRS' }],
])('a %s is recognised by Slack’s answer: %j', async (kind, user) => {
  answer('users.info', { ok: true, user }, { user: 'U1' });
  expect(await lookup.who('U1')).toMatchObject({ kind });
});

test('a name or an admin role in Slack makes no difference', async () => {
  answer('users.info', {
    ok: true,
    user: { ...ours, name: 'root', is_admin: true, is_owner: true, is_restricted: true },
  });
  expect(await lookup.who('U1')).toMatchObject({ kind: 'guest' });
});

test('two accounts of one human in an organisation are one human, and elsewhere an account is one', async () => {
  const account = (id: string) => ({ ...ours, id, enterprise_user: { id: 'W1', teams: ['T0OURS'] } });
  answer('users.info', { ok: true, user: account('U1') }, { user: 'U1' });
  answer('users.info', { ok: true, user: account('U2') }, { user: 'U2' });
  answer('users.info', { ok: true, user: { ...ours, id: 'U3' } }, { user: 'U3' });
  const humans = ['U1', 'U2', 'U3'].map(async (person) => (await lookup.who(person)).human);
  expect(await Promise.all(humans)).toEqual(['W1', 'W1', 'U3']);
});

test.each([
  [true, { is_ext_shared: true }],
  [true, { is_pending_ext_shared: true }],
  [true, { is_im: true, is_ext_shared: true }],
  [false, { is_ext_shared: false, is_pending_ext_shared: false }],
  // Other workspaces of the same organisation are no strangers.
  [false, { is_shared: true, is_org_shared: true, is_ext_shared: false, is_pending_ext_shared: false }],
  [false, { is_im: true }],
  [false, { is_mpim: true, is_private: true }],
])('sharing with another organisation is %s by Slack’s answer: %j', async (shared, said) => {
  answer('conversations.info', { ok: true, channel: { id: 'C1', ...said } }, { channel: 'C1' });
  expect(await lookup.isShared('C1')).toBe(shared);
});

test('the people of a group are returned by ID', async () => {
  answer('usergroups.users.list', { ok: true, users: ['U1', 'U2'] }, { usergroup: 'S1' });
  expect(await lookup.peopleIn('S1')).toEqual(['U1', 'U2']);
});

test('a deleted group has no members, and is no failed lookup', async () => {
  answer('usergroups.users.list', { ok: false, error: 'no_such_subteam' });
  expect(await lookup.peopleIn('S1')).toEqual([]);
});

test.each([
  ['plan_upgrade_required', /paid plan/],
  ['unknown_method', /doesn’t know user groups.*another Slack-compatible server/],
  ['missing_scope', /usergroups:read/],
])('a group that Slack does not disclose (%s) is logged with its code and the remedy', async (code, cure) => {
  logged.length = 0;
  answer('usergroups.users.list', { ok: false, error: code });
  expect(await lookup.peopleIn('S1')).toBe('unreadable');
  expect(JSON.parse(logged.join(''))).toMatchObject({ group: 'S1', code, cure: expect.stringMatching(cure) });
});

test('the channels of a person are read page by page, each with its name if it has one', async () => {
  const [named, direct] = [{ id: 'C1', name: 'ops' }, { id: 'D1' }];
  const more = { response_metadata: { next_cursor: 'more' } };
  answer('users.conversations', { ok: true, channels: [named], ...more }, { user: 'U1' });
  answer('users.conversations', { ok: true, channels: [direct] }, { user: 'U1', cursor: 'more' });
  expect([...(await lookup.channelsOf('U1'))]).toEqual([
    ['C1', 'ops'],
    ['D1', ''],
  ]);
});

test('the names of people are read page by page', async () => {
  const bob = { id: 'U1', name: 'bob', real_name: 'Bob Okafor', profile: { display_name: 'bobby' } };
  answer('users.list', { ok: true, members: [bob], response_metadata: { next_cursor: 'more' } });
  answer('users.list', { ok: true, members: [{ id: 'U2', name: 'vic' }] }, { cursor: 'more' });
  expect(await lookup.everybody()).toEqual([
    { id: 'U1', handle: 'bob', names: ['Bob Okafor', 'bobby'] },
    { id: 'U2', handle: 'vic', names: [] },
  ]);
});

test('a refusal of Slack, or an answer without content, is a failed lookup, and not "nobody" or "not shared"', async () => {
  answer('users.info', { ok: false, error: 'user_not_found' });
  await expect(lookup.who('U1')).rejects.toThrow('user_not_found');
  answer('users.info', { ok: true });
  await expect(lookup.who('U1')).rejects.toThrow(/returned no user/);
  answer('usergroups.users.list', { ok: false, error: 'missing_scope' });
  expect(await lookup.peopleIn('S1')).toBe('unreadable');
  answer('usergroups.users.list', { ok: true });
  await expect(lookup.peopleIn('S1')).rejects.toThrow(/returned no users/);
  answer('users.list', { ok: true });
  await expect(lookup.everybody()).rejects.toThrow(/returned no members/);
  answer('conversations.info', { ok: false, error: 'channel_not_found' });
  await expect(lookup.isShared('C1')).rejects.toThrow('channel_not_found');
  answer('conversations.info', { ok: true });
  await expect(lookup.isShared('C1')).rejects.toThrow(/returned no channel/);
  answer('users.conversations', { ok: false, error: 'missing_scope' });
  await expect(lookup.channelsOf('U1')).rejects.toThrow('missing_scope');
  answer('users.conversations', { ok: true });
  await expect(lookup.channelsOf('U1')).rejects.toThrow(/returned no channels/);
});
