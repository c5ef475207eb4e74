/**
 * The testimony of three independent witnesses, and the actions of people. Times are milliseconds since 1970 by one
 * clock.
 */
export interface Testimony {
  readonly typed: readonly TypedLine[];
  readonly clicks: readonly Click[];
  /** The workspace: messages that people could read, in their order. */
  readonly read: readonly Reading[];
  /** The appliance: its orders, in the order of arrival. */
  readonly orders: readonly Order[];
  /** The journal, when nothing is under way any more. */
  readonly journal: readonly JournalRow[];
  /** The bots' messages, in the order in which Slack took them. */
  readonly posts: readonly Post[];
  /** The accepted webhook deliveries, in their order. */
  readonly told: readonly ToldEvent[];
  /** The number of times that the bots took the journal for a restored one. The test restores none. */
  readonly restores: number;
  /** Unfinished work, in words. */
  readonly left: readonly string[];
}

/** Each has a number of its own, which stands in it and in the name of what it is about. A form that is sent is another one. */
export interface TypedLine {
  readonly number: number;
  readonly person: string;
  readonly channel: string;
  readonly line: string;
  readonly at: number;
  /** Whether Slack got the acknowledgement in time; otherwise it showed an error. */
  readonly isAcknowledged: boolean;
}

/** A button that was pressed on something about the line of this number. */
export interface Click {
  readonly number: number;
  readonly person: string;
  readonly label: string;
  readonly at: number;
}

/** A message as it stood from this moment on. */
export interface Reading {
  readonly at: number;
  /** The message's ID; an edit keeps it. */
  readonly id: string;
  readonly channel: string;
  /** The message in whose thread it stands. */
  readonly thread?: string;
  /** The only reader, in a channel, of a direct message or of a form; undefined when everybody reads it. */
  readonly to?: string;
  readonly text: string;
  /** The labels of its buttons. */
  readonly labels?: readonly string[];
}

/** A message that is none of those that one person alone sees. */
export interface Post {
  readonly at: number;
  /** The key by which the bot finds it again. */
  readonly key: string | undefined;
  /** The action whose card it is. */
  readonly card: string | undefined;
  readonly text: string;
}

/** A webhook. */
export interface ToldEvent {
  readonly at: number;
  /** The same however often it comes. */
  readonly id: string;
  readonly type: string;
  readonly action: string;
}

export interface Order {
  readonly at: number;
  /** When it was answered, or the connection broke. */
  readonly endedAt?: number | undefined;
  readonly method: string;
  readonly path: string;
  /** The actions that the journal meant to order this for when it arrived; undefined where the journal could not be asked. */
  readonly intents: readonly string[] | undefined;
}

export interface JournalRow {
  readonly id: string;
  readonly line: string;
  readonly phrase: string | null;
  readonly person: string;
  readonly state: string;
  readonly effect: string | null;
  /** Its message. */
  readonly card: string | null;
  /** The action that it takes back. */
  readonly undoes: string | null;
  /** The number of appliances on which its temporary change is over. */
  readonly ends: number;
}
