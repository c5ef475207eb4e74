import {
  type ChannelPolicy,
  type Effect,
  type Policy,
  type Role,
  type RoleName,
  roleNames,
  roles,
} from './policy.ts';

/** What is known of a person when a decision is taken. A lookup that failed is known as such, and denies. */
export type Identity =
  | { readonly kind: PersonKind; readonly id: string; readonly groups: ReadonlySet<string> }
  | { readonly kind: 'lookup_failed'; readonly id: string; readonly lookup: 'person' | 'group' };

export type PersonKind = 'member' | 'guest' | 'other_organisation' | 'bot' | 'deactivated';

/** What is asked for. `open` commands answer from the bot's own knowledge and are allowed everywhere. */
export interface Subject {
  /** The literal words of its phrase: `rdp disconnect`. */
  readonly name: string;
  readonly effect: Effect;
  readonly open: boolean;
}

/** Somebody who could run what was refused. */
export interface Capable {
  readonly role: RoleName;
  readonly holders: 'everyone' | readonly string[];
}

export type Denial =
  | { readonly code: 'channel_not_served' }
  | { readonly code: 'bot' | 'deactivated' }
  | { readonly code: 'lookup_failed'; readonly lookup: 'person' | 'group' }
  /** People who hold a role only by name, and hold none here. */
  | {
      readonly code: 'guest' | 'other_organisation';
      readonly command: string;
      readonly needed: readonly Capable[];
    }
  | {
      readonly code: 'role_missing';
      readonly command: string;
      readonly held: readonly RoleName[];
      readonly needed: readonly Capable[];
    };

export type Decision =
  | { readonly allow: true; readonly held: readonly RoleName[] }
  | { readonly allow: false; readonly denial: Denial };

/**
 * Whether this person may run this command in this channel. Pure, and denies by default: whatever is not
 * granted by a role of the channel's policy is refused, with the way out.
 */
export function decide(subject: Subject, identity: Identity, channelId: string, policy: Policy): Decision {
  const channel = policy.channels[channelId];
  const held = channel === undefined ? [] : heldRoles(identity, channel);
  if (subject.open) return { allow: true, held };
  if (channel === undefined) return deny({ code: 'channel_not_served' });
  if (identity.kind === 'lookup_failed') return deny({ code: 'lookup_failed', lookup: identity.lookup });
  if (identity.kind === 'bot' || identity.kind === 'deactivated') return deny({ code: identity.kind });
  const needed = rolesFor(subject, channel);
  if (needed.some(({ role }) => held.includes(role))) return { allow: true, held };
  if (identity.kind !== 'member' && held.length === 0) {
    return deny({ code: identity.kind, command: subject.name, needed });
  }
  return deny({ code: 'role_missing', command: subject.name, held, needed });
}

/** The roles a person holds in a channel, weakest first. */
export function heldRoles(identity: Identity, channel: ChannelPolicy): readonly RoleName[] {
  if (identity.kind === 'lookup_failed' || identity.kind === 'bot' || identity.kind === 'deactivated')
    return [];
  return roleNames.filter((role) => {
    const holders = channel.roles[role];
    if (holders === undefined) return false;
    // Guests and people of other organisations hold a role only where the policy names them in person.
    if (identity.kind !== 'member') return holders !== 'everyone' && holders.includes(identity.id);
    return holders === 'everyone' || holders.some((id) => id === identity.id || identity.groups.has(id));
  });
}

/** The roles of a channel that may run this, with who holds each, weakest first. */
export function rolesFor(
  subject: Pick<Subject, 'name' | 'effect'>,
  channel: ChannelPolicy,
): readonly Capable[] {
  return roleNames.flatMap((role) => {
    const holders = channel.roles[role];
    return holders === undefined || !includes(roles[role], subject) ? [] : [{ role, holders }];
  });
}

function includes(role: Role, subject: Pick<Subject, 'name' | 'effect'>): boolean {
  return role.effects.includes(subject.effect) || role.commands.includes(subject.name);
}

const deny = (denial: Denial): Decision => ({ allow: false, denial });
