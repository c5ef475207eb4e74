import { describe, expect, test } from 'vitest';
import { holdersOf, policyOf, servedTo, subjectOf } from '../../test/policy.ts';
import { approvalFor, holdersOfAny, holdsOne, isReason } from './approval.ts';
import { readHours } from './hours.ts';
import { type ApprovalRule, type Policy, shippedApprovals } from './policy.ts';
import type { Identity, RequestedCommand } from './request.ts';

const here = 'C0HELPDESK';
const monday = Date.parse('2026-03-02T09:00:00Z');
const hour = 3_600_000;

const disconnect = subjectOf({ name: 'rdp disconnect', area: 'rdp', effect: 'destructive', open: false });
const erase = subjectOf({ name: 'acl record delete', area: 'acl', effect: 'destructive', open: false });

const rule = (given: Partial<ApprovalRule>): ApprovalRule => ({
  commands: [{ phrase: 'rdp disconnect' }],
  by: ['approver'],
  count: 1,
  requester: false,
  open: hour,
  notNeeded: [],
  notPossible: [],
  ...given,
});
const policy = (approvals: readonly ApprovalRule[]): Policy => policyOf({}, { approvals, timeZone: 'UTC' });
const hours = (text: string) => [readHours(text)].filter((one) => one !== undefined);

describe('an approval', () => {
  test('is not needed for a change that ends by itself soon enough, and is for a longer or permanent one', () => {
    const rules = policy([rule({ temporary: { longest: 4 * hour } })]);
    const lasting = (lasts: RequestedCommand['lasts']) =>
      approvalFor({ ...disconnect, lasts }, ['helpdesk'], monday, rules);
    expect(lasting(4 * hour)).toEqual({ kind: 'not_needed' });
    expect(lasting(4 * hour + 1)).toMatchObject({ kind: 'needed', isCertain: true });
    expect(lasting('forGood')).toMatchObject({ kind: 'needed', isCertain: true });
    // Approval may be needed while the duration is not known.
    expect(lasting('any')).toMatchObject({ kind: 'needed', isCertain: false });
  });

  test('is needed where a rule covers the command, and for nothing else', () => {
    const one = rule({});
    expect(approvalFor(disconnect, ['helpdesk'], monday, policy([one]))).toEqual({
      kind: 'needed',
      rules: [one],
      isCertain: true,
    });
    expect(approvalFor(erase, ['operator'], monday, policy([one]))).toEqual({ kind: 'not_needed' });
    expect(approvalFor(disconnect, ['helpdesk'], monday, policy([]))).toEqual({ kind: 'not_needed' });
  });

  test('follows the first rule that covers the command', () => {
    const first = rule({ count: 1 });
    const second = rule({ count: 2, commands: [{ effect: 'destructive' }] });
    expect(approvalFor(disconnect, ['admin'], monday, policy([first, second]))).toMatchObject({
      rules: [first],
    });
    expect(approvalFor(disconnect, ['admin'], monday, policy([second, first]))).toMatchObject({
      rules: [second],
    });
    expect(approvalFor(erase, ['admin'], monday, policy([first, second]))).toMatchObject({ rules: [second] });
  });

  test('is needed only from somebody whose roles are all among those that the rule names', () => {
    const junior = policy([rule({ requesters: ['helpdesk', 'operator'] })]);
    expect(approvalFor(disconnect, ['helpdesk'], monday, junior).kind).toBe('needed');
    expect(approvalFor(disconnect, ['helpdesk', 'operator'], monday, junior).kind).toBe('needed');
    expect(approvalFor(disconnect, ['helpdesk', 'admin'], monday, junior).kind).toBe('not_needed');
  });

  test('leaves a person whom the first rule does not concern to the next rule', () => {
    const rules = [rule({ requesters: ['helpdesk'], count: 2 }), rule({ count: 1 })];
    expect(approvalFor(disconnect, ['admin'], monday, policy(rules))).toMatchObject({ rules: [rules[1]] });
  });

  test('is needed by the shipped rules to enable emergency mode, by an approver, with a reason', () => {
    const enable = subjectOf({
      name: 'emergency enable',
      area: 'emergency',
      effect: 'destructive',
      open: false,
    });
    const found = approvalFor(enable, ['admin'], monday, policy(shippedApprovals));
    expect(found).toMatchObject({
      kind: 'needed',
      rules: [{ by: ['approver'], count: 1, requester: false }],
    });
    expect(found.kind === 'needed' && found.rules.some((one) => isReason('', one))).toBe(false);
    const disable = subjectOf({ ...enable, name: 'emergency disable', effect: 'write' });
    expect(approvalFor(disable, ['admin'], monday, policy(shippedApprovals)).kind).toBe('not_needed');
  });
});

