import { type Approval, approvalFor, holdersOfAny, holdsOne } from '../../auth/approval.ts';
import {
  allows,
  type Capable,
  type Decision,
  type Denial,
  decide,
  groupsIn,
  heldRoles,
  type Identity,
  isSafe,
  limitsOfRole,
  type Place,
  rolesFor,
  type Where,
} from '../../auth/decide.ts';
import type { PolicyInForce } from '../../auth/in-force.ts';
import type { Members } from '../../auth/members.ts';
import { type ChannelPolicy, everyone, type Holders, type Policy, type RoleName } from '../../auth/policy.ts';
import type { Rule, Subject } from '../../auth/rule.ts';
import { type AnyCommand, areaOf, type Guide, nameOf } from '../../handlers/command.ts';
import { code, say, type Text } from '../../handlers/reply.ts';
import type { Fault } from '../faults.ts';
import { type CapablePeople, placeInWords } from './denied.ts';

/** What an argument was read as, by its name. Absent while it is not known yet. */
export type Arguments = Subject['args'];

/** Who may do what, asked for one person in one channel: the pure decisions, fed with who people are. */
export interface Authority {
  /** The policy as it is now. */
  readonly policy: () => Policy;
  readonly channel: (id: string) => ChannelPolicy | undefined;
  readonly identify: (person: string, channel: string) => Promise<Identity>;
  /** Without arguments: whether there are any with which it is allowed. */
  readonly decide: (
    command: AnyCommand,
    person: string,
    channel: string,
    args?: Arguments,
  ) => Promise<Decision>;
  /** Whether nobody may run it there, because people of another organisation read along. */
  readonly isShut: (command: AnyCommand, channel: string) => Promise<boolean>;
  /** The roles that may run it there, with who holds each. */
  readonly rolesFor: (command: AnyCommand, channel: string, args: Arguments) => readonly Capable[];
  /** With which arguments alone a role may run it; none where it may with any. */
  readonly limitsOf: (command: AnyCommand, role: RoleName) => readonly Rule[];
  /** Whether it needs somebody else's yes at this moment, asked by somebody whom these roles allow it. */
  readonly approvalFor: (command: AnyCommand, args: Arguments, by: readonly RoleName[]) => Approval;
  /** The roles that somebody holds there now. A lookup that fails finds none. */
  readonly rolesOf: (person: string, channel: string) => Promise<readonly RoleName[]>;
  /** Whether this person holds one of these roles there now. A lookup that fails says no. */
  readonly holdsOne: (person: string, roles: readonly RoleName[], channel: string) => Promise<boolean>;
  /** Who holds one of these roles there, user groups not opened. */
  readonly holders: (roles: readonly RoleName[], channel: string) => readonly string[];
  /** The channels in which somebody holds one of these roles. */
  readonly channelsWith: (roles: readonly RoleName[]) => readonly string[];
  /** Who holds one of these roles there, with user groups opened. Whom it would be endless to name is everyone. */
  readonly people: (roles: readonly RoleName[], channel: string) => Promise<CapablePeople['people']>;
  /** What help and whoami show: the same decision for every command, taken as a dry run. */
  readonly guide: (commands: readonly AnyCommand[], person: string, channel: string) => Promise<Guide>;
  /** A denial as a fault, with the people who could do it instead. */
  readonly fault: (denial: Denial, channel: string) => Promise<Extract<Fault, { code: 'denied' }>>;
}

