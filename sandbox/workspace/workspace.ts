import type { TlsOptions } from 'node:tls';
import type { Beside } from './beside.ts';
import type { Listener } from './changes.ts';
import type { Conditions } from './conditions.ts';
import type { Outcome } from './dispatch.ts';
import type { Faults } from './faults.ts';
import type { WireLog } from './log.ts';
import type { Manifest } from './manifest.ts';
import type { ChannelOption, Member, PersonOption, Room, UserGroup, UserGroupOption } from './people.ts';
import type { Act, Acted, Snapshot, Uploaded } from './protocol.ts';
import type { Page } from './sandbox-routes.ts';
import type { GivenAct } from './slack.ts';
import type { DisconnectReason } from './socket-mode.ts';
import type { Team } from './world.ts';

export interface WorkspaceOptions {
  /** The app's manifest, or the path of one; without one the app has no commands, no scopes, and hears nothing. */
  readonly manifest?: Manifest | string | URL;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** Serves HTTPS under this host name, with this key and certificate; HTTP at 127.0.0.1 when absent. */
  readonly tls?: TlsOptions & { readonly host: string };
  readonly team?: Team;
  readonly people?: readonly PersonOption[];
  readonly channels?: readonly ChannelOption[];
  readonly userGroups?: readonly UserGroupOption[];
  /** Milliseconds since 1970; decides on message times and on when triggers and response URLs die. Waiting for acknowledgements is always real time. */
  readonly clock?: () => number;
  /** How long an acknowledgement may take; Slack's 3000 by default. */
  readonly ackTimeoutMs?: number;
  /** When events nobody acknowledged are sent again; Slack's at once, a minute, five minutes by default. */
  readonly eventRetryDelaysMs?: readonly number[];
  /** Enforces Slack's rate limits (slack-facts.md §4) by `clock`; off by default, `faults` can limit single calls. */
  readonly rateLimits?: boolean;
  /** How long messages are kept, in milliseconds by `clock`, as a workspace's settings may say; for ever by default. */
  readonly retention?: number;
  /** The app's request URL for HTTP mode, used while no socket is connected. */
  readonly requestUrl?: string;
  /** Serves `/` and `/assets/*`. */
  readonly page?: Page;
  /** The system that the page shows and steers beside Slack. */
  readonly beside?: Beside;
}

/** The address of a workspace, and the settings of an app in it. */
export interface AppAccess {
  /** The page, such as `http://127.0.0.1:4711`: the workspace in a browser. */
  readonly url: string;
  /** For `slackApiUrl` of Slack's SDKs (`clientOptions` of a Bolt app). */
  readonly apiUrl: string;
  readonly botToken: string;
  /** For Socket Mode. */
  readonly appToken: string;
  /** For HTTP mode. */
  readonly signingSecret: string;
  readonly teamId: string;
  readonly appId: string;
  readonly botUserId: string;
}

export interface Workspace extends AppAccess {
  /** Everybody, the bot and people of other organisations included. */
  readonly people: readonly Member[];
  readonly channels: readonly Room[];
  readonly userGroups: readonly UserGroup[];
  /** A person's view of the workspace. Throws for an unknown ID. */
  snapshot(as: string): Snapshot;
  /** Does what a person does; see `Act`. */
  act(given: Act): Promise<Acted>;
  /** Uploads a file as a person; `Act` then posts it with a message or puts it into a form. */
  upload(as: string, name: string, content: Uint8Array): Uploaded;
  /** The bytes of a file that a person can see; undefined for all others. */
  fileContent(as: string, id: string): Buffer | undefined;
  /** Makes Slack say something else of a file, such as `{ mode: 'external' }` or a wrong `size`. Throws for an ID that no file has. */
  changeFile(id: string, said: Readonly<Record<string, unknown>>): void;
  onChange(listener: Listener): () => void;
  /** The page's act on Slack. @throws RangeError for an unknown name */
  steer(given: GivenAct): void;
  readonly faults: Faults;
  readonly conditions: Conditions;
  readonly log: WireLog;
  readonly sockets: {
    readonly count: number;
    /** How many of them take what Slack hands to the app, and hand it on. */
    readonly ready: number;
    /** The connections of all bots, oldest first: each payload goes to any one of them. */
    readonly ids: readonly string[];
    /** Which one, while it is open; they take turns when none is named. */
    prefer(id?: string): void;
    disconnect(reason?: DisconnectReason, id?: string): void;
    drop(id?: string): void;
    freeze(id?: string): void;
    all(): readonly { readonly id: string; readonly frozen: boolean }[];
  };
  /**
   * Has Slack repeat a delivery: the last one, or the envelope with this ID of `log.envelopes()`. The repetition has the
   * `same` envelope, or a `new` marked one. Over HTTP the body is the same in any case.
   */
  redeliver(envelopeId?: string, envelope?: 'same' | 'new'): Promise<Outcome>;
  /**
   * A person repeats an act, as from a screen that has not caught up: the last one, or that of the envelope with this ID.
   * The app gets a new trigger, so for it this is no repetition.
   */
  repeat(envelopeId?: string): Promise<Outcome>;
  /** Sends any event the manifest subscribes to; undefined when it does not. */
  emit(event: Readonly<Record<string, unknown>> & { readonly type: string }): Promise<Outcome | undefined>;
  /** Changes somebody and tells the app (`user_change`). */
  changePerson(id: string, change: Partial<Omit<Member, 'id'>>): Promise<void>;
  /** Changes a user group and tells the app (`subteam_members_changed`, `subteam_updated`). */
  changeUserGroup(id: string, change: Partial<Omit<UserGroup, 'id'>>): Promise<void>;
  /**
   * Changes a channel. When `isExtShared` turns, the people of the other organisation come or go, and the app is told
   * (`channel_shared`, `channel_unshared`).
   */
  changeChannel(id: string, change: Partial<Omit<Room, 'id' | 'isIm'>>): Promise<void>;
  /** Changes the app's request URL, as somebody does in the app's settings; without one there is no HTTP mode. */
  useRequestUrl(url?: string): void;
  /** Replaces a token, as somebody does in the app’s settings: from now on Slack refuses the one before. */
  replaceToken(token: 'bot' | 'app'): void;
  /** The direct messages of the app and a person. Throws for an ID nobody has. */
  direct(person: string): Room;
  /** Closes every connection and the port. */
  stop(): Promise<void>;
}
