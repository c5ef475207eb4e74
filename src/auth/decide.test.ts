import { describe, expect, test } from 'vitest';
import { seeded } from '../../test/seeded.ts';
import { decide, heldRoles, type Identity, type PersonKind, rolesFor, type Subject } from './decide.ts';
import { type ChannelPolicy, effects, type Holders, type Policy, roleNames } from './policy.ts';

const here = 'C0HELPDESK';
const alice = 'U0ALICE001';
const night = 'S0NIGHT';

const read: Subject = { name: 'rdp sessions', effect: 'read', open: false };
const disconnect: Subject = { name: 'rdp disconnect', effect: 'destructive', open: false };
const help: Subject = { name: 'help', effect: 'read', open: true };

const served = (roles: ChannelPolicy['roles']): Policy => ({
  channels: { [here]: { appliance: 'hq', appliances: [], roles } },
});
const member = (id = alice, ...groups: string[]): Identity => ({
  kind: 'member',
  id,
  groups: new Set(groups),
});
const outsider = (kind: PersonKind, ...groups: string[]): Identity => ({
  kind,
  id: alice,
  groups: new Set(groups),
});

describe('by default, no', () => {
  test('a channel that is not served serves nothing', () => {
    expect(decide(read, member(), 'C0ELSEWHERE', served({ admin: 'everyone' }))).toEqual({
      allow: false,
      denial: { code: 'channel_not_served' },
    });
  });

  test('a channel without roles serves nobody', () => {
    expect(decide(read, member(), here, served({}))).toEqual({
      allow: false,
      denial: { code: 'role_missing', command: 'rdp sessions', held: [], needed: [] },
    });
  });

  test('a role without holders is held by nobody', () => {
    expect(decide(read, member(), here, served({ admin: [] })).allow).toBe(false);
  });

  test('what the document leaves open takes an admin', () => {
    const run = { name: 'acl import', effect: 'unknown', open: false } as const;
    expect(decide(run, member(), here, served({ operator: 'everyone' })).allow).toBe(false);
    expect(decide(run, member(), here, served({ admin: 'everyone' })).allow).toBe(true);
  });
});

describe('a role is held', () => {
  test('by everyone', () => {
    expect(decide(read, member(), here, served({ viewer: 'everyone' }))).toEqual({
      allow: true,
      held: ['viewer'],
    });
  });

  test('by a person', () => {
    const policy = served({ viewer: [alice] });
    expect(decide(read, member(), here, policy).allow).toBe(true);
    expect(decide(read, member('U0BOB00001'), here, policy).allow).toBe(false);
  });

  test('by a user group', () => {
    const policy = served({ viewer: [night] });
    expect(decide(read, member(alice, night), here, policy).allow).toBe(true);
    expect(decide(read, member(alice, 'S0DAY'), here, policy).allow).toBe(false);
  });

  test('in this channel only', () => {
    const policy: Policy = {
      channels: {
        [here]: { appliance: 'hq', appliances: [], roles: { viewer: [alice] } },
        C0OTHER: { appliance: 'hq', appliances: [], roles: { admin: [alice] } },
      },
    };
    expect(decide(disconnect, member(), here, policy).allow).toBe(false);
    expect(decide(disconnect, member(), 'C0OTHER', policy).allow).toBe(true);
  });

  test('several at once, told weakest first', () => {
    const policy = served({ admin: [alice], viewer: 'everyone', helpdesk: [night] });
    expect(decide(disconnect, member(alice, night), here, policy)).toEqual({
      allow: true,
      held: ['viewer', 'helpdesk', 'admin'],
    });
  });
});

describe('what a role may', () => {
  test('helpdesk may disconnect by name, and nothing else that cannot be taken back', () => {
    const policy = served({ helpdesk: [alice] });
    expect(decide(disconnect, member(), here, policy).allow).toBe(true);
    expect(decide({ ...disconnect, name: 'rdp ban' }, member(), here, policy).allow).toBe(false);
  });

  test('a refusal names the roles held and the roles needed, with their holders', () => {
    const policy = served({ viewer: 'everyone', helpdesk: [night], admin: ['U0ROOT'] });
    expect(decide(disconnect, member(), here, policy)).toEqual({
      allow: false,
      denial: {
        code: 'role_missing',
        command: 'rdp disconnect',
        held: ['viewer'],
        needed: [
          { role: 'helpdesk', holders: [night] },
          { role: 'admin', holders: ['U0ROOT'] },
        ],
      },
    });
  });
});

