import type { SelfServicePolicy } from './asking/self-service.ts';
import type { WallTime } from './calendar/wall-time.ts';
import { effects } from './effect.ts';
import type { Hours } from './hours.ts';
import type { Rule } from './rule.ts';

/** A role is a set of commands: whatever one of its rules covers. */
export interface Role {
  readonly summary: string;
  readonly commands: readonly Rule[];
}

/** By its name. A policy may add its own to those that come with the bot. */
export type RoleName = string;

/** The roles that come with the bot, weakest first; a refusal names them in this order, and a policy's own after them. */
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

/** Slack IDs of people (`U…`, `W…`) and of user groups (`S…`), and the word `everyone`. */
export type Holders = ReadonlySet<string>;

/** Every member of the workspace, without guests and people of other organisations. */
export const everyone = 'everyone';

export interface ChannelPolicy {
  /** For whoever reads the file; decisions use the ID only. */
  readonly name?: string | undefined;
  /** The appliance that commands of this channel work on. */
  readonly appliance: string;
  /** Those that `--on` may name there beside it. The roles hold for each of them. */
  readonly appliances: 'all' | readonly string[];
  /** Who holds which role here. */
  readonly roles: Readonly<Record<RoleName, Holders>>;
  /** The only roles that count here, whoever holds them and wherever; all of them when absent. */
  readonly only?: readonly RoleName[] | undefined;
  /** Changes may be made here although people of another organisation read along and can press buttons. */
  readonly sharedWrites: boolean;
}

/** What needs somebody else's yes, and whose. */
export interface ApprovalRule {
  /** What needs it: whatever one of these covers, or covers a part of. */
  readonly commands: readonly Rule[];
  /** Only who may run it by no other role than these needs it; everybody when absent. */
  readonly requesters?: readonly RoleName[] | undefined;
  /** Whose holders may approve. */
  readonly by: readonly RoleName[];
  /** How many of them. */
  readonly count: number;
  /** Whether the one who asks may be one of them. */
  readonly requester: boolean;
  /** How long the request stays open, in milliseconds. */
  readonly open: number;
  /** A reason must be given, and look like this where there is a pattern. */
  readonly reason?:
    | { readonly pattern?: string | undefined; readonly example?: string | undefined }
    | undefined;
  /** Nobody has to approve what ends by itself after so many milliseconds at most. */
  readonly temporary?: { readonly longest: number } | undefined;
  /** When nobody has to approve. */
  readonly notNeeded: readonly Hours[];
  /** When nobody can. Counts before `notNeeded`. */
  readonly notPossible: readonly Hours[];
}

/** What changes many things by one line. */
export interface BulkPolicy {
  /** A change of more values at once is asked about first, also where it can be put back. */
  readonly askAbove: number;
}

export const shippedBulk: BulkPolicy = { askAbove: 50 };

export interface EmergencyPolicy {
  /** The longest time that emergency mode may be asked for, in milliseconds. */
  readonly longest: number;
  /** Whose holders may enable it alone with `--break-glass`; nobody when absent. */
  readonly breakGlass?: RoleName | undefined;
}

export interface AuditPolicy {
  /** How long records are kept, in milliseconds; for ever when absent. */
  readonly keep?: number | undefined;
  /** Where every change is told, by its Slack ID; nowhere when absent. */
  readonly channel?: string | undefined;
}

/** What the policy wants of the tickets that changes are done for. */
export interface TicketPolicy {
  /** What the whole of a ticket's name looks like; anything where there is none. */
  readonly pattern?: string | undefined;
  /** One that does. */
  readonly example?: string | undefined;
  /** The address that opens one, with `{ticket}` for its name. */
  readonly link?: string | undefined;
  /** What needs one. */
  readonly required: readonly TicketRule[];
}

export interface TicketRule {
  /** Whatever one of these covers, or covers a part of. */
  readonly commands: readonly Rule[];
  /** And none of these covers. */
  readonly except: readonly Rule[];
  /** Only where it is asked for in one of these, by their Slack IDs. */
  readonly channels?: readonly string[] | undefined;
}

/** A time in which changes do not run. */
export interface Freeze {
  readonly during: { readonly from: WallTime; readonly to: WallTime } | { readonly hours: readonly Hours[] };
  /** What it holds: whatever one of these covers a part of; every change when absent. */
  readonly commands?: readonly Rule[] | undefined;
  /** Whoever holds one of these roles is not held by it. */
  readonly except: readonly RoleName[];
  readonly reason?: string | undefined;
}

/** Who may do what, where. A channel that is not listed serves nothing but `help` and `whoami`. */
export interface Policy {
  /** By the channel's Slack ID. */
  readonly channels: Readonly<Record<string, ChannelPolicy>>;
  /** Who holds which role in every channel that is listed; a channel's `only` narrows it. */
  readonly holders: Readonly<Record<RoleName, Holders>>;
  /** The shipped roles, then the policy's own. */
  readonly roles: Readonly<Record<RoleName, Role>>;
  /** The first one that covers a command counts; those of the file stand before those that come with the bot. */
  readonly approvals: readonly ApprovalRule[];
  readonly tickets?: TicketPolicy | undefined;
  readonly emergency: EmergencyPolicy;
  /** `shippedBulk` where it says nothing. */
  readonly bulk?: BulkPolicy | undefined;
  readonly audit?: AuditPolicy | undefined;
  /** Nobody may ask for themselves where it is absent. */
  readonly selfService?: SelfServicePolicy | undefined;
  /** The IANA time zone of every `Hours`. */
  readonly timeZone: string;
  /** The team's own words for commands (`understanding/own-words.ts`). They widen what is understood, and never who may. */
  readonly words?: Readonly<Record<string, string>> | undefined;
  /** By its name, in small letters: when changes may be planned for with `--window`. */
  readonly windows?: Readonly<Record<string, readonly Hours[]>> | undefined;
  /** By its name: when nothing may be changed. */
  readonly freezes?: Readonly<Record<string, Freeze>> | undefined;
}

/** In milliseconds. */
const minutes = 60_000;

/** The gate is not opened by one person alone, unless the policy says so. */
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
