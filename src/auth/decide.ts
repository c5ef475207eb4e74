import { type NotSelfService, whyNotAsk } from './asking/self-service.ts';
import { type ChannelPolicy, everyone, type Holders, type Policy, type RoleName } from './policy.ts';
import { counts, indexOf, own } from './policy-index.ts';
import { type Identity, mayChange, type Request, type RequestedCommand } from './request.ts';
import { covers, isLimited, type Rule } from './rule.ts';

export interface Capable {
  readonly role: RoleName;
  readonly holders: Holders;
}

/**
 * The reason, and the alternatives: which roles could run it, who holds them, and in which channels this person
 * could.
 */
export type Denial =
  | { readonly code: 'channel_not_served'; readonly elsewhere: readonly string[] }
  | { readonly code: 'bot' | 'deactivated' }
  | { readonly code: 'lookup_failed'; readonly lookup: 'person' | 'group' | 'channel' }
  /** The policy's own section decides who may ask for themselves, not the roles. */
  | {
      readonly code: 'self_service';
      readonly why: NotSelfService;
      /** Milliseconds. */
      readonly longest: number | undefined;
    }
  /** Guests and outsiders hold roles only by name, and this one holds none here. */
  | ({ readonly code: 'guest' | 'other_organisation' } & WayOut)
  /** Another organisation shares the channel, and its policy does not allow changes all the same. */
  | ({ readonly code: 'shared_channel' } & WayOut)
  | ({ readonly code: 'role_missing'; readonly held: readonly RoleName[] } & WayOut)
  /** A role covers the command, but not with these arguments, or not on this appliance. */
  | ({
      readonly code: 'argument' | 'appliance';
      readonly held: readonly RoleName[];
      readonly limits: readonly Rule[];
      /** The other lines of the plan count towards the limit. */
      readonly counted?: true;
    } & WayOut);

interface WayOut {
  readonly command: string;
  readonly needed: readonly Capable[];
  /** Channels in which this person could, as far as their groups are known. */
  readonly elsewhere: readonly string[];
}

export type Decision =
  | {
      readonly allow: true;
      readonly held: readonly RoleName[];
      /** The roles held that allow it. */
      readonly by: readonly RoleName[];
    }
  | { readonly allow: false; readonly denial: Denial };

/**
 * Decides whether this person may have this access to the command, in that channel and on that appliance. Pure,
 * and denies by default: everything that no role grants there is refused, with the alternatives.
 */
export function decide(request: Request, policy: Policy): Decision {
  const { who, where, what } = request;
  const { channel, held, by, isAllowed, isSafe } = weigh(request, policy);
  if (isAllowed) return { allow: true, held, by };
  if (what.selfService === 'alone') return deny(notSelfService(request, policy));
  if (channel === undefined) {
    return deny({ code: 'channel_not_served', elsewhere: channelsFor(what, who, policy) });
  }
  if (who.kind === 'lookup_failed') return deny({ code: 'lookup_failed', lookup: 'person' });
  if (who.kind === 'deactivated') return deny({ code: 'deactivated' });
  // A bot cannot ask a colleague, so without a custom role its refusal names no alternatives.
  if (who.kind === 'bot' && held.length === 0) return deny({ code: 'bot' });
  if (by.length > 0) {
    if (where.place === 'lookup_failed') return deny({ code: 'lookup_failed', lookup: 'channel' });
    return deny({ code: 'shared_channel', ...wayOut() });
  }
  if (weigh({ ...request, who: atBest(who) }, policy).isAllowed) {
    return deny({ code: 'lookup_failed', lookup: 'group' });
  }
  if (who.kind !== 'member' && who.kind !== 'bot' && held.length === 0) {
    return deny({ code: who.kind, ...wayOut() });
  }
  // No other role helps where nobody may change anything.
  const isShut = where.place === 'shared' && !isSafe;
  const out = isShut ? { ...wayOut(), needed: [] } : wayOut();
  const anyhow = limitsOf({ ...what, appliance: 'any' }, held, policy);
  if (anyhow.length === 0) return deny({ code: 'role_missing', held, ...out });
  const here = limitsOf(what, held, policy);
  return here.length === 0
    ? deny({ code: 'appliance', held, limits: anyhow, ...out })
    : deny({ code: 'argument', held, limits: here, ...(isCounted(here, what) && { counted: true }), ...out });

  function wayOut(): WayOut {
    return {
      command: what.name,
      needed: rolesFor(what, where.channel, policy),
      elsewhere: channelsFor(what, who, policy).filter((id) => id !== where.channel),
    };
  }
}

