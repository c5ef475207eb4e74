import {
  type ChannelPolicy,
  everyone,
  type Policy,
  type Role,
  type RoleName,
  shippedApprovals,
  shippedEmergency,
  shippedRoles,
} from '../src/auth/policy.ts';
import type { RequestedCommand } from '../src/auth/request.ts';
import { covers } from '../src/auth/rule.ts';

export interface Size {
  readonly channels: number;
  readonly groups: number;
  readonly people: number;
}

export interface Person {
  readonly id: string;
  readonly groups: readonly string[];
}

/** The policy of a large house, as it stands in the file and as the bot holds it. */
export interface LargePolicy {
  readonly written: Written;
  readonly policy: Policy;
  readonly people: readonly Person[];
}

/** Holders as lists, in the order in which somebody wrote them. */
interface Written {
  readonly roles: Readonly<Record<RoleName, Role>>;
  readonly holders: Lists;
  readonly channels: Readonly<Record<string, WrittenChannel>>;
}

interface WrittenChannel {
  readonly roles: Lists;
  readonly only?: readonly RoleName[];
}

type Lists = Readonly<Record<RoleName, readonly string[]>>;

/**
 * Every person is named in one channel and is in two groups. In each channel, persons and groups hold helpdesk and
 * operator. Every second channel lets everyone look, every tenth has fewer roles, every tenth gives a group one category.
 * Admins are admins everywhere.
 */
export function largePolicy({ channels, groups, people }: Size, random: () => number): LargePolicy {
  const below = (end: number) => Math.floor(random() * end);
  const someGroup = () => `S${String(below(groups)).padStart(8, '0')}`;
  const everybody = Array.from({ length: people }, (_, index) => ({
    id: `U${String(index).padStart(8, '0')}`,
    groups: [someGroup(), someGroup()],
  }));
  const perChannel = Math.floor(people / channels);
  const written: Written = {
    roles: {
      ...shippedRoles,
      advertising: {
        summary: 'fills one category',
        commands: [{ phrase: 'category add', where: { category: [252] } }],
      },
    },
    holders: { admin: [someGroup(), ...everybody.slice(0, 3).map(({ id }) => id)] },
    channels: Object.fromEntries(
      Array.from({ length: channels }, (_, index): [string, WrittenChannel] => {
        const named = everybody.slice(index * perChannel, (index + 1) * perChannel).map(({ id }) => id);
        const half = Math.floor(perChannel / 2);
        const roles = {
          ...(index % 2 === 0 && { viewer: [everyone] }),
          helpdesk: [...named.slice(0, half), someGroup(), someGroup()],
          operator: [...named.slice(half), someGroup()],
          ...(index % 10 === 0 && { advertising: [someGroup()] }),
        };
        const id = `C${String(index).padStart(8, '0')}`;
        return [id, index % 10 === 1 ? { roles, only: ['viewer', 'helpdesk'] } : { roles }];
      }),
    ),
  };
  return { written, policy: held(written), people: everybody };
}

/** The same as the bot holds it. */
function held({ roles, holders, channels }: Written): Policy {
  const sets = (lists: Lists) =>
    Object.fromEntries(Object.entries(lists).map(([role, list]) => [role, new Set(list)]));
  return {
    channels: Object.fromEntries(
      Object.entries(channels).map(([id, channel]): [string, ChannelPolicy] => [
        id,
        { ...channel, appliance: 'hq', appliances: [], roles: sets(channel.roles), sharedWrites: false },
      ]),
    ),
    holders: sets(holders),
    roles,
    approvals: shippedApprovals,
    emergency: shippedEmergency,
    timeZone: 'Europe/Berlin',
  };
}

/** The roles that could, with their holders, and the channels in which this person could. */
export interface Scanned {
  readonly allow: boolean;
  readonly needed: readonly { readonly role: RoleName; readonly holders: readonly string[] }[];
  readonly elsewhere: readonly string[];
}

/** The answer of `decide()` for a member in a channel of our own, found by going through the lists. */
export function scan(
  { roles, holders, channels }: Written,
  subject: RequestedCommand,
  { id, groups }: Person,
  here: string,
): Scanned {
  const able = Object.keys(roles).filter((role) =>
    roles[role]?.commands.some((rule) => covers(rule, subject)),
  );
  const holdersIn = (role: RoleName, channel: WrittenChannel | undefined) =>
    channel === undefined || channel.only?.includes(role) === false
      ? []
      : [...(channel.roles[role] ?? []), ...(holders[role] ?? [])];
  const mayIn = (channel: WrittenChannel | undefined) =>
    able.some((role) =>
      holdersIn(role, channel).some((one) => one === everyone || one === id || groups.includes(one)),
    );
  if (mayIn(channels[here])) return { allow: true, needed: [], elsewhere: [] };
  return {
    allow: false,
    needed: able.flatMap((role) => {
      const found = holdersIn(role, channels[here]);
      return found.length === 0 ? [] : [{ role, holders: found }];
    }),
    elsewhere: Object.keys(channels).filter((channel) => mayIn(channels[channel])),
  };
}
