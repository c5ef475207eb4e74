import { WebClient } from '@slack/web-api';
import nock from 'nock';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSlackLookup } from './people.ts';

const slack = 'https://slack.com';
const lookup = createSlackLookup(new WebClient('xoxb-1', { retryConfig: { retries: 0 } }), 'T0OURS');

beforeEach(() => {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
});
afterEach(() => {
  nock.cleanAll();
  nock.restore();
});

function answer(method: string, reply: object, asked: Readonly<Record<string, string>> = {}): void {
  nock(slack)
    .post(`/api/${method}`, (body) => Object.entries(asked).every(([key, value]) => body[key] === value))
    .reply(200, reply);
}

const ours = { id: 'U1', team_id: 'T0OURS' };

test.each([
  ['member', ours],
  // In an Enterprise organisation somebody may be at home in another workspace, or in none.
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
])('a %s is told by what Slack says: %j', async (kind, user) => {
  answer('users.info', { ok: true, user }, { user: 'U1' });
  expect(await lookup.kindOf('U1')).toBe(kind);
});

test('a name or an administrator of Slack makes no difference', async () => {
  answer('users.info', {
    ok: true,
    user: { ...ours, name: 'root', is_admin: true, is_owner: true, is_restricted: true },
  });
  expect(await lookup.kindOf('U1')).toBe('guest');
});

test('the people of a group are told by their IDs', async () => {
  answer('usergroups.users.list', { ok: true, users: ['U1', 'U2'] }, { usergroup: 'S1' });
  expect(await lookup.peopleIn('S1')).toEqual(['U1', 'U2']);
});

test('what Slack refuses, or answers without an answer, is a failed look-up and not "nobody"', async () => {
  answer('users.info', { ok: false, error: 'user_not_found' });
  await expect(lookup.kindOf('U1')).rejects.toThrow('user_not_found');
  answer('users.info', { ok: true });
  await expect(lookup.kindOf('U1')).rejects.toThrow(/without a user/);
  answer('usergroups.users.list', { ok: false, error: 'no_such_subteam' });
  await expect(lookup.peopleIn('S1')).rejects.toThrow('no_such_subteam');
  answer('usergroups.users.list', { ok: true });
  await expect(lookup.peopleIn('S1')).rejects.toThrow(/without users/);
});
