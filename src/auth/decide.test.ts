import { describe, expect, test } from 'vitest';
import { holdersOf, type Lists, policyOf, servedTo, subjectOf, toRun } from '../../test/policy.ts';
import { allows as allowsRequest, decide as decideRequest, groupsIn, heldRoles, rolesFor } from './decide.ts';
import { type ChannelPolicy, everyone, type Policy, shippedRoles } from './policy.ts';
import type { ChannelSharing, Identity, PersonKind, RequestedCommand, Where } from './request.ts';

const here = 'C0HELPDESK';
const other = 'C0OTHER';
const alice = 'U0ALICE001';
const night = 'S0NIGHT';

type Run = [what: RequestedCommand, who: Identity, where: Where, policy: Policy];
const decide = (...[what, who, where, policy]: Run) => decideRequest(toRun(what, who, where), policy);
const allows = (...[what, who, where, policy]: Run) => allowsRequest(toRun(what, who, where), policy);

const read = subjectOf({ name: 'rdp sessions', area: 'rdp', effect: 'read', open: false });
const disconnect = subjectOf({ name: 'rdp disconnect', area: 'rdp', effect: 'destructive', open: false });
const add = subjectOf({ name: 'category add', area: 'category', effect: 'write', open: false });
const help = subjectOf({ name: 'help', area: 'help', effect: 'read', open: true });

const served = (lists: Lists, more: Partial<ChannelPolicy> = {}): Policy =>
  policyOf({ [here]: servedTo(lists, more) });
const at = (channel: string, place: ChannelSharing = 'own') => ({ channel, place });
const person = (kind: PersonKind, id = alice, ...groups: string[]): Identity => ({
  kind,
  id,
  human: id,
  groups: new Set(groups),
});
const member = (id = alice, ...groups: string[]): Identity => person('member', id, ...groups);
const outsiders = ['guest', 'other_organisation'] as const;

describe('by default, no', () => {
  test('a channel that is not served serves nothing', () => {
    expect(decide(read, member(), at('C0ELSEWHERE'), served({}))).toEqual({
      allow: false,
      denial: { code: 'channel_not_served', elsewhere: [] },
    });
  });

  test('a channel without roles serves nobody', () => {
    expect(decide(read, member(), at(here), served({}))).toEqual({
      allow: false,
      denial: { code: 'role_missing', command: 'rdp sessions', held: [], needed: [], elsewhere: [] },
    });
  });

  test('a role without holders is held by nobody', () => {
    expect(decide(read, member(), at(here), served({ admin: [] })).allow).toBe(false);
  });

  test('a role that the policy does not describe allows nothing', () => {
    expect(decide(read, member(), at(here), served({ boss: [alice] })).allow).toBe(false);
  });

  test('a command whose effect the document leaves open requires an admin', () => {
    const run = subjectOf({ name: 'acl import', area: 'acl', effect: 'unknown', open: false });
    expect(decide(run, member(), at(here), served({ operator: [everyone] })).allow).toBe(false);
    expect(decide(run, member(), at(here), served({ admin: [everyone] })).allow).toBe(true);
  });

  test('a direct message is a channel like any other: not served unless it is named', () => {
    const policy = policyOf({ D0ALICE: servedTo({ viewer: [alice] }) });
    expect(decide(read, member(), at('D0ALICE'), policy).allow).toBe(true);
    expect(decide(read, member(), at('D0BOB'), policy)).toMatchObject({
      denial: { code: 'channel_not_served', elsewhere: ['D0ALICE'] },
    });
  });
});

