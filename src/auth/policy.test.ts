import { expect, test } from 'vitest';
import { channelPolicy, groupsIn, roleNames, roles } from './policy.ts';

const valid = { appliance: 'hq', roles: { viewer: 'everyone', helpdesk: ['U0ALICE001', 'S0HELPDESK'] } };

test('a channel says its appliance and who holds which role', () => {
  expect(channelPolicy.parse({ ...valid, name: 'helpdesk' })).toMatchObject({ ...valid, name: 'helpdesk' });
});

test('a channel may name other appliances only when it says so', () => {
  expect(channelPolicy.parse(valid).appliances).toEqual([]);
  for (const appliances of ['all', ['branch', 'branch-2']])
    expect(channelPolicy.parse({ ...valid, appliances }).appliances).toEqual(appliances);
});

test.each([
  ['a name instead of an ID', { ...valid, roles: { viewer: ['alice'] } }],
  ['a mention', { ...valid, roles: { viewer: ['<@U0ALICE001>'] } }],
  ['a channel ID', { ...valid, roles: { viewer: ['C0HELPDESK'] } }],
  ['everyone in a list', { ...valid, roles: { viewer: ['everyone'] } }],
  ['one ID without a list', { ...valid, roles: { viewer: 'U0ALICE001' } }],
  ['a role that does not exist', { ...valid, roles: { boss: 'everyone' } }],
  ['a setting that does not exist', { ...valid, owner: 'U0ALICE001' }],
  ['no appliance', { roles: {} }],
  ['no roles', { appliance: 'hq' }],
  ['one appliance more without a list', { ...valid, appliances: 'branch' }],
  ['all in a list of other than names', { ...valid, appliances: [true] }],
])('%s is refused', (_, channel) => {
  expect(channelPolicy.safeParse(channel).success).toBe(false);
});

test('people of large organisations have IDs with W', () => {
  expect(channelPolicy.safeParse({ ...valid, roles: { viewer: ['W0ALICE001'] } }).success).toBe(true);
});

test('only user groups are looked up, and people are not', () => {
  const channel = channelPolicy.parse({ ...valid, roles: { ...valid.roles, admin: ['S0ADMINS'] } });
  expect(groupsIn(channel)).toEqual(['S0HELPDESK', 'S0ADMINS']);
});

test('every role may look things up, and only the admin may do what is not documented', () => {
  expect(roleNames.every((name) => roles[name].effects.some((effect) => effect === 'read'))).toBe(true);
  expect(roleNames.filter((name) => roles[name].effects.some((effect) => effect === 'unknown'))).toEqual([
    'admin',
  ]);
});