describe('hours of approval', () => {
  const office = hours('Mon-Fri 08:00-18:00');

  test('in which none is needed', () => {
    const rules = policy([rule({ notNeeded: office })]);
    expect(approvalFor(disconnect, ['helpdesk'], monday, rules)).toEqual({ kind: 'not_needed' });
    expect(approvalFor(disconnect, ['helpdesk'], monday + 9 * hour, rules).kind).toBe('needed');
  });

  test('in which none is possible, also where none would be needed', () => {
    const one = rule({ notPossible: hours('Mon 09:00-10:00'), notNeeded: office });
    expect(approvalFor(disconnect, ['helpdesk'], monday, policy([one]))).toEqual({
      kind: 'not_possible',
      rule: one,
      isCertain: true,
    });
    expect(approvalFor(disconnect, ['helpdesk'], monday + hour, policy([one])).kind).toBe('not_needed');
  });

  test('in which none is needed leave nothing to the rules after it', () => {
    const rules = policy([rule({ notNeeded: office }), rule({ count: 2 })]);
    expect(approvalFor(disconnect, ['helpdesk'], monday, rules)).toEqual({ kind: 'not_needed' });
  });

  test("are those of the policy's time zone", () => {
    const inTokyo = { ...policy([rule({ notNeeded: office })]), timeZone: 'Asia/Tokyo' };
    expect(approvalFor(disconnect, ['helpdesk'], monday, inTokyo).kind).toBe('needed');
  });
});

describe('several things at once', () => {
  const records = (...record: number[]): RequestedCommand => ({ ...erase, args: { record } });
  const only = (record: number, given: Partial<ApprovalRule>) =>
    rule({ commands: [{ phrase: 'acl record delete', where: { record: [record] } }], ...given });
  const all = (given: Partial<ApprovalRule>) =>
    rule({ commands: [{ phrase: 'acl record delete' }], ...given });
  const ask = (subject: RequestedCommand, ...rules: readonly ApprovalRule[]) =>
    approvalFor(subject, ['operator'], monday, policy(rules));

  test('need the approval that one of them needs', () => {
    expect(ask(records(5), only(5, {})).kind).toBe('needed');
    expect(ask(records(6), only(5, {})).kind).toBe('not_needed');
    expect(ask(records(6, 5), only(5, {})).kind).toBe('needed');
  });

  test('are not exempt because one of them is', () => {
    const exempt = only(5, { notNeeded: hours('Mon-Sun') });
    expect(ask(records(5), exempt, all({})).kind).toBe('not_needed');
    expect(ask(records(5, 6), exempt, all({})).kind).toBe('needed');
  });

  test('need every approval that each of them would need alone', () => {
    const [one, two] = [only(5, { by: ['approver'] }), all({ by: ['admin'], count: 2 })];
    expect(ask(records(5), one, two)).toMatchObject({ kind: 'needed', rules: [one] });
    expect(ask(records(6), one, two)).toMatchObject({ kind: 'needed', rules: [two] });
    expect(ask(records(5, 6), one, two)).toMatchObject({ kind: 'needed', rules: [one, two] });
  });

  test('may need any approval that one of them needs while the arguments are not known', () => {
    const exempt = only(5, { notNeeded: hours('Mon-Sun') });
    expect(ask(erase, exempt, all({}), all({ count: 2 }))).toMatchObject({
      kind: 'needed',
      rules: [all({})],
    });
  });

  test('cannot be approved while one of them cannot', () => {
    const closed = only(5, { notPossible: hours('Mon-Sun') });
    expect(ask(records(6, 5), only(6, {}), closed)).toMatchObject({ kind: 'not_possible', rule: closed });
  });
});

