import { type Decision, type Denial, decide, heldRoles, type Identity, rolesFor } from '../auth/decide.ts';
import type { Members } from '../auth/members.ts';
import type { ChannelPolicy, Policy } from '../auth/policy.ts';
import { type AnyCommand, type Guide, nameOf } from '../handlers/command.ts';
import { channel as channelSpan, say, type Text } from '../handlers/reply.ts';
import type { CapablePeople, Fault } from './faults.ts';

/** Who may do what, asked for one person in one channel: the pure decision, fed with who people are. */
export interface Authority {
  readonly channel: (id: string) => ChannelPolicy | undefined;
  readonly decide: (command: AnyCommand, person: string, channel: string) => Promise<Decision>;
  /** What help and whoami show: the same decision for every command, taken as a dry run. */
  readonly guide: (commands: readonly AnyCommand[], person: string, channel: string) => Promise<Guide>;
  /** A denial as a fault, with the people who could do it instead. */
  readonly fault: (denial: Denial, channel: string) => Promise<Fault>;
}

export function createAuthority(policy: Policy, members: Members): Authority {
  const channelPolicy = (id: string) => policy.channels[id];

  return {
    channel: channelPolicy,

    decide: async (command, person, channel) =>
      decide(subjectOf(command), await members.identify(person, channelPolicy(channel)), channel, policy),

    guide: async (commands, person, channelId) => {
      const channel = channelPolicy(channelId);
      const identity = await members.identify(person, channel);
      return {
        roles: channel === undefined ? [] : heldRoles(identity, channel),
        served: channel !== undefined,
        appliance: channel?.appliance,
        obstacle: obstacleFor(identity.kind, channelId, channel),
        commands: commands.map((command) => ({
          command,
          allowed: decide(subjectOf(command), identity, channelId, policy).allow,
          roles: channel === undefined ? [] : rolesFor(subjectOf(command), channel).map(({ role }) => role),
        })),
      };
    },

    fault: async (denial, channel) => {
      const needed = 'needed' in denial ? denial.needed : [];
      const capable = await Promise.all(
        needed.map(
          async ({ role, holders }): Promise<CapablePeople> => ({
            role,
            people: holders === 'everyone' ? holders : await members.openGroups(holders),
          }),
        ),
      );
      return { code: 'denied', channel, denial, capable };
    },
  };
}

const subjectOf = (command: AnyCommand) => ({
  name: nameOf(command),
  effect: command.effect,
  open: command.kind === 'info' && command.anywhere,
});

/** Why little or nothing is allowed, where there is a reason beyond roles. */
function obstacleFor(
  kind: Identity['kind'],
  id: string,
  channel: ChannelPolicy | undefined,
): Text | undefined {
  if (channel === undefined) return say`${channelSpan(id)} is not in my policy, so only these work here.`;
  switch (kind) {
    case 'member':
      return undefined;
    case 'guest':
      return say`You are a guest in this workspace: guests hold only roles granted to them by name.`;
    case 'other_organisation':
      return say`You belong to another organisation, whose people hold only roles granted to them by name.`;
    case 'bot':
      return say`I take no orders from bots.`;
    case 'deactivated':
      return say`This account is deactivated.`;
    case 'lookup_failed':
      return say`I could not find out from Slack who you are, so I must assume that you hold no role.`;
  }
}