/** The decision as yes or no, for callers that check many commands at once and need no alternatives. */
export const allows = (request: Request, policy: Policy): boolean => weigh(request, policy).isAllowed;

interface Weighed {
  readonly channel: ChannelPolicy | undefined;
  readonly held: readonly RoleName[];
  readonly by: readonly RoleName[];
  readonly isSafe: boolean;
  readonly isAllowed: boolean;
}

function weigh({ who, where, what, access }: Request, policy: Policy): Weighed {
  const channel = channelIn(policy, where.channel);
  // Approvals require a human.
  const isBlind = access === 'approve' && who.kind === 'bot';
  const held = channel === undefined || isBlind ? [] : heldRoles(who, channel, policy);
  const by = held.filter((role) => includes(policy, role, what));
  // In a channel shared with another organisation, changes need the policy's consent; reads do not.
  const isSafe = !mayChange({ what, access }) || where.place === 'own' || channel?.sharedWrites === true;
  const isOpen =
    what.open || (what.selfService !== false && whyNot({ who, where, what, access }, policy) === undefined);
  return { channel, held, by, isSafe, isAllowed: isOpen || (by.length > 0 && isSafe) };
}

const whyNot = ({ who, where, what }: Request, { selfService }: Policy): NotSelfService | undefined =>
  whyNotAsk(selfService, namesOf(who), where, what);

function notSelfService(request: Request, policy: Policy): Denial {
  const { who } = request;
  if (who.kind === 'lookup_failed') return { code: 'lookup_failed', lookup: 'person' };
  if (who.kind === 'deactivated') return { code: 'deactivated' };
  const why = whyNot(request, policy) ?? 'off';
  if (why === 'person' && whyNot({ ...request, who: atBest(who) }, policy) !== 'person')
    return { code: 'lookup_failed', lookup: 'group' };
  return { code: 'self_service', why, longest: policy.selfService?.longest };
}

export const channelIn = ({ channels }: Policy, id: string): ChannelPolicy | undefined => own(channels, id);

/** The roles a person holds in a channel, weakest first: given there or everywhere, and counting there. */
export function heldRoles(identity: Identity, channel: ChannelPolicy, policy: Policy): readonly RoleName[] {
  const names = namesOf(identity);
  return countingIn(channel, policy).filter(
    (role) => isNamed(names, own(channel.roles, role)) || isNamed(names, own(policy.holders, role)),
  );
}

/** The names by which the policy may give a person roles. */
function namesOf(identity: Identity): readonly string[] {
  switch (identity.kind) {
    case 'member':
      return [identity.id, everyone, ...identity.groups];
    // Guests hold a role only where the policy names them in person.
    case 'guest':
    case 'other_organisation':
    case 'bot':
      return [identity.id];
    case 'deactivated':
    case 'lookup_failed':
      return [];
  }
}

/** The person as if they were in all the groups that could not be read. */
export const atBest = (identity: Identity): Identity =>
  identity.kind === 'lookup_failed' || identity.unread === undefined
    ? identity
    : { ...identity, groups: identity.groups.union(identity.unread) };

const isNamed = (names: readonly string[], holders: Holders | undefined): boolean =>
  holders !== undefined && names.some((name) => holders.has(name));

