import type { ChannelPolicy, Holders, Policy, RoleName } from './policy.ts';

/** Lookups that decisions repeat thousands of times for the same policy. */
export interface PolicyIndex {
  readonly roles: readonly RoleName[];
  /** The position of each channel in the policy, which sorts lists of channels. */
  readonly channels: readonly string[];
  /** By role, the positions of the channels in which it counts. */
  readonly counting: ReadonlyMap<RoleName, readonly number[]>;
  /** By role and holder, the positions of the channels that give it to them and in which it counts. */
  readonly given: ReadonlyMap<RoleName, ReadonlyMap<string, readonly number[]>>;
  /** By channel, the user groups whose members must be known to decide there. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  /** The user groups whose members may ask for themselves, in any channel. */
  readonly askers: readonly string[];
  /** The IDs of everybody, every user group and every channel that the policy names. */
  readonly named: ReadonlySet<string>;
}

const indexes = new WeakMap<Policy, PolicyIndex>();

/** Built once per policy object: a policy is never changed, only replaced. */
export function indexOf(policy: Policy): PolicyIndex {
  const index = indexes.get(policy) ?? build(policy);
  indexes.set(policy, index);
  return index;
}

function build(policy: Policy): PolicyIndex {
  const roles = Object.keys(policy.roles);
  const channels = Object.entries(policy.channels);
  const askers = groupsAmong([policy.selfService?.askers ?? new Set()]);
  const everywhere = [...groupsAmong(Object.values(policy.holders)), ...askers];
  return {
    roles,
    askers,
    channels: channels.map(([id]) => id),
    counting: new Map(
      roles.map((role) => [role, channels.flatMap(([, channel], at) => (counts(role, channel) ? [at] : []))]),
    ),
    given: new Map(roles.map((role) => [role, given(role, channels)])),
    named: new Set([
      ...channels.map(([id]) => id),
      ...[policy.holders, ...channels.map(([, channel]) => channel.roles)].flatMap((given) =>
        Object.values(given).flatMap((holders) => [...holders]),
      ),
    ]),
    groups: new Map(
      channels.map(([id, channel]) => [
        id,
        [...new Set([...groupsAmong(Object.values(channel.roles)), ...everywhere])],
      ]),
    ),
  };
}

function given(
  role: RoleName,
  channels: readonly (readonly [string, ChannelPolicy])[],
): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  channels.forEach(([, channel], at) => {
    if (!counts(role, channel)) return;
    for (const holder of own(channel.roles, role) ?? []) {
      const places = found.get(holder);
      if (places === undefined) found.set(holder, [at]);
      else places.push(at);
    }
  });
  return found;
}

export const counts = (role: RoleName, { only }: ChannelPolicy): boolean =>
  only === undefined || only.includes(role);

export const groupsNamed = (policy: Policy): readonly string[] => [
  ...new Set([...indexOf(policy).askers, ...[...indexOf(policy).groups.values()].flat()]),
];

const groupsAmong = (given: readonly Holders[]): readonly string[] =>
  given.flatMap((holders) => [...holders].filter((id) => id.startsWith('S')));

/** An own entry of the policy. Its keys are words of people, so a name that every object inherits must not match. */
export const own = <Value>(entries: Readonly<Record<string, Value>>, key: string): Value | undefined =>
  Object.hasOwn(entries, key) ? entries[key] : undefined;
