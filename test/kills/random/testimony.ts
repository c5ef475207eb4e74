/** What three witnesses say who know nothing of each other, and what people did. Times are milliseconds since 1970 by one clock. */
export interface Testimony {
  readonly typed: readonly TypedLine[];
  readonly clicks: readonly Click[];
  /** The workspace: what people could read, in the order in which it was to be read. */
  readonly read: readonly Reading[];
  /** The appliance: what it was ordered, in the order of arrival. */
  readonly orders: readonly Order[];
  /** The journal, when nothing is under way any more. */
  readonly journal: readonly JournalRow[];
  /** How often the bots took the journal for one that was restored from a backup. Nobody has restored any. */
  readonly restores: number;
  /** What does not come to its end, in words. */
  readonly left: readonly string[];
}

/** Each has a number of its own, which stands in it and in the name of what it is about. A form that is sent is another one. */
export interface TypedLine {
  readonly number: number;
  readonly person: string;
  readonly channel: string;
  readonly line: string;
  readonly at: number;
  /** Whether Slack was told in time that the line had come in; where not, Slack showed an error. */
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
  /** The message: what is edited keeps it. */
  readonly id: string;
  readonly channel: string;
  /** The message in whose thread it stands. */
  readonly thread?: string;
  /** Whoever alone sees it, in a channel, as a direct message or as a form. */
  readonly to?: string;
  readonly text: string;
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
}