describe('the people who may approve', () => {
  const member = (id: string, ...groups: string[]): Identity => ({
    kind: 'member',
    id,
    human: id,
    groups: new Set(groups),
  });
  const rules = policyOf(
    {
      [here]: servedTo({ approver: ['U0ALICE', 'S0DAY'], operator: ['U0BOB'] }),
      C0NARROW: servedTo({ approver: ['U0ALICE'] }, { only: ['viewer'] }),
    },
    { holders: holdersOf({ admin: ['U0ROOT'] }) },
  );

  test('are all who hold one of the roles there, in person, by group or everywhere', () => {
    expect(holdsOne(member('U0ALICE'), ['approver'], here, rules)).toBe(true);
    expect(holdsOne(member('U0CAROL', 'S0DAY'), ['approver'], here, rules)).toBe(true);
    expect(holdsOne(member('U0ROOT'), ['approver', 'admin'], here, rules)).toBe(true);
    expect(holdsOne(member('U0BOB'), ['approver', 'admin'], here, rules)).toBe(false);
  });

  test('are none where the role does not count, in a channel that is not served, or for no role', () => {
    expect(holdsOne(member('U0ALICE'), ['approver'], 'C0NARROW', rules)).toBe(false);
    expect(holdersOfAny(['approver', 'admin'], 'C0NARROW', rules)).toEqual(new Set());
    for (const channel of ['C0ELSEWHERE', 'constructor', '__proto__']) {
      expect(holdsOne(member('U0ROOT'), ['admin'], channel, rules)).toBe(false);
      expect(holdersOfAny(['admin'], channel, rules)).toEqual(new Set());
    }
    expect(holdsOne(member('U0ALICE'), [], here, rules)).toBe(false);
  });

  test('leave out who was deactivated, could not be looked up, or is a guest whom only a group names', () => {
    const kinds = ['deactivated', 'guest', 'bot', 'other_organisation'] as const;
    for (const kind of kinds)
      expect(
        holdsOne(
          { kind, id: 'U0CAROL', human: 'U0CAROL', groups: new Set(['S0DAY']) },
          ['approver'],
          here,
          rules,
        ),
      ).toBe(false);
    expect(
      holdsOne({ ...member('U0ALICE'), kind: 'deactivated' } as Identity, ['approver'], here, rules),
    ).toBe(false);
    expect(holdsOne({ kind: 'lookup_failed', id: 'U0ALICE' }, ['approver'], here, rules)).toBe(false);
  });

  test('are listed together for all roles, also when one of them is not a role at all', () => {
    expect(holdersOfAny(['approver', 'admin'], here, rules)).toEqual(new Set(['U0ALICE', 'S0DAY', 'U0ROOT']));
    expect(holdersOfAny(['constructor', '__proto__'], here, rules)).toEqual(new Set());
  });
});

describe('a reason', () => {
  test('is not asked for unless the rule does', () => {
    expect(isReason(undefined, rule({}))).toBe(true);
  });

  test('must be there', () => {
    const wanted = rule({ reason: {} });
    for (const none of [undefined, '', ' \n\t']) expect(isReason(none, wanted)).toBe(false);
    expect(isReason('directory down', wanted)).toBe(true);
  });

  test('must look as the pattern says, in capitals or not, whatever space is around it', () => {
    const ticket = rule({ reason: { pattern: '^INC[0-9]{3}$' } });
    for (const right of ['INC123', 'inc123', ' INC123 ']) expect(isReason(right, ticket)).toBe(true);
    for (const wrong of ['INC12', 'see INC123', 'INC1234', '']) expect(isReason(wrong, ticket)).toBe(false);
  });

  test('is no longer than anybody reads, whatever the pattern', () => {
    for (const reason of [{}, { pattern: '^a+$' }]) {
      expect(isReason('a'.repeat(500), rule({ reason }))).toBe(true);
      expect(isReason('a'.repeat(501), rule({ reason }))).toBe(false);
    }
  });
});
