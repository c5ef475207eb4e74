import { z } from 'zod';

/** What a command may do to an appliance; `unknown` is what the appliance's document leaves open. */
export const effects = ['read', 'write', 'destructive', 'unknown'] as const;
export type Effect = (typeof effects)[number];

/** A role is a set of commands: all with one of these effects, and these by name. */
export interface Role {
  readonly summary: string;
  readonly effects: readonly Effect[];
  readonly commands: readonly string[];
}

/** The roles that come with the bot, weakest first; a refusal names them in this order. */
export const roles = {
  viewer: { summary: 'looks things up', effects: ['read'], commands: [] },
  helpdesk: {
    summary: 'looks things up and disconnects sessions',
    effects: ['read'],
    commands: ['rdp disconnect'],
  },
  operator: {
    summary: 'changes what the document describes',
    effects: ['read', 'write', 'destructive'],
    commands: [],
  },
  approver: { summary: 'looks things up and approves what others ask', effects: ['read'], commands: [] },
  admin: { summary: 'runs everything', effects, commands: [] },
} as const satisfies Readonly<Record<string, Role>>;

export type RoleName = keyof typeof roles;
// Object.keys loses the key type; the order is the order above.
export const roleNames = Object.keys(roles) as [RoleName, ...RoleName[]];

/** Slack IDs never change; names do, and anyone may take one. A person is `U…` or `W…`, a user group `S…`, a channel `C…` or `G…`. */
const holder = z
  .string()
  .regex(
    /^[UWS][A-Z0-9]{2,}$/,
    'must be the Slack ID of a person (U…) or of a user group (S…), or the word everyone',
  );

const holders = z.union([z.literal('everyone'), z.array(holder)], {
  error: 'must be the word everyone or a list of Slack IDs, such as [U0ALICE001, S0HELPDESK]',
});

export type Holders = z.infer<typeof holders>;

export const channelPolicy = z.strictObject(
  {
    /** For whoever reads the file; decisions use the ID only. */
    name: z.string().optional(),
    /** The appliance that commands of this channel work on. */
    appliance: z.string({ error: 'must name one of the appliances above' }),
    /** Those that `--on` may name there beside it. The roles below hold for each of them. */
    appliances: z
      .union([z.literal('all'), z.array(z.string()).readonly()], {
        error: 'must be the word all or a list of appliances, such as [branch, branch-2]',
      })
      .default([]),
    roles: z.partialRecord(z.enum(roleNames), holders, { error: 'must say who holds which role' }),
  },
  { error: 'must be the settings of one channel' },
);

export type ChannelPolicy = z.infer<typeof channelPolicy>;

/** By the channel's Slack ID. */
export const channels = z.record(z.string(), channelPolicy, {
  error: 'must list channels by their Slack IDs',
});

/** Who may do what, where. A channel that is not listed serves nothing but `help` and `whoami`. */
export interface Policy {
  readonly channels: Readonly<Record<string, ChannelPolicy>>;
}

/** The user groups whose members must be known to decide in a channel. */
export function groupsIn(channel: ChannelPolicy): readonly string[] {
  return Object.values(channel.roles)
    .flatMap((held) => (held === 'everyone' ? [] : held))
    .filter((id) => id.startsWith('S'));
}
