/**
 * The protocol of the page and the workspace server. The server is the only side with state; the page draws a `Snapshot`
 * and posts a person's acts.
 */

import type { Switch } from '../appliance/protocol.ts';
import type { Entity, EntityDetails } from './entities/shown.ts';
import type { ActiveFault as ActiveTrouble, DeliveryFault, Fault as Trouble } from './faults.ts';
import type { Step, StepRun } from './functions/step.ts';

export interface Person {
  readonly id: string;
  /** The handle people type after @. */
  readonly name: string;
  readonly realName: string;
  /** The line under the name in the switcher, such as "Helpdesk". */
  readonly title: string;
  readonly color: string;
  readonly isGuest: boolean;
  readonly isBot: boolean;
}

export interface Channel {
  readonly id: string;
  readonly name: string;
  readonly topic: string;
  /** True for direct messages of an app whose Messages tab is read-only. */
  readonly isReadOnly?: true;
  /** The app hears no messages here, and must be invited. */
  readonly lacksApp?: true;
}

/** A Block Kit block as the app sent it; the page hands it to its renderer unread. */
export type Block = { readonly type: string; readonly block_id?: string; readonly [key: string]: unknown };

/** A file of a message, or one that was uploaded and not sent yet. Its bytes: `GET /sandbox/file/<id>?as=U…`. */
export interface SharedFile {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  readonly mimetype: string;
  /** In words, such as "CSV". */
  readonly pretty_type: string;
  /** Bytes. */
  readonly size: number;
  /** A description of the image. */
  readonly alt_txt?: string;
  /** The beginning of a text. */
  readonly preview?: string;
  readonly preview_is_truncated?: boolean;
}

export interface Reaction {
  /** The emoji's name, without colons. */
  readonly name: string;
  /** The IDs of the people. */
  readonly users: readonly string[];
}

/**
 * Extra content under a message's text, or about one of its links (`from_url`). As the app sent it: anything may be
 * missing.
 */
export interface Attachment {
  readonly from_url?: string;
  readonly color?: string;
  readonly pretext?: string;
  readonly author_name?: string;
  readonly title?: string;
  readonly title_link?: string;
  readonly text?: string;
  readonly fields?: readonly { readonly title?: string; readonly value?: string }[];
  readonly image_url?: string;
  readonly footer?: string;
  /** Shown where there is nothing else to show. */
  readonly fallback?: string;
  readonly blocks?: readonly Block[];
  /** Set when it is a message that somebody has forwarded, whose files these are. */
  readonly is_share?: boolean;
  readonly files?: readonly SharedFile[];
}

export interface Message {
  readonly ts: string;
  readonly channel: string;
  /** A person's or the bot's ID. */
  readonly user: string;
  readonly text: string;
  readonly blocks?: readonly Block[];
  readonly files?: readonly SharedFile[];
  readonly entities?: readonly Entity[];
  readonly attachments?: readonly Attachment[];
  /** The parent's ts; absent on a parent. */
  readonly thread_ts?: string;
  /** Set on a reply that stands in the channel, too. */
  readonly is_broadcast?: true;
  readonly reply_count: number;
  /** The authors of the replies, oldest first, each once. */
  readonly reply_users: readonly string[];
  readonly edited: boolean;
  readonly reactions?: readonly Reaction[];
  /** Set when only that person sees it ("Only visible to you"). */
  readonly ephemeral_to?: string;
}

/** A modal that is open before the viewer; the last of the array is on top. */
export interface OpenView {
  readonly id: string;
  readonly view: {
    readonly type: 'modal';
    readonly title: unknown;
    readonly blocks: readonly Block[];
    readonly [key: string]: unknown;
  };
  /** Messages under input blocks after `response_action: errors`, keyed by block_id. */
  readonly errors: Readonly<Record<string, string>>;
  /** Values of the inputs as far as the workspace knows: initial values, and those of the last submission. */
  readonly state: ViewState;
}

export interface CommandHint {
  readonly command: string;
  readonly description: string;
  readonly usage_hint: string;
}

/** A shortcut of the app, from its manifest. */
interface ShortcutHint {
  readonly callback_id: string;
  readonly name: string;
  readonly description: string;
}