describe('a role is held', () => {
  test('by everyone', () => {
    expect(decide(read, member(), at(here), served({ viewer: [everyone] }))).toEqual({
      allow: true,
      held: ['viewer'],
      by: ['viewer'],
    });
  });

  test('by everyone, also where people and groups are named beside the word', () => {
    const policy = served({ viewer: ['U0BOB', everyone, night] });
    expect(decide(read, member(), at(here), policy).allow).toBe(true);
  });

  test('by a person', () => {
    const policy = served({ viewer: [alice] });
    expect(decide(read, member(), at(here), policy).allow).toBe(true);
    expect(decide(read, member('U0BOB00001'), at(here), policy).allow).toBe(false);
  });

  test('by a user group', () => {
    const policy = served({ viewer: [night] });
    expect(decide(read, member(alice, night), at(here), policy).allow).toBe(true);
    expect(decide(read, member(alice, 'S0DAY'), at(here), policy).allow).toBe(false);
  });

  test('in this channel only', () => {
    const policy = policyOf({ [here]: servedTo({ viewer: [alice] }), [other]: servedTo({ admin: [alice] }) });
    expect(decide(disconnect, member(), at(here), policy).allow).toBe(false);
    expect(decide(disconnect, member(), at(other), policy).allow).toBe(true);
  });

  test('several at once, told weakest first, with those that allow it', () => {
    const policy = served({ admin: [alice], viewer: [everyone], helpdesk: [night] });
    expect(decide(disconnect, member(alice, night), at(here), policy)).toEqual({
      allow: true,
      held: ['viewer', 'helpdesk', 'admin'],
      by: ['helpdesk', 'admin'],
    });
  });
});

describe('a role that is held everywhere', () => {
  const everywhere = { holders: holdersOf({ admin: [alice], viewer: [night] }) };
  const two = { [here]: servedTo({ viewer: ['U0BOB'] }), [other]: servedTo({}, { only: ['viewer'] }) };
  const policy = policyOf(two, everywhere);

  test('counts in every channel that is served, and in no other', () => {
    expect(decide(disconnect, member(), at(here), policy).allow).toBe(true);
    expect(decide(read, member('U0EVE', night), at(here), policy).allow).toBe(true);
    expect(decide(disconnect, member(), at('C0ELSEWHERE'), policy).allow).toBe(false);
  });

  test('does not count in a channel that is narrowed to others', () => {
    expect(heldRoles(member(alice, night), two[other] as ChannelPolicy, policy)).toEqual(['viewer']);
    expect(decide(disconnect, member(), at(other), policy)).toMatchObject({
      allow: false,
      denial: { code: 'role_missing', held: [], needed: [], elsewhere: [here] },
    });
  });

  test('is told with those who hold it in the channel', () => {
    expect(rolesFor(read, here, policy)).toEqual([
      { role: 'viewer', holders: new Set(['U0BOB', night]) },
      { role: 'admin', holders: new Set([alice]) },
    ]);
  });
});

describe('a channel that is narrowed', () => {
  test('counts no other role than those it names, whoever holds it there', () => {
    const policy = served({ viewer: [alice], admin: [alice] }, { only: ['viewer', 'helpdesk'] });
    expect(decide(read, member(), at(here), policy)).toMatchObject({ allow: true, held: ['viewer'] });
    expect(decide(disconnect, member(), at(here), policy).allow).toBe(false);
  });

  test('to nothing serves nobody', () => {
    const policy = served({ admin: [everyone] }, { only: [] });
    expect(decide(read, member(), at(here), policy).allow).toBe(false);
    expect(decide(help, member(), at(here), policy)).toEqual({ allow: true, held: [], by: [] });
  });
});

describe('the commands of a role', () => {
  test('let helpdesk disconnect by name, and do nothing else that cannot be undone', () => {
    const policy = served({ helpdesk: [alice] });
    expect(decide(disconnect, member(), at(here), policy).allow).toBe(true);
    expect(decide({ ...disconnect, name: 'rdp restart' }, member(), at(here), policy).allow).toBe(false);
  });

  test('are those that its rules in the policy cover', () => {
    const roles = {
      ...shippedRoles,
      editor: { summary: 'edits', commands: [{ area: 'category' }, { phrase: 'rdp disconnect' }] },
    };
    const policy = { ...served({ editor: [alice] }), roles };
    expect(decide(add, member(), at(here), policy)).toMatchObject({ allow: true, by: ['editor'] });
    expect(decide(disconnect, member(), at(here), policy).allow).toBe(true);
    expect(decide(read, member(), at(here), policy).allow).toBe(false);
  });

  test('are named by a refusal: the roles held, and the roles needed with their holders', () => {
    const policy = served({ viewer: [everyone], helpdesk: [night], admin: ['U0ROOT'] });
    expect(decide(disconnect, member(), at(here), policy)).toEqual({
      allow: false,
      denial: {
        code: 'role_missing',
        command: 'rdp disconnect',
        held: ['viewer'],
        needed: [
          { role: 'helpdesk', holders: new Set([night]) },
          { role: 'admin', holders: new Set(['U0ROOT']) },
        ],
        elsewhere: [],
      },
    });
  });

  test('are held by whom the policy gives it to, also when its name is one that every object inherits', () => {
    const roles = { ...shippedRoles, constructor: { summary: '', commands: [{ area: 'rdp' }] } };
    const given = { ...served({ constructor: [alice] }), roles };
    expect(decide(disconnect, member(), at(here), given)).toMatchObject({ by: ['constructor'] });
    expect(decide(disconnect, member(), at(here), { ...served({}), roles }).allow).toBe(false);
  });
});

