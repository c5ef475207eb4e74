/** The content of a workspace: `startWorkspace({ manifest, people, channels })`. */
export interface WorkspaceOptions {
  /**
   * The app's manifest as Slack takes it, or the path of its file (JSON or YAML). It defines the app's
   * commands, shortcuts, steps, events and scopes. Everything else in it is ignored.
   */
  readonly manifest: object | string | URL;
  /** Names, or more about somebody. `ana`, `ben` and `cleo` when absent. */
  readonly people?: readonly (string | PersonOptions)[];
  /** Names, or more about a channel. `general` and `random` when absent. Everybody is a member, and so is the app. */
  readonly channels?: readonly (string | ChannelOptions)[];
  readonly userGroups?: readonly UserGroupOptions[];
  /** The workspace's name; "Acme" when absent. */
  readonly team?: string;
  /** The port on 127.0.0.1 for the Web API and the page. 0, the default, takes a free one. */
  readonly port?: number;
  /** The app's request URL for HTTP mode, used while no socket is connected. `useRequestUrl` tells it later. */
  readonly requestUrl?: string;
  /** Enforces Slack's rate limits, method by method; off by default, when only `badDays` limits calls. */
  readonly rateLimits?: boolean;
  /**
   * Milliseconds since 1970; the machine's clock when absent. Message times, triggers, response URLs and rate limits go by it.
   * Waiting for an acknowledgement and for what people see is always real time.
   */
  readonly clock?: () => number;
  /** How long Slack waits for an acknowledgement, in milliseconds; 3000 as in Slack when absent. */
  readonly ackTimeoutMs?: number;
  /** When an event that nobody acknowledged is sent again, in milliseconds; `[0, 60_000, 300_000]` as in Slack when absent. */
  readonly eventRetryDelaysMs?: readonly number[];
  /** How long messages are kept, in milliseconds by `clock`; for ever when absent. */
  readonly retentionMs?: number;
  /** How long people wait for what they are to see or use before it counts as missing, in milliseconds; 5000 when absent. */
  readonly patienceMs?: number;
}

/** A person of the workspace, or of another organization that shares a channel with it. */
export interface PersonOptions {
  /** The handle that others type after @. */
  readonly name: string;
  /** Such as `U0ANA00000`; made of the name when absent, the same in every run. */
  readonly id?: string;
  readonly realName?: string;
  /** Shown under the name on the page, such as "Support". */
  readonly title?: string;
  readonly email?: string;
  /** A guest, single-channel or multi-channel (`is_restricted`). */
  readonly isGuest?: boolean;
  /** From another organization (Slack Connect): in shared channels only, and without slash commands. */
  readonly isExternal?: boolean;
}

export interface ChannelOptions {
  readonly name: string;
  /** Such as `C0LUNCH000`; made of the name when absent, the same in every run. */
  readonly id?: string;
  readonly topic?: string;
  readonly isPrivate?: boolean;
  readonly isArchived?: boolean;
  /** Shared with another organization (Slack Connect). */
  readonly isShared?: boolean;
  /**
   * The members, by name or ID; when absent, everybody of the workspace, and in a shared channel everybody of
   * the other organization.
   */
  readonly members?: readonly string[];
  /** Whether the app is a member; it is unless this is false. */
  readonly hasApp?: boolean;
}

export interface UserGroupOptions {
  readonly handle: string;
  /** Such as `S0COOKS000`; made of the handle when absent, the same in every run. */
  readonly id?: string;
  readonly name?: string;
  /** By name or ID. */
  readonly members: readonly string[];
}
