import { hash } from 'node:crypto';
import type { SelfServicePolicy } from './asking/self-service.ts';
import type { WallTime } from './calendar/wall-time.ts';
import type { Hours } from './hours.ts';
import { effects } from './request.ts';
import type { Rule } from './rule.ts';

export interface Role {
  readonly summary: string;
  readonly commands: readonly Rule[];
}

/** A policy may add its own to those that ship with the bot. */
export type RoleName = string;

/**
 * The roles that ship with the bot, weakest first. A refusal names them in this order, and the policy's own
 * after them.
 */
export const shippedRoles = {
  viewer: { summary: 'looks things up', commands: [{ effect: 'read' }] },
  helpdesk: {
    summary: 'looks things up and disconnects remote-desktop sessions',
    commands: [{ effect: 'read' }, { phrase: 'rdp disconnect' }],
  },
  operator: {
    summary: "changes what the appliance's document describes",
    commands: [{ effect: 'read' }, { effect: 'write' }, { effect: 'destructive' }],
  },
  approver: { summary: 'looks things up and approves what others ask', commands: [{ effect: 'read' }] },
  admin: {
    summary: 'runs everything',
    commands: [...effects.map((effect) => ({ effect })), { phrase: 'audit everywhere' }],
  },
} as const satisfies Readonly<Record<RoleName, Role>>;

/** Slack IDs of people (`U…`, `W…`) and of user groups (`S…`), or the word `everyone`. */
export type Holders = ReadonlySet<string>;

/** Every member of the workspace, without guests and people of other organisations. */
export const everyone = 'everyone';

export interface ChannelPolicy {
  /** For readers of the file; decisions use the ID only. */
  readonly name?: string | undefined;
  readonly appliance: string;
  /** Further appliances that `--on` may name there. The roles hold for each of them. */
  readonly appliances: 'all' | readonly string[];
  readonly roles: Readonly<Record<RoleName, Holders>>;
  /** The only roles that count here, wherever they were given; all when absent. */
  readonly only?: readonly RoleName[] | undefined;
  /** Allows changes although people of another organisation read the channel and can press buttons. */
  readonly sharedWrites: boolean;
}

export interface ApprovalRule {
  /** The rule applies to a command that one of these covers wholly or in part. */
  readonly commands: readonly Rule[];
  /** Only somebody whose roles are all among these needs approval; everybody when absent. */
  readonly requesters?: readonly RoleName[] | undefined;
  readonly by: readonly RoleName[];
  readonly count: number;
  /** Whether the requester may approve too. */
  readonly requester: boolean;
  /** How long a request stays open, in milliseconds. */
  readonly open: number;
  /** A reason is required, and must match the pattern if there is one. */
  readonly reason?:
    | { readonly pattern?: string | undefined; readonly example?: string | undefined }
    | undefined;
  /** A change that ends by itself after at most this many milliseconds needs no approval. */
  readonly temporary?: { readonly longest: number } | undefined;
  /** Hours in which no approval is needed. */
  readonly notNeeded: readonly Hours[];
  /** Hours in which no approval is possible. Takes precedence over `notNeeded`. */
  readonly notPossible: readonly Hours[];
}

export interface BulkPolicy {
  /** A change of more values than this needs a confirmation, also if it can be undone. */
  readonly askAbove: number;
}

export const shippedBulk: BulkPolicy = { askAbove: 50 };

export interface EmergencyPolicy {
  /** The longest duration of emergency mode, in milliseconds. */
  readonly longest: number;
  /** Holders of this role may enable it alone with `--break-glass`; nobody when absent. */
  readonly breakGlass?: RoleName | undefined;
}

export interface AuditPolicy {
  /** How long records are kept, in milliseconds; for ever when absent. */
  readonly keep?: number | undefined;
  /** Slack ID of the channel where every change is posted; none when absent. */
  readonly channel?: string | undefined;
}