describe('a role with a limit on an argument', () => {
  const limit = { phrase: 'category add', where: { category: [252] } };
  const roles = { ...shippedRoles, advertising: { summary: 'fills one category', commands: [limit] } };
  const policy: Policy = {
    ...served({ advertising: [alice], viewer: [alice], operator: [night] }),
    roles,
  };
  const to = (category: unknown): RequestedCommand => ({ ...add, args: { category } });

  test('allows what is within it', () => {
    expect(decide(to({ id: 252 }), member(), at(here), policy)).toMatchObject({
      allow: true,
      held: ['viewer', 'advertising'],
      by: ['advertising'],
    });
  });

  test('refuses what is not, and says the limit and who has none', () => {
    expect(decide(to({ id: 7 }), member(), at(here), policy)).toEqual({
      allow: false,
      denial: {
        code: 'argument',
        command: 'category add',
        held: ['viewer', 'advertising'],
        limits: [limit],
        needed: [{ role: 'operator', holders: new Set([night]) }],
        elsewhere: [],
      },
    });
  });

  test('leaves it open while the arguments are not known', () => {
    expect(decide(add, member(), at(here), policy).allow).toBe(true);
  });

  test('is not the reason for refusing a command that the role does not cover at all', () => {
    const erase = { ...to({ id: 252 }), name: 'category delete' };
    expect(decide(erase, member(), at(here), policy)).toMatchObject({ denial: { code: 'role_missing' } });
  });

  test('says nothing where another role has no limit', () => {
    expect(decide(to({ id: 7 }), member(alice, night), at(here), policy)).toMatchObject({
      allow: true,
      by: ['operator'],
    });
  });
});

describe('a channel with another organisation in it', () => {
  const lists: Lists = { admin: [alice] };

  test('is read as any other', () => {
    for (const place of ['shared', 'lookup_failed'] as const)
      expect(decide(read, member(), at(here, place), served(lists)).allow).toBe(true);
  });

  test.each(['write', 'destructive', 'unknown'] as const)('lets nobody do what is %s', (effect) => {
    expect(decide({ ...add, effect }, member(), at(here, 'shared'), served(lists))).toEqual({
      allow: false,
      denial: {
        code: 'shared_channel',
        command: 'category add',
        needed: [{ role: 'admin', holders: new Set([alice]) }],
        elsewhere: [],
      },
    });
  });

  test('lets people do it where the policy says so, and only those who may', () => {
    const policy = served(lists, { sharedWrites: true });
    for (const place of ['shared', 'lookup_failed'] as const) {
      expect(decide(add, member(), at(here, place), policy).allow).toBe(true);
      expect(decide(add, member('U0BOB'), at(here, place), policy).allow).toBe(false);
    }
  });

  test('is assumed when the lookup failed: the answer is no, and says so', () => {
    expect(decide(add, member(), at(here, 'lookup_failed'), served(lists))).toEqual({
      allow: false,
      denial: { code: 'lookup_failed', lookup: 'channel' },
    });
  });

  test('is not the reason for somebody who might not do it anywhere', () => {
    for (const place of ['shared', 'lookup_failed'] as const)
      expect(decide(add, member('U0BOB'), at(here, place), served(lists))).toMatchObject({
        denial: { code: 'role_missing' },
      });
  });
});

