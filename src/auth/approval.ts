import { channelIn, heldRoles, holdersOf } from './decide.ts';
import { isWithin } from './hours.ts';
import type { ApprovalRule, Holders, Policy, RoleName } from './policy.ts';
import { fits } from './reason.ts';
import type { Identity, RequestedCommand } from './request.ts';
import { covers, isCertain, touches } from './rule.ts';

/** Whether another person must approve a command before it runs, and who. */
export type Approval =
  | { readonly kind: 'not_needed' }
  /** Every one of these rules must be satisfied. */
  | ({ readonly kind: 'needed'; readonly rules: readonly ApprovalRule[] } & Certainty)
  /** The rule excludes approvals at this hour. */
  | ({ readonly kind: 'not_possible'; readonly rule: ApprovalRule } & Certainty);

interface Certainty {
  /** Nothing that is still unknown can make the requirement weaker. */
  readonly isCertain: boolean;
}

export interface PlannedFor {
  /** Milliseconds since the epoch. */
  readonly runsAt: number;
  /** Everybody needed has approved it already, so nobody has to be able to approve it now. */
  readonly isAgreed: boolean;
}

/**
 * The approval that the policy requires from somebody who may run the command by these roles, at a moment
 * (milliseconds since the epoch). The first rule that covers the command counts. Several things at once may
 * each meet another rule. Then all of these rules count, so naming one more thing never removes an approval.
 * All rules that could apply also count while the arguments are not known.
 */
export function approvalFor(
  subject: RequestedCommand,
  by: readonly RoleName[],
  at: number,
  policy: Policy,
  { runsAt, isAgreed }: PlannedFor = { runsAt: at, isAgreed: false },
): Approval {
  const met = policy.approvals.filter(
    ({ commands, requesters }) =>
      commands.some((one) => touches(one, subject)) &&
      (requesters === undefined || by.every((role) => requesters.includes(role))),
  );
  const last = met.findIndex(({ commands }) =>
    commands.some((one) => covers(one, subject) && isCertain(one, subject)),
  );
  const counting = last === -1 ? met : met.slice(0, last + 1);
  const isKnown = counting.every(
    ({ commands, temporary }) =>
      commands.every((one) => isCertain(one, subject) || !touches(one, subject)) &&
      !(temporary !== undefined && subject.lasts === 'any'),
  );
  const impossible = isAgreed
    ? undefined
    : counting.find(({ notPossible }) => isWithin(notPossible, at, policy.timeZone));
  if (impossible !== undefined) return { kind: 'not_possible', rule: impossible, isCertain: isKnown };
  const isShort = ({ temporary }: ApprovalRule) =>
    temporary !== undefined && typeof subject.lasts === 'number' && subject.lasts <= temporary.longest;
  const rules = counting.filter(
    (rule) => !isShort(rule) && !isWithin(rule.notNeeded, Math.max(at, runsAt), policy.timeZone),
  );
  return rules.length === 0 ? { kind: 'not_needed' } : { kind: 'needed', rules, isCertain: isKnown };
}

export function holdsOne(
  identity: Identity,
  roles: readonly RoleName[],
  channelId: string,
  policy: Policy,
): boolean {
  const channel = channelIn(policy, channelId);
  return channel !== undefined && heldRoles(identity, channel, policy).some((role) => roles.includes(role));
}

/** Everybody who holds one of these roles in a channel: people, groups, or the word `everyone`. */
export function holdersOfAny(roles: readonly RoleName[], channelId: string, policy: Policy): Holders {
  const channel = channelIn(policy, channelId);
  if (channel === undefined) return new Set();
  const counting = roles.filter((role) => channel.only === undefined || channel.only.includes(role));
  return new Set(counting.flatMap((role) => [...holdersOf(role, channel, policy)]));
}

export function isReason(text: string | undefined, { reason }: Pick<ApprovalRule, 'reason'>): boolean {
  if (reason === undefined) return true;
  return fits(text?.trim() ?? '', reason);
}

export function hardest(approvals: readonly Approval[]): Approval {
  const impossible = approvals.find(({ kind }) => kind === 'not_possible');
  const isCertain = approvals.every((one) => one.kind === 'not_needed' || one.isCertain);
  if (impossible?.kind === 'not_possible') return { ...impossible, isCertain };
  const rules = new Set(approvals.flatMap((one) => (one.kind === 'needed' ? one.rules : [])));
  return rules.size === 0 ? { kind: 'not_needed' } : { kind: 'needed', rules: [...rules], isCertain };
}