describe('guests and people of other organisations', () => {
  test.each(['guest', 'other_organisation'] as const)('a %s is not everyone', (kind) => {
    const policy = served({ viewer: 'everyone', admin: [night] });
    expect(decide(read, outsider(kind, night), here, policy)).toMatchObject({
      allow: false,
      denial: { code: kind, command: read.name, needed: [{ role: 'viewer' }, { role: 'admin' }] },
    });
  });

  test.each(['guest', 'other_organisation'] as const)('a %s holds what is granted by name', (kind) => {
    const policy = served({ viewer: [alice], admin: 'everyone' });
    expect(decide(read, outsider(kind), here, policy)).toEqual({ allow: true, held: ['viewer'] });
    expect(decide(disconnect, outsider(kind), here, policy)).toMatchObject({
      denial: { code: 'role_missing', held: ['viewer'] },
    });
  });
});

describe('whoever is no person of ours', () => {
  test.each(['bot', 'deactivated'] as const)('a %s is refused, even by name', (kind) => {
    expect(decide(read, outsider(kind), here, served({ admin: [alice] }))).toEqual({
      allow: false,
      denial: { code: kind },
    });
  });

  test.each(['person', 'group'] as const)(
    'when the %s could not be looked up, the answer is no',
    (lookup) => {
      const unknown: Identity = { kind: 'lookup_failed', id: alice, lookup };
      expect(decide(read, unknown, here, served({ admin: 'everyone', viewer: [alice] }))).toEqual({
        allow: false,
        denial: { code: 'lookup_failed', lookup },
      });
    },
  );
});

describe('open commands', () => {
  test.each<Identity>([
    member(),
    outsider('guest'),
    outsider('other_organisation'),
    outsider('bot'),
    outsider('deactivated'),
    { kind: 'lookup_failed', id: alice, lookup: 'person' },
  ])('answer %o everywhere', (identity) => {
    expect(decide(help, identity, here, served({})).allow).toBe(true);
    expect(decide(help, identity, 'C0ELSEWHERE', served({})).allow).toBe(true);
  });

  test('tell no role to somebody who could not be looked up', () => {
    const unknown: Identity = { kind: 'lookup_failed', id: alice, lookup: 'group' };
    expect(decide(help, unknown, here, served({ admin: 'everyone' }))).toEqual({ allow: true, held: [] });
  });
});

describe('in 2,000 random policies', () => {
  const random = seeded(4_711);
  const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;
  const some = <Item>(from: readonly Item[]): Item[] => from.filter(() => random() < 0.4);
  const ids = ['U0A1', 'U0B2', 'U0C3', 'S0D4', 'S0E5'];
  const groups = ids.filter((id) => id.startsWith('S'));
  const names = ['rdp sessions', 'rdp disconnect', 'acl delete'];

  const holders = (): Holders => (random() < 0.2 ? 'everyone' : some(ids));
  const policy = (): Policy => served(Object.fromEntries(some(roleNames).map((role) => [role, holders()])));
  const identity = (): Identity => {
    const kind = pick([
      'member',
      'member',
      'guest',
      'other_organisation',
      'bot',
      'deactivated',
      'failed',
    ] as const);
    const id = pick(ids.slice(0, 3));
    return kind === 'failed'
      ? { kind: 'lookup_failed', id, lookup: 'group' }
      : { kind, id, groups: new Set(some(groups)) };
  };
  const subject = (): Subject => ({ name: pick(names), effect: pick(effects), open: random() < 0.1 });

  /** The same policy with one person or group more in one role. */
  const grantedMore = ({ channels }: Policy): Policy => {
    const role = pick(roleNames);
    const roles = channels[here]?.roles ?? {};
    const held = roles[role] ?? [];
    return served({ ...roles, [role]: held === 'everyone' ? held : [...held, pick(ids)] });
  };

  const cases = Array.from({ length: 2_000 }, () => ({ policy: policy(), who: identity(), what: subject() }));

  test('one more grant never takes a permission away', () => {
    let gained = 0;
    for (const { policy: before, who, what } of cases) {
      const after = grantedMore(before);
      const [then, now] = [decide(what, who, here, before).allow, decide(what, who, here, after).allow];
      expect(then && !now).toBe(false);
      if (now && !then) gained += 1;
    }
    expect(gained).toBeGreaterThan(20);
  });

  test('who is allowed holds a role that may do it, and who is refused holds none', () => {
    for (const { policy: rules, who, what } of cases.filter(({ what: { open } }) => !open)) {
      const channel = rules.channels[here] as ChannelPolicy;
      const able = rolesFor(what, channel).map(({ role }) => role);
      const holdsOne = heldRoles(who, channel).some((role) => able.includes(role));
      expect(decide(what, who, here, rules).allow).toBe(holdsOne);
    }
  });

  test('nobody who failed a look-up, is deactivated or is a bot is ever allowed', () => {
    const refused = cases.filter(
      ({ who, what }) => !what.open && ['lookup_failed', 'bot', 'deactivated'].includes(who.kind),
    );
    expect(refused.length).toBeGreaterThan(200);
    for (const { policy: rules, who, what } of refused) {
      expect(decide(what, who, here, rules).allow).toBe(false);
    }
  });
});
