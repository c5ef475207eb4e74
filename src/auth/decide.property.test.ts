import { describe, expect, test } from 'vitest';
import { policyOf, subjectOf, toRun } from '../../test/policy.ts';
import { seeded } from '../../test/seeded.ts';
import { allows as allowsRequest, decide as decideRequest, groupsIn, heldRoles, rolesFor } from './decide.ts';
import { type ChannelPolicy, everyone, type Holders, type Policy, type Role } from './policy.ts';
import { type AskedOf, effects, type Identity, type RequestedCommand, type Where } from './request.ts';
import type { Conditions } from './rule.ts';

type Run = [what: RequestedCommand, who: Identity, where: Where, policy: Policy];
const decide = (...[what, who, where, policy]: Run) => decideRequest(toRun(what, who, where), policy);
const allows = (...[what, who, where, policy]: Run) => allowsRequest(toRun(what, who, where), policy);

const random = seeded(4_711);
const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;
const some = <Item>(from: readonly Item[], share = 0.4): Item[] => from.filter(() => random() < share);
const maybe = <Value>(value: () => Value, share = 0.5): Value | undefined =>
  random() < share ? value() : undefined;

/** Words that mean something to JavaScript or to nobody; each may be an ID, a role, a command or an argument. */
const hostile = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  '\u0000',
  'U'.repeat(50_000),
];
const people = ['U0A1', 'W0B2', 'U0C3', ...hostile];
const groups = ['S0D4', 'S0E5'];
const channels = ['C0HERE', 'C0OTHER', 'D0DIRECT', ...hostile];
const roles = ['viewer', 'helpdesk', 'admin', 'constructor', '__proto__', ''];
const names = ['rdp sessions', 'rdp disconnect', 'acl delete', 'constructor', ''];
const slots = ['session', 'category', '__proto__', 'constructor'];
const values: readonly unknown[] = [252, '252', 7, 'x', true, null, undefined, {}, [], [252, 7], { id: 252 }];

/** Entries under keys that may also be those of every object. */
const record = <Value>(
  keys: readonly string[],
  value: (key: string) => Value,
): Readonly<Record<string, Value>> => Object.fromEntries(keys.map((key) => [key, value(key)]));

const holders = (): Holders => new Set(some([...people, ...groups, everyone], 0.25));
const rule = () =>
  ({
    area: maybe(() => pick(['rdp', 'acl', 'constructor']), 0.3),
    effect: maybe(() => pick(effects), 0.4),
    phrase: maybe(() => pick(names), 0.4),
    where: maybe(() => record(some(slots, 0.3), () => some([252, 7, 'x', 'true'])), 0.6),
    appliance: maybe(() => pick(['hq', 'branch', 'constructor']), 0.2),
    tag: maybe(() => pick(['prod', '__proto__']), 0.2),
    above: maybe(() => pick([0, 1]), 0.05),
    most: maybe(() => pick([1, 2]), 0.05),
    temporary: maybe(() => pick([{}, { longest: 60_000 }]), 0.2),
  }) satisfies Record<keyof Conditions, unknown>;
const role = (): Role => ({ summary: '', commands: Array.from({ length: Math.floor(random() * 4) }, rule) });
const channel = (): ChannelPolicy => ({
  appliance: 'hq',
  appliances: [],
  roles: record(some(roles), holders),
  only: maybe(() => some(roles, 0.5), 0.4),
  sharedWrites: random() < 0.3,
});
const policy = (): Policy =>
  policyOf(record(some(channels), channel), {
    roles: record(some(roles, 0.8), role),
    holders: record(some(roles, 0.2), holders),
  });
const appliances: readonly AskedOf[] = [
  { name: 'hq', tags: ['prod'] },
  { name: 'branch', tags: [] },
  { name: 'constructor', tags: ['__proto__', 'prod'] },
  'any',
  'every',
  'none',
];
const subject = (): RequestedCommand =>
  subjectOf({
    name: pick(names),
    area: pick(['rdp', 'acl', 'constructor', '']),
    effect: pick(effects),
    open: random() < 0.05,
    args: maybe(() => record(some(slots, 0.7), () => pick(values)), 0.7) ?? 'any',
    appliance: pick(appliances),
    lasts: pick(['any', 'forGood', 60_000, 60_001] as const),
  });
const identity = (): Identity => {
  const id = pick(people);
  const kind = pick([
    'member',
    'member',
    'member',
    'guest',
    'other_organisation',
    'bot',
    'deactivated',
    '',
  ] as const);
  return kind === ''
    ? { kind: 'lookup_failed', id }
    : {
        ...{ kind, id, human: id, groups: new Set(some([...groups, ...hostile], 0.3)) },
        unread: new Set(some([...groups, ...hostile], 0.2)),
      };
};