const countingIn = (channel: ChannelPolicy, policy: Policy): readonly RoleName[] =>
  indexOf(policy).roles.filter((role) => counts(role, channel));

/**
 * The roles of a channel that may run this, weakest first, each with its holders. Roles without holders are
 * left out.
 */
export function rolesFor(subject: RequestedCommand, channelId: string, policy: Policy): readonly Capable[] {
  const channel = channelIn(policy, channelId);
  if (channel === undefined) return [];
  return countingIn(channel, policy).flatMap((role) => {
    const holders = holdersOf(role, channel, policy);
    return holders.size === 0 || !includes(policy, role, subject) ? [] : [{ role, holders }];
  });
}

/** The holders of a role in a channel, given there or everywhere. */
export function holdersOf(role: RoleName, channel: ChannelPolicy, policy: Policy): Holders {
  const here = own(channel.roles, role) ?? nobody;
  const everywhere = own(policy.holders, role) ?? nobody;
  if (here.size === 0) return everywhere;
  return everywhere.size === 0 ? here : here.union(everywhere);
}

const nobody: Holders = new Set();

/** The user groups whose members must be known to decide in a channel. */
export function groupsIn(channelId: string, policy: Policy): readonly string[] {
  // A channel that is not served gives no roles, so only the right to ask for oneself matters.
  return indexOf(policy).groups.get(channelId) ?? indexOf(policy).askers;
}

function includes({ roles }: Policy, role: RoleName, subject: RequestedCommand): boolean {
  return (
    subject.selfService !== 'alone' && roles[role]?.commands.some((rule) => covers(rule, subject)) === true
  );
}

/** The rules by which these roles cover the command with some arguments and some duration. */
function limitsOf(subject: RequestedCommand, held: readonly RoleName[], { roles }: Policy): readonly Rule[] {
  const anyhow = { ...subject, args: 'any', lasts: 'any' } as const;
  return held.flatMap((role) => (roles[role]?.commands ?? []).filter((rule) => covers(rule, anyhow)));
}

const isCounted = (limits: readonly Rule[], { beside = [] }: RequestedCommand): boolean =>
  beside.length > 0 && limits.some(({ most }) => most !== undefined);

/** The arguments and appliances to which a role's right to run this is limited; none if it is unlimited. */
export function limitsOfRole(subject: RequestedCommand, role: RoleName, policy: Policy): readonly Rule[] {
  const rules = limitsOf({ ...subject, appliance: 'any' }, [role], policy);
  return rules.every(isLimited) ? rules : [];
}

/** Channels in which this person may run this, as far as is known of their groups. */
function channelsFor(subject: RequestedCommand, identity: Identity, policy: Policy): readonly string[] {
  const names = namesOf(identity);
  const { roles, channels, counting, given } = indexOf(policy);
  // Indexed by place, not by ID: somebody may hold several roles in each of hundreds of channels.
  const may = new Uint8Array(channels.length);
  for (const role of roles) {
    if (!includes(policy, role, subject)) continue;
    const found = isNamed(names, own(policy.holders, role))
      ? [counting.get(role)]
      : names.map((name) => given.get(role)?.get(name));
    for (const places of found) for (const place of places ?? []) may[place] = 1;
  }
  return channels.filter((_, place) => may[place] === 1);
}

const deny = (denial: Denial): Decision => ({ allow: false, denial });

/** Allows if every decision allows; otherwise returns the first denial. */
export function allOf(decisions: readonly Decision[]): Decision {
  const by = new Set<RoleName>();
  for (const decision of decisions) {
    if (!decision.allow) return decision;
    for (const role of decision.by) by.add(role);
  }
  const held = decisions.flatMap((one) => (one.allow ? [one.held] : []))[0] ?? [];
  return { allow: true, held, by: held.filter((role) => by.has(role)) };
}