/** Everything one person can see. Sent whole over `GET /sandbox/events?as=U…` (server-sent events), again at each change. */
export interface Snapshot {
  readonly team: { readonly id: string; readonly name: string };
  readonly viewer: string;
  readonly app: { readonly name: string; readonly botUser: string; readonly connected: boolean };
  readonly people: readonly Person[];
  /** The handles of the user groups, by ID. */
  readonly groups: Readonly<Record<string, string>>;
  readonly channels: readonly Channel[];
  /** Oldest first, all channels, thread replies included, other people's ephemerals not. */
  readonly messages: readonly Message[];
  readonly views: readonly OpenView[];
  /** The viewer's App Home, or null before the app published one. */
  readonly home: { readonly blocks: readonly Block[] } | null;
  readonly commands: readonly CommandHint[];
  /** In the menu of a message. */
  readonly shortcuts: readonly ShortcutHint[];
  /** Beside the message box, and about no message or channel. */
  readonly globalShortcuts: readonly ShortcutHint[];
  /** By the IDs of the entities that the viewer opened. */
  readonly details: Readonly<Record<string, EntityDetails>>;
  readonly steps: readonly Step[];
  /** The runs that the viewer started, oldest first. */
  readonly runs: readonly StepRun[];
}

/** `state.values` as Slack sends it: block_id → action_id → the element's state. */
export type ViewState = Record<string, Record<string, unknown>>;

/** A person's act on the page: `POST /sandbox/act` with one of these as JSON. */
export type Act =
  /**
   * Sends the line of the composer. A line that starts with `/` is a slash command. `thread_ts`: typed into a thread.
   * `files`: IDs of files that this person uploaded (`POST /sandbox/upload?as=U…&name=…`); the line may then be empty.
   */
  | {
      readonly act: 'type';
      readonly as: string;
      readonly channel: string;
      readonly text: string;
      readonly thread_ts?: string;
      readonly files?: readonly string[];
    }
  /** Forwards messages that this person can read into `channel`, with a line of their own, which may be empty. */
  | {
      readonly act: 'forward';
      readonly as: string;
      readonly messages: readonly { readonly channel: string; readonly ts: string }[];
      readonly channel: string;
      readonly text: string;
      readonly thread_ts?: string;
    }
  /** Uses an interactive element of a message, a modal or the App Home. `value` holds the element-specific part of the action payload. */
  | {
      readonly act: 'use';
      readonly as: string;
      readonly container:
        | { readonly kind: 'message'; readonly channel: string; readonly ts: string }
        | { readonly kind: 'view'; readonly id: string }
        | { readonly kind: 'home' };
      readonly block_id: string;
      readonly action_id: string;
      /** e.g. `{ selected_option: {…} }` for a select; empty for a button, whose `value` the server reads from the block itself. */
      readonly value: Readonly<Record<string, unknown>>;
      /** Inputs as they stand, for messages and views that hold inputs. */
      readonly state?: ViewState;
    }
  /** Fills in inputs of an open modal. The app hears of it when something is sent. A `file_input` holds `{ files: [{ id }] }`. */
  | { readonly act: 'enter'; readonly as: string; readonly view: string; readonly state: ViewState }
  | { readonly act: 'submit'; readonly as: string; readonly view: string; readonly state: ViewState }
  | { readonly act: 'close'; readonly as: string; readonly view: string }
  /** Asks an external select for its options (`block_suggestion`); the answer carries `options`, or groups of them. */
  | {
      readonly act: 'suggest';
      readonly as: string;
      readonly container:
        | { readonly kind: 'view'; readonly id: string }
        | { readonly kind: 'message'; readonly channel: string; readonly ts: string };
      readonly block_id: string;
      readonly action_id: string;
      readonly query: string;
    }
  /** Runs a message shortcut of the app on a message. */
  | {
      readonly act: 'shortcut';
      readonly as: string;
      readonly callback_id: string;
      readonly channel: string;
      readonly ts: string;
    }
  | { readonly act: 'global_shortcut'; readonly as: string; readonly callback_id: string }
  | { readonly act: 'open_home'; readonly as: string }
  /** Runs a step of the app, alone in a workflow. `channel` starts the workflow, and gets a note when it fails. */
  | {
      readonly act: 'run_step';
      readonly as: string;
      /** The `callback_id`. */
      readonly function: string;
      readonly inputs: Readonly<Record<string, unknown>>;
      readonly channel?: string;
    }
  /** Opens an entity of a message, by its ID; or presses one of its buttons (`action_id`), where it is open or below the message. */
  | {
      readonly act: 'open_entity';
      readonly as: string;
      readonly channel: string;
      readonly ts: string;
      readonly entity: string;
      readonly press?: string;
    }
  /** Writes a message of one's own anew. */
  | {
      readonly act: 'edit';
      readonly as: string;
      readonly channel: string;
      readonly ts: string;
      readonly text: string;
    }
  /** Reacts to a message; the same emoji once more takes it away. */
  | {
      readonly act: 'react';
      readonly as: string;
      readonly channel: string;
      readonly ts: string;
      /** Its name, such as `eyes`. */
      readonly emoji: string;
    }
  /** Adds somebody, the app's bot for example, to a channel, or takes them out; oneself to leave. */
  | { readonly act: 'invite'; readonly as: string; readonly channel: string; readonly user: string }
  | { readonly act: 'remove'; readonly as: string; readonly channel: string; readonly user: string };