describe('guests and people of other organisations', () => {
  test.each(outsiders)('a %s is not everyone, and in no group', (kind) => {
    const policy = served({ viewer: [everyone], admin: [night] });
    expect(decide(read, person(kind, alice, night), at(here), policy)).toMatchObject({
      allow: false,
      denial: { code: kind, command: read.name, needed: [{ role: 'viewer' }, { role: 'admin' }] },
    });
  });

  test.each(outsiders)('a %s holds what is granted by name', (kind) => {
    const policy = served({ viewer: [alice], admin: [everyone] });
    expect(decide(read, person(kind), at(here), policy)).toMatchObject({ allow: true, held: ['viewer'] });
    expect(decide(disconnect, person(kind), at(here), policy)).toMatchObject({
      denial: { code: 'role_missing', held: ['viewer'] },
    });
  });

  test.each(outsiders)('a %s holds what is granted everywhere by name', (kind) => {
    const policy = { ...served({}), holders: holdersOf({ viewer: [alice], admin: [everyone, night] }) };
    expect(heldRoles(person(kind, alice, night), servedTo({}), policy)).toEqual(['viewer']);
  });
});

describe('somebody who is no person of this workspace', () => {
  test('is refused as a bot, also where everyone or a group of it may', () => {
    const policy = served({ admin: [everyone, night] });
    expect(decide(read, person('bot', alice, night), at(here), policy)).toEqual({
      allow: false,
      denial: { code: 'bot' },
    });
  });

  test('is allowed as a bot that is named in person what its role allows, and no more', () => {
    const policy = served({ viewer: [alice], admin: [everyone] });
    expect(decide(read, person('bot'), at(here), policy)).toMatchObject({ allow: true, by: ['viewer'] });
    expect(decide(disconnect, person('bot'), at(here), policy)).toMatchObject({
      denial: { code: 'role_missing', held: ['viewer'] },
    });
  });

  test('is refused when deactivated, even by name', () => {
    const policy = { ...served({ admin: [alice] }), holders: holdersOf({ admin: [alice, everyone] }) };
    expect(decide(read, person('deactivated'), at(here), policy)).toEqual({
      allow: false,
      denial: { code: 'deactivated' },
    });
  });

  test('is refused when the person could not be looked up', () => {
    const unknown: Identity = { kind: 'lookup_failed', id: alice };
    expect(decide(read, unknown, at(here), served({ admin: [everyone], viewer: [alice] }))).toEqual({
      allow: false,
      denial: { code: 'lookup_failed', lookup: 'person' },
    });
  });

  test('is decided as ever by everything that does not depend on a group that could not be read', () => {
    const unsure: Identity = { ...person('member'), unread: new Set([night]) } as Identity;
    const policy = served({ viewer: [everyone], helpdesk: [alice], operator: [night] });
    for (const what of [read, disconnect]) expect(decide(what, unsure, at(here), policy).allow).toBe(true);
    expect(decide(add, unsure, at(here), served({ viewer: [everyone], operator: [night] }))).toEqual({
      allow: false,
      denial: { code: 'lookup_failed', lookup: 'group' },
    });
    // That group would not allow it either.
    expect(decide(add, unsure, at(here), served({ viewer: [everyone, night] }))).toMatchObject({
      denial: { code: 'role_missing' },
    });
  });
});