interface Case {
  readonly policy: Policy;
  readonly what: RequestedCommand;
  readonly who: Identity;
  readonly where: Where;
}

const cases: readonly Case[] = Array.from({ length: 5_000 }, () => {
  const rules = policy();
  const served = Object.keys(rules.channels);
  const at = random() < 0.9 && served.length > 0 ? pick(served) : pick(channels);
  return {
    policy: rules,
    what: subject(),
    who: identity(),
    where: { channel: at, place: pick(['own', 'own', 'shared', 'lookup_failed'] as const) },
  };
});

const isAllowed = ({ what, who, where, policy }: Case): boolean => decide(what, who, where, policy).allow;
const isAllowedNow = cases.map(isAllowed);

/** The same entries with another one under this key. */
const replaced = <Value>(
  entries: Readonly<Record<string, Value>>,
  key: string,
  value: (before: Value | undefined) => Value,
): Readonly<Record<string, Value>> =>
  Object.fromEntries([
    ...Object.entries(entries),
    [key, value(Object.hasOwn(entries, key) ? entries[key] : undefined)],
  ]);

/** A change of the channel where it is asked, or of another one. Undefined where none is served. */
function inChannel(
  { policy: rules, where }: Case,
  change: (before: ChannelPolicy) => ChannelPolicy,
): Policy | undefined {
  const served = Object.keys(rules.channels);
  const id = served.includes(where.channel) && random() < 0.7 ? where.channel : pick(served);
  return id === undefined
    ? undefined
    : { ...rules, channels: replaced(rules.channels, id, (before) => change(before ?? channel())) };
}

type Change = (one: Case) => Policy | undefined;

const oneMore =
  ({ who }: Case) =>
  (before: Holders | undefined): Holders =>
    new Set([...(before ?? []), pick([who.id, ...people, ...groups, everyone])]);

/** Changes that give somebody more, and change nothing else. */
const grants: Readonly<Record<string, Change>> = {
  'one more holder of a role in a channel': (one) =>
    inChannel(one, (before) => ({ ...before, roles: replaced(before.roles, pick(roles), oneMore(one)) })),
  'one more holder of a role everywhere': (one) => ({
    ...one.policy,
    holders: replaced(one.policy.holders, pick(roles), oneMore(one)),
  }),
  'one more rule of a role': ({ policy: rules }) => ({
    ...rules,
    roles: replaced(rules.roles, pick(roles), (before) => ({
      summary: '',
      commands: [...(before?.commands ?? []), rule()],
    })),
  }),
  'more values that an argument may have': ({ policy: rules }) => ({
    ...rules,
    roles: record(Object.keys(rules.roles), (name) => ({
      summary: '',
      commands: (rules.roles[name]?.commands ?? []).map(({ where = {}, ...one }) => ({
        ...one,
        where: record(Object.keys(where), (slot) => [...(where[slot] ?? []), 7, 252]),
      })),
    })),
  }),
  'changes allowed in a channel with others': (one) =>
    inChannel(one, (before) => ({ ...before, sharedWrites: true })),
  'more roles that count in a channel': (one) =>
    inChannel(one, (before) => ({ ...before, only: before.only && [...before.only, ...some(roles)] })),
};

/** Changes that take something away, and change nothing else. */
const narrowings: Readonly<Record<string, Change>> = {
  'fewer roles that count in a channel': (one) =>
    inChannel(one, (before) => ({ ...before, only: some(before.only ?? roles, 0.6) })),
  'fewer holders in a channel': (one) =>
    inChannel(one, (before) => ({
      ...before,
      roles: record(Object.keys(before.roles), (name) => new Set(some([...(before.roles[name] ?? [])], 0.3))),
    })),
  'no changes allowed in a channel with others': (one) =>
    inChannel(one, (before) => ({ ...before, sharedWrites: false })),
  'a channel less': ({ policy: rules }) => ({
    ...rules,
    channels: Object.fromEntries(some(Object.entries(rules.channels), 0.7)),
  }),
};

/** The number of cases in which a change gives a permission, and in which it takes one away. */
function difference(change: Change): { readonly gained: number; readonly lost: number } {
  let [gained, lost] = [0, 0];
  for (const [index, one] of cases.entries()) {
    const after = change(one);
    if (after === undefined) continue;
    const [then, now] = [isAllowedNow[index] === true, isAllowed({ ...one, policy: after })];
    if (now && !then) gained += 1;
    if (then && !now) lost += 1;
  }
  return { gained, lost };
}