/**
 * The answer to an act, sent when the app acknowledged or Slack's three seconds were over.
 * `error` is one plain sentence for the page's notice bar ("/lunch failed with the error operation_timeout").
 */
export type Acted =
  | { readonly ok: true; readonly options?: readonly unknown[] }
  | { readonly ok: false; readonly error: string };

/** The answer to an upload: `POST /sandbox/upload?as=U…&name=…` with the bytes as `application/octet-stream`. */
export type Uploaded =
  | { readonly ok: true; readonly file: SharedFile }
  | { readonly ok: false; readonly error: string };

/** Slack's faults: event `slack` of `GET /sandbox/events`, at first and again at each change. */
export interface SlackNow {
  /** Calls that can fail: the methods of the Web API, `response_url`, `upload`, and `*` for all of them. */
  readonly calls: readonly string[];
  readonly troubles: readonly ActiveTrouble[];
  /** Faults of Slack's deliveries to the app. */
  readonly deliveries: readonly ActiveTrouble<DeliveryFault>[];
  readonly switches: readonly Switch[];
  /** The scopes of the manifest, and whether the app has them. */
  readonly scopes: Readonly<Record<string, boolean>>;
  /** The app's open WebSocket connections, oldest first. */
  readonly connections: readonly { readonly id: string; readonly frozen: boolean }[];
}

/** Faults of the app's connections (`DisconnectReason` is Slack's word for the second and the third). */
export type ConnectionTrouble = 'cut' | 'refresh' | 'warn' | 'freeze';

/** Makes Slack misbehave: `POST /sandbox/slack` with one of these as JSON; answered with `Acted`. */
export type SlackAct =
  /** `times`: for so many calls, else until it is cleared. `person`: only calls that are about them; an ID or a name. */
  | {
      readonly act: 'misbehave';
      readonly call: string;
      readonly fault: Trouble;
      readonly times?: number;
      readonly person?: string;
    }
  /** Gives the next commands, interactions and events on their way to the app a fault. */
  | { readonly act: 'deliver'; readonly fault: DeliveryFault; readonly times?: number }
  /** Clears the faults of one call, those of deliveries (`delivery`), or all. */
  | { readonly act: 'behave'; readonly call?: string }
  /** Turns switches, by name. */
  | { readonly act: 'turn'; readonly switches: Readonly<Record<string, string>> }
  /** Takes a scope away from the app, or gives it back. */
  | { readonly act: 'grant'; readonly scope: string; readonly granted: boolean }
  /** Does something to one of the app's connections, or to all. */
  | { readonly act: 'connections'; readonly how: ConnectionTrouble; readonly id?: string }
  /** Resets everything except the connections. */
  | { readonly act: 'reset' };
