import { expect, test } from 'vitest';
import { type ChannelPolicy, type Policy, shippedApprovals, shippedRoles } from '../../auth/policy.ts';
import { plainText } from '../../handlers/reply.ts';
import { policyDiff } from './policy-diff.ts';

const helpdesk: ChannelPolicy = {
  name: 'helpdesk',
  appliance: 'hq',
  appliances: [],
  roles: { viewer: new Set(['everyone']), operator: new Set(['U1', 'S1']) },
  sharedWrites: false,
};
const before: Policy = {
  channels: { C1: helpdesk },
  holders: { admin: new Set(['U9']) },
  roles: shippedRoles,
  approvals: shippedApprovals,
  emergency: { longest: 4 * 3_600_000 },
  timeZone: 'UTC',
};
const [shipped] = shippedApprovals;
if (shipped === undefined) throw new Error('An approval comes with the bot');
const minutes = 60_000;

const diff = (change: Partial<Policy>, from: Partial<Policy> = {}) =>
  policyDiff({ ...before, ...from }, { ...before, ...change }).map(plainText);
const inChannel = (change: Partial<ChannelPolicy>) => diff({ channels: { C1: { ...helpdesk, ...change } } });

test('the same policy, read again, has no difference', () => {
  expect(policyDiff(before, structuredClone(before))).toEqual([]);
});

test('who gained and who lost a role is told with where, people and groups as such', () => {
  const roles = {
    viewer: new Set<string>(),
    operator: new Set(['S1', 'U2', 'U3']),
    admin: new Set(['everyone']),
  };
  expect(inChannel({ roles })).toEqual([
    'everyone lost viewer in C1.',
    'U2 and U3 gained operator in C1.',
    'U1 lost operator in C1.',
    'everyone gained admin in C1.',
  ]);
  expect(policyDiff(before, { ...before, channels: { C1: { ...helpdesk, roles } } })[1]).toContainEqual({
    kind: 'person',
    id: 'U2',
  });
  expect(diff({ holders: { viewer: new Set(['S2']) } })).toEqual([
    'U9 lost admin everywhere.',
    'S2 gained viewer everywhere.',
  ]);
});

test('a channel that comes or goes is told, with who holds what in it', () => {
  expect(diff({ channels: {} })).toEqual(['Appliance Bot is no longer enabled in C1.']);
  expect(
    diff({
      channels: { C1: helpdesk, C2: { ...helpdesk, only: ['viewer'], sharedWrites: true } },
    }),
  ).toEqual([
    'C2 is served now, on hq, also for changes while it is shared, and only viewer count.',
    'everyone gained viewer in C2.',
    'U1 and S1 gained operator in C2.',
  ]);
});

test.each<[string, Partial<ChannelPolicy>, string]>([
  ['its name', { name: 'desk' }, 'The name of C1 is now desk; it was helpdesk.'],
  ['its appliance', { appliance: 'branch' }, 'The appliance of C1 is now branch; it was hq.'],
  ['its appliances', { appliances: 'all' }, 'What --on may name in C1 is now all; it was none.'],
  ['its appliances', { appliances: ['b', 'c'] }, 'What --on may name in C1 is now b, c; it was none.'],
  ['its only', { only: ['viewer', 'helpdesk'] }, 'In C1 only viewer and helpdesk count now.'],
  ['its only', { only: [] }, 'In C1 no role counts now.'],
  [
    'its shared',
    { sharedWrites: true },
    'What may be done in C1 while it is shared with another organization is now what the roles allow; it was lookups.',
  ],
])('of a channel %s is told', (_, change, told) => {
  expect(inChannel(change)).toEqual([told]);
});

test('a rule of some appliances is told with them', () => {
  const commands = [
    { phrase: 'rdp disconnect', appliance: 'branch' },
    { area: 'acl', tag: 'prod' },
  ];
  expect(diff({ roles: { ...shippedRoles, near: { summary: 'x', commands } } })).toEqual([
    'The role near is new: it may run rdp disconnect on branch and everything of acl on appliances tagged prod.',
  ]);
});

test('a custom role is told when it comes, goes, or may run something else', () => {
  const news = {
    summary: 'keeps 252',
    commands: [{ phrase: 'category add', where: { category: [252, 253] } }],
  };
  const roles = { ...shippedRoles, news };
  expect(diff({ roles })).toEqual([
    'The role news is new: it may run category add with category 252 or 253.',
  ]);
  expect(diff({}, { roles })).toEqual(['The role news is gone.']);
  const wider = { summary: 'x', commands: [{ area: 'acl', effect: 'read' as const }, { area: 'rdp' }] };
  expect(diff({ roles: { ...shippedRoles, news: wider } }, { roles })).toEqual([
    'The role news may run everything of acl with the effect read and everything of rdp now; it was category add with category 252 or 253.',
    'The description of the role news is now x; it was keeps 252.',
  ]);
});

test('an approval is told when it comes, goes, or is on other terms', () => {
  const upgrade = {
    ...shipped,
    commands: [{ area: 'upgrade' }],
    requesters: ['operator'],
    by: ['approver', 'admin'],
    count: 2,
    requester: true,
    open: 90 * minutes,
    reason: { pattern: '^INC' },
    notNeeded: [{ days: [0, 1], from: 480, to: 1_080 }],
    notPossible: [{ days: [5, 6], from: 0, to: 1_440 }],
  };
  const terms =
    '2 of approver or admin, who may be the one who asks within 1 h 30 min, with a reason like ^INC, not needed Mon, Tue 08:00–18:00, not possible Sat, Sun';
  expect(diff({ approvals: [upgrade, shipped] })).toEqual([
    `There is a new approval for everything of upgrade, asked for as operator: ${terms}.`,
  ]);
  expect(diff({}, { approvals: [upgrade, shipped] })).toEqual([
    `An approval for everything of upgrade, asked for as operator is gone: ${terms}.`,
  ]);
  const calmer = { ...shipped, count: 2, reason: undefined };
  expect(diff({ approvals: [calmer] })).toEqual([
    'The approval for emergency enable and emergency extend is now 2 of approver within 15 min; it was 1 of approver within 15 min, with a reason.',
  ]);
  expect(diff({ approvals: [shipped, upgrade] }, { approvals: [upgrade, shipped] })).toEqual([
    'The order of the approvals has changed.',
  ]);
});

test('the limits of emergency mode and the time zone are told', () => {
  expect(
    diff({ emergency: { longest: 30 * minutes, breakGlass: 'admin' }, timeZone: 'Europe/Berlin' }),
  ).toEqual([
    'The longest emergency mode is now 30 min; it was 4 h.',
    'Who may use break-glass is now admin; it was nobody.',
    'The time zone is now Europe/Berlin; it was UTC.',
  ]);
});

test('how long records are kept, and where changes are told, is told', () => {
  expect(diff({ audit: { keep: 400 * 24 * 60 * minutes, channel: 'C0AUDIT' } })).toEqual([
    'How long records are kept is now 400 days; it was for ever.',
    'Changes are announced in C0AUDIT now; before: nowhere.',
  ]);
  expect(diff({ audit: {} })).toEqual([]);
});