export function createAuthority({ current }: PolicyInForce, members: Members, now: () => number): Authority {
  const channelPolicy = (id: string) => {
    const { channels } = current();
    return Object.hasOwn(channels, id) ? channels[id] : undefined;
  };
  const identify = (person: string, channel: string) =>
    members.identify(person, groupsIn(channel, current()));

  async function open(holders: Holders): Promise<CapablePeople['people']> {
    return holders.has(everyone) ? everyone : members.openGroups([...holders]);
  }

  return {
    policy: current,
    channel: channelPolicy,
    identify,

    decide: async (command, person, channel, args) => {
      // Before anything is waited for: a policy that changes meanwhile must not be decided half by the old one.
      const policy = current();
      const identity = await members.identify(person, groupsIn(channel, policy));
      const isSafe = command.effect === 'read' || channelPolicy(channel) === undefined;
      const place = isSafe ? 'own' : await members.placeOf(channel);
      return decide(subjectOf(command, args), identity, { channel, place }, policy);
    },

    isShut: async (command, channel) => {
      const policy = channelPolicy(channel);
      const subject = subjectOf(command);
      if (policy === undefined || isSafe(subject, policy, { channel, place: 'shared' })) return false;
      return (await members.placeOf(channel)) === 'shared';
    },

    rolesFor: (command, channel, args) => rolesFor(subjectOf(command, args), channel, current()),

    limitsOf: (command, role) => limitsOfRole(subjectOf(command), role, current()),

    approvalFor: (command, args, by) => approvalFor(subjectOf(command, args), by, now(), current()),

    rolesOf: async (person, channel) => {
      const identity = await identify(person, channel);
      const settings = channelPolicy(channel);
      return settings === undefined ? [] : heldRoles(identity, settings, current());
    },

    holdsOne: async (person, roles, channel) =>
      holdsOne(await identify(person, channel), roles, channel, current()),

    holders: (roles, channel) => [...holdersOfAny(roles, channel, current())],

    channelsWith: (roles) =>
      Object.keys(current().channels).filter((id) => holdersOfAny(roles, id, current()).size > 0),

    people: (roles, channel) => open(holdersOfAny(roles, channel, current())),

    guide: async (commands, person, channelId) => {
      const policy = current();
      const channel = channelPolicy(channelId);
      const [identity, place] = await Promise.all([
        identify(person, channelId),
        channel === undefined ? Promise.resolve<Place>('own') : members.placeOf(channelId),
      ]);
      const where = { channel: channelId, place };
      return {
        roles: channel === undefined ? [] : heldRoles(identity, channel, policy),
        served: channel !== undefined,
        appliance: channel?.appliance,
        obstacle: obstacleFor(identity.kind, where, channel),
        commands: commands.map((command) => ({
          command,
          allowed: allows(subjectOf(command), identity, where, policy),
          roles: rolesFor(subjectOf(command), channelId, policy).map(({ role }) => role),
        })),
      };
    },

    fault: async (denial, channel) => {
      const needed = 'needed' in denial ? denial.needed : [];
      const capable = await Promise.all(
        needed.map(
          async ({ role, holders }): Promise<CapablePeople> => ({ role, people: await open(holders) }),
        ),
      );
      return { code: 'denied', channel, denial, capable };
    },
  };
}

/** What of a command decides who may run it. */
export const subjectOf = (command: AnyCommand, args?: Arguments): Subject => ({
  name: nameOf(command),
  area: areaOf(command),
  effect: command.effect,
  open: command.kind === 'info' && command.anywhere,
  named: command.named,
  ...(args === undefined ? {} : { args }),
});

/** Why little or nothing is allowed, where there is a reason beyond roles. */
function obstacleFor(
  kind: Identity['kind'],
  { channel: id, place }: Where,
  channel: ChannelPolicy | undefined,
): Text | undefined {
  if (channel === undefined) {
    return say`${placeInWords(id)} is not in my policy: only ${code('help')} and ${code('whoami')} work here.`;
  }
  switch (kind) {
    case 'member':
      return place === 'shared' && channel.sharedWrites !== true
        ? say`People of another organisation are in this channel, so I change nothing from here.`
        : undefined;
    case 'guest':
      return say`You are a guest in this workspace: guests hold only roles granted to them by name.`;
    case 'other_organisation':
      return say`You belong to another organisation, whose people hold only roles granted to them by name.`;
    case 'bot':
      return say`I take orders only from bots to which a role was granted by name.`;
    case 'deactivated':
      return say`Your account is deactivated.`;
    case 'lookup_failed':
      return say`I could not find out from Slack who you are, so I must assume that you hold no role.`;
  }
}
