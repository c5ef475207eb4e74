import {
  type ChannelPolicy,
  type Holders,
  type Policy,
  type RoleName,
  shippedEmergency,
  shippedRoles,
} from '../src/auth/policy.ts';
import type { Identity, Request, RequestedCommand, Where } from '../src/auth/request.ts';

/** Holders as the file lists them. */
export type Lists = Readonly<Record<RoleName, readonly string[]>>;

/** A channel of a policy in which these hold these roles. */
export const servedTo = (lists: Lists, more: Partial<ChannelPolicy> = {}): ChannelPolicy => ({
  appliance: 'hq',
  appliances: [],
  roles: holdersOf(lists),
  sharedWrites: false,
  ...more,
});

/** A policy of these channels with the shipped roles, and without approvals. */
export const policyOf = (
  channels: Readonly<Record<string, ChannelPolicy>>,
  more: Partial<Policy> = {},
): Policy => ({
  channels,
  holders: {},
  roles: shippedRoles,
  approvals: [],
  emergency: shippedEmergency,
  timeZone: 'Europe/Berlin',
  ...more,
});

export const holdersOf = (lists: Lists): Readonly<Record<RoleName, Holders>> =>
  Object.fromEntries(Object.entries(lists).map(([role, list]) => [role, new Set(list)]));

/** A command for a decision, by default with any arguments on any appliance. */
export const subjectOf = (
  what: Pick<RequestedCommand, 'name' | 'area' | 'effect'> & Partial<RequestedCommand>,
): RequestedCommand => ({
  open: false,
  selfService: false,
  named: false,
  args: 'any',
  appliance: 'any',
  lasts: 'any',
  ...what,
});

/** Somebody who wants to run it. */
export const toRun = (what: RequestedCommand, who: Identity, where: Where): Request => ({
  ...{ who, where, what },
  access: 'run',
});