describe('in 5,000 random policies', () => {
  test.each(Object.entries(grants))('%s never takes a permission away', (_, grant) => {
    const { gained, lost } = difference(grant);
    expect(lost).toBe(0);
    expect(gained).toBeGreaterThan(10);
  });

  test.each(Object.entries(narrowings))('%s never gives a permission', (_, narrow) => {
    const { gained, lost } = difference(narrow);
    expect(gained).toBe(0);
    expect(lost).toBeGreaterThan(10);
  });

  test('no decision throws, whatever people, channels, roles and arguments are called', () => {
    for (const [index, { what, who, where, policy: rules }] of cases.entries()) {
      // Each `expect` costs more than the decision that it checks, thousands of times.
      if (allows(what, who, where, rules) !== isAllowedNow[index]) expect.fail(`case ${index}`);
      rolesFor(what, where.channel, rules);
      groupsIn(where.channel, rules);
    }
  });

  test('everybody who is allowed something has a role that the policy gives there, by one of their names', () => {
    let allowed = 0;
    for (const { what, who, where, policy: rules } of cases) {
      const decision = decide(what, who, where, rules);
      if (!decision.allow || what.open) continue;
      allowed += 1;
      expect(decision.by.length).toBeGreaterThan(0);
      const at = rules.channels[where.channel] as ChannelPolicy;
      const mine = who.kind === 'member' ? [who.id, everyone, ...who.groups] : [who.id];
      for (const name of decision.by) {
        expect(at.only ?? roles).toContain(name);
        const given = [at.roles, rules.holders].flatMap((lists) =>
          Object.entries(lists).flatMap(([key, list]) => (key === name ? [...list] : [])),
        );
        expect(mine.some((one) => given.includes(one))).toBe(true);
      }
    }
    expect(allowed).toBeGreaterThan(150);
  });

  test('a refusal names exactly those other channels in which the same person is allowed', () => {
    let told = 0;
    for (const { what, who, where, policy: rules } of cases) {
      const decision = decide(what, who, where, rules);
      if (decision.allow || !('elsewhere' in decision.denial)) continue;
      const others = Object.keys(rules.channels).filter(
        (id) => id !== where.channel && decide({ ...what }, who, { channel: id, place: 'own' }, rules).allow,
      );
      expect(decision.denial.elsewhere).toEqual(others);
      told += others.length;
    }
    expect(told).toBeGreaterThan(300);
  });

  test('a policy that gives nothing allows nobody anything', () => {
    for (const { what, who, where, policy: rules } of cases.filter(({ what: { open } }) => !open)) {
      const nothing: readonly Policy[] = [
        { ...rules, channels: {} },
        { ...rules, roles: {} },
        {
          ...rules,
          holders: {},
          channels: record(Object.keys(rules.channels), () => ({ ...channel(), roles: {} })),
        },
      ];
      expect(nothing.some((empty) => decide(what, who, where, empty).allow)).toBe(false);
    }
  });

  test('somebody whose lookup failed or who is deactivated is never allowed, and holds no role', () => {
    const refused = cases.filter(
      ({ who, what }) => !what.open && ['lookup_failed', 'deactivated'].includes(who.kind),
    );
    expect(refused.length).toBeGreaterThan(500);
    for (const one of refused) {
      expect(isAllowed(one)).toBe(false);
      for (const at of Object.values(one.policy.channels))
        expect(heldRoles(one.who, at, one.policy)).toEqual([]);
    }
  });

  test('no group and no everyone gives anything to somebody who is not a member', () => {
    for (const one of cases.filter(({ who, what }) => !what.open && who.kind !== 'member')) {
      const without = (lists: Readonly<Record<string, Holders>>) =>
        Object.fromEntries(
          Object.entries(lists).map(([key, list]) => [
            key,
            new Set([...list].filter((id) => id === one.who.id)),
          ]),
        );
      const inPerson: Policy = {
        ...one.policy,
        holders: without(one.policy.holders),
        channels: Object.fromEntries(
          Object.entries(one.policy.channels).map(([id, at]) => [id, { ...at, roles: without(at.roles) }]),
        ),
      };
      expect(isAllowed(one)).toBe(isAllowed({ ...one, policy: inPerson }));
    }
  });

  test('changes are made beside another organisation only where the policy says so', () => {
    const writes = cases.filter(
      ({ what, where }) => !what.open && what.effect !== 'read' && where.place !== 'own',
    );
    let allowed = 0;
    for (const one of writes.filter(isAllowed)) {
      expect(one.policy.channels[one.where.channel]?.sharedWrites).toBe(true);
      allowed += 1;
    }
    expect(allowed).toBeGreaterThan(20);
  });

  test('the same question has the same answer, and asking changes nothing in the policy', () => {
    for (const { what, who, where, policy: rules } of cases.slice(0, 500)) {
      const before = structuredClone(rules);
      const first = decide(what, who, where, rules);
      expect(decide(what, who, where, rules)).toEqual(first);
      expect(decide(what, who, where, before)).toEqual(first);
      expect(rules).toEqual(before);
    }
  });
});