export interface TicketPolicy {
  /** Matches the whole name of a ticket; any name when absent. */
  readonly pattern?: string | undefined;
  /** An example that matches the pattern. */
  readonly example?: string | undefined;
  /** The address of a ticket, with `{ticket}` for its name. */
  readonly link?: string | undefined;
  readonly required: readonly TicketRule[];
}

export interface TicketRule {
  /** A change that one of these covers wholly or in part needs a ticket. */
  readonly commands: readonly Rule[];
  /** A change that one of these covers wholly needs none. */
  readonly except: readonly Rule[];
  /** The Slack IDs of the channels where the rule applies; all when absent. */
  readonly channels?: readonly string[] | undefined;
}

export interface Freeze {
  readonly during: { readonly from: WallTime; readonly to: WallTime } | { readonly hours: readonly Hours[] };
  /** The freeze blocks a change that one of these covers wholly or in part; every change when absent. */
  readonly commands?: readonly Rule[] | undefined;
  /** Holders of these roles are exempt. */
  readonly except: readonly RoleName[];
  readonly reason?: string | undefined;
}

/** Who may do what, and where. A channel that is not listed serves only `help` and `whoami`. */
export interface Policy {
  /** By the channel's Slack ID. */
  readonly channels: Readonly<Record<string, ChannelPolicy>>;
  /** Roles that count in every listed channel, unless the channel's `only` excludes them. */
  readonly holders: Readonly<Record<RoleName, Holders>>;
  readonly roles: Readonly<Record<RoleName, Role>>;
  /** The first rule that covers a command counts. Rules of the file come before the shipped ones. */
  readonly approvals: readonly ApprovalRule[];
  readonly tickets?: TicketPolicy | undefined;
  readonly emergency: EmergencyPolicy;
  /** `shippedBulk` when absent. */
  readonly bulk?: BulkPolicy | undefined;
  readonly audit?: AuditPolicy | undefined;
  /** Nobody may ask for themselves when absent. */
  readonly selfService?: SelfServicePolicy | undefined;
  /** IANA name; every `Hours` counts by it. */
  readonly timeZone: string;
  /**
   * The team's own words for commands (`understanding/own-words.ts`). They change what the bot understands,
   * never who may do it.
   */
  readonly words?: Readonly<Record<string, string>> | undefined;
  /** By name in lower case: the maintenance windows for `--window`. */
  readonly windows?: Readonly<Record<string, readonly Hours[]>> | undefined;
  /** By name: the times in which changes are blocked. */
  readonly freezes?: Readonly<Record<string, Freeze>> | undefined;
}

const minutes = 60_000;

/** Emergency mode needs a second person, unless the policy says otherwise. */
export const shippedApprovals: readonly ApprovalRule[] = [
  {
    commands: [{ phrase: 'emergency enable' }, { phrase: 'emergency extend' }],
    by: ['approver'],
    count: 1,
    requester: false,
    open: 15 * minutes,
    reason: {},
    notNeeded: [],
    notPossible: [],
  },
];

export const shippedEmergency: EmergencyPolicy = { longest: 4 * 60 * minutes };

/** The current policy. Every decision reads it again, because it may be replaced at any time. */
export interface PolicyInForce {
  readonly current: () => Policy;
  readonly replace: (policy: Policy) => void;
}

export function inForce(policy: Policy): PolicyInForce {
  let current = policy;
  return {
    current: () => current,
    replace: (next) => {
      current = next;
    },
  };
}

const digits = 12;

const versions = new WeakMap<Policy, string>();

/** Identifies a policy in the records; equal on every machine for equal policies. Computed once per policy. */
export function versionOf(policy: Policy): string {
  const version = versions.get(policy) ?? hash('sha256', JSON.stringify(policy, withSets)).slice(0, digits);
  versions.set(policy, version);
  return version;
}

const withSets = (_: string, value: unknown): unknown => (value instanceof Set ? [...value] : value);
