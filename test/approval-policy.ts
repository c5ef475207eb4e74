import { readHours } from '../src/auth/hours.ts';
import type { ApprovalRule, Policy, Role } from '../src/auth/policy.ts';
import { type Lists, policyOf, servedTo } from './policy.ts';

export const channel = 'C0HELPDESK';
export const minute = 60_000;

/** By their names, such as `bob`. */
export const idOf = (name: string): string => `U0${name.toUpperCase()}`;

/** A rule that requires one approver for dropping a session, unless the test says otherwise. */
export const rule = (given: Partial<ApprovalRule> = {}): ApprovalRule => ({
  commands: [{ phrase: 'session drop' }],
  by: ['approver'],
  count: 1,
  requester: false,
  open: 10 * minute,
  notNeeded: [],
  notPossible: [],
  ...given,
});

/** As they stand in a policy file: `Mon 09:00-10:00`. */
export const hours = (text: string) => [readHours(text)].filter((one) => one !== undefined);

/** The people of each role. The helpdesk drops sessions, and so do operators and admins. */
export const everybody = {
  viewer: ['vic'],
  helpdesk: ['alice'],
  operator: ['bob', 'ben'],
  approver: ['carol', 'dana', 'erin'],
  admin: ['root'],
} as const satisfies Lists;

const drops = [{ effect: 'read' }, { phrase: 'session drop' }] as const;
const roles = {
  viewer: { summary: '', commands: [] },
  helpdesk: { summary: '', commands: drops },
  operator: { summary: '', commands: drops },
  approver: { summary: '', commands: [] },
  admin: { summary: '', commands: drops },
} as const satisfies Readonly<Record<string, Role>>;

export interface Setting {
  readonly rules: readonly ApprovalRule[];
  readonly lists: Lists;
  readonly more: Partial<Policy>;
}

export const policyFor = ({ rules, lists, more }: Setting): Policy => {
  // A user group stands there by its ID.
  const ids = (names: readonly string[]) => names.map((name) => (name.startsWith('S0') ? name : idOf(name)));
  const holders = Object.fromEntries(Object.entries(lists).map(([role, names]) => [role, ids(names)]));
  const served = servedTo(holders, { appliances: 'all' });
  return policyOf({ [channel]: served }, { approvals: rules, roles, timeZone: 'UTC', ...more });
};