describe('the other channels in a refusal', () => {
  const policy = policyOf(
    {
      C0Z: servedTo({ helpdesk: [alice] }),
      [here]: servedTo({ viewer: [everyone] }),
      C0A: servedTo({ operator: [night] }),
      C0NARROW: servedTo({ admin: [alice] }, { only: ['viewer'] }),
      C0VIEW: servedTo({ viewer: [everyone] }),
      C0BOTH: servedTo({ helpdesk: [alice], operator: [night, everyone] }),
    },
    { holders: holdersOf({ admin: ['U0ROOT'] }) },
  );
  const elsewhere = (subject: RequestedCommand, identity: Identity, channel = here) => {
    const decision = decide(subject, identity, at(channel), policy);
    return decision.allow || !('elsewhere' in decision.denial) ? undefined : decision.denial.elsewhere;
  };

  test('are listed in the order of the policy, each once, without the one where it was asked', () => {
    expect(elsewhere(disconnect, member(alice, night))).toEqual(['C0Z', 'C0A', 'C0BOTH']);
    expect(elsewhere(disconnect, member('U0BOB'))).toEqual(['C0BOTH']);
    expect(elsewhere(disconnect, member('U0BOB'), 'C0VIEW')).toEqual(['C0BOTH']);
  });

  test('are all where the role counts, for somebody who holds a role everywhere', () => {
    expect(elsewhere(disconnect, member('U0ROOT'), 'C0NARROW')).toEqual([
      'C0Z',
      here,
      'C0A',
      'C0VIEW',
      'C0BOTH',
    ]);
  });

  test('are listed when asked from a channel that is not served', () => {
    expect(elsewhere(disconnect, member(), 'C0ELSEWHERE')).toEqual(['C0Z', 'C0BOTH']);
  });

  test('are only those that name a guest, and none for somebody deactivated or unknown', () => {
    expect(elsewhere(disconnect, person('guest', alice, night))).toEqual(['C0Z', 'C0BOTH']);
    expect(elsewhere(read, person('deactivated'), 'C0ELSEWHERE')).toEqual([]);
    const unknown: Identity = { kind: 'lookup_failed', id: alice };
    expect(elsewhere(read, unknown, 'C0ELSEWHERE')).toEqual([]);
  });

  test('follow the arguments', () => {
    const limited = { phrase: 'category add', where: { category: [252] } };
    const roles = { ...shippedRoles, advertising: { summary: '', commands: [limited] } };
    const two = { [here]: servedTo({}), [other]: servedTo({ advertising: [alice] }) };
    const found = [252, 7].map((category) =>
      decide({ ...add, args: { category } }, member(), at(here), policyOf(two, { roles })),
    );
    expect(found).toMatchObject([{ denial: { elsewhere: [other] } }, { denial: { elsewhere: [] } }]);
  });
});

describe('open commands', () => {
  test.each<Identity>([
    member(),
    person('guest'),
    person('other_organisation'),
    person('bot'),
    person('deactivated'),
    { kind: 'lookup_failed', id: alice },
  ])('answer %o everywhere', (identity) => {
    for (const place of ['own', 'shared', 'lookup_failed'] as const) {
      expect(decide(help, identity, at(here, place), served({})).allow).toBe(true);
      expect(decide(help, identity, at('C0ELSEWHERE', place), served({})).allow).toBe(true);
    }
  });

  test('tell no role to somebody who could not be looked up', () => {
    const unknown: Identity = { kind: 'lookup_failed', id: alice };
    expect(decide(help, unknown, at(here), served({ admin: [everyone] }))).toMatchObject({
      allow: true,
      held: [],
    });
  });

  test('tell a guest the roles that they hold', () => {
    expect(decide(help, person('guest'), at(here), served({ helpdesk: [alice] }))).toMatchObject({
      held: ['helpdesk'],
    });
  });
});

test('a yes or a no alone is the same yes or no', () => {
  const policy = served({ helpdesk: [alice] });
  for (const subject of [read, disconnect, add, help])
    for (const place of ['own', 'shared', 'lookup_failed'] as const)
      for (const channel of [here, 'C0ELSEWHERE'])
        for (const who of [member(), member('U0BOB'), person('deactivated')]) {
          const where = at(channel, place);
          expect(allows(subject, who, where, policy)).toBe(decide(subject, who, where, policy).allow);
        }
});

describe('the user groups that must be known', () => {
  const policy = policyOf(
    {
      [here]: servedTo({ viewer: [everyone, alice, night], helpdesk: [night, 'S0DAY'] }),
      [other]: servedTo({}),
    },
    { holders: holdersOf({ admin: ['S0ROOT', 'W0ROOT'] }) },
  );

  test('are those of the channel and those that hold a role everywhere, each once', () => {
    expect(groupsIn(here, policy)).toEqual([night, 'S0DAY', 'S0ROOT']);
    expect(groupsIn(other, policy)).toEqual(['S0ROOT']);
  });

  test('are none where nothing is served', () => {
    for (const channel of ['C0ELSEWHERE', 'constructor', '__proto__', ''])
      expect(groupsIn(channel, policy)).toEqual([]);
  });
});
