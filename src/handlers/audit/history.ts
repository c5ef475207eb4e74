import type { Text } from '../text.ts';

/** A request and its result, from the journal. Moments are milliseconds since the epoch. */
export interface HistoryEntry {
  readonly reference: string;
  readonly asked: number;
  /** Absent while it is running. */
  readonly ended: number | undefined;
  readonly person: string;
  readonly channel: string;
  readonly card: string | undefined;
  readonly line: string;
  /** The line that the bot understood, if it differs from the typed one. */
  readonly understoodAs: string | undefined;
  readonly ticket: string | undefined;
  /** Its plan and step, if it belongs to one. */
  readonly plan: { readonly reference: string; readonly step: number | undefined } | undefined;
  readonly appliances: readonly string[];
  /**
   * Whether it concerned an appliance: false for questions about the bot, and for lines that it did not
   * understand.
   */
  readonly isOfAppliance: boolean;
  readonly isChange: boolean;
  readonly state:
    | 'under way'
    | 'waiting'
    | 'planned'
    | 'denied'
    | 'refused'
    | 'done'
    | 'failed'
    | 'unknown'
    | 'cancelled'
    | 'expired';
  readonly outcome: Text;
  readonly evidence: readonly string[];
  readonly approvedBy: readonly string[];
  /** Who pressed the last button, if not the requester. */
  readonly decidedBy: string | undefined;
  /** The key of its full record. */
  readonly key: string;
}

export const marks: Readonly<Record<HistoryEntry['state'], string>> = {
  'under way': '⏳',
  waiting: '✋',
  planned: '📅',
  denied: '🚫',
  refused: '✖',
  done: '✅',
  failed: '❌',
  unknown: '❓',
  cancelled: '✖',
  expired: '⌛',
};

/** A search for actions; all given conditions must match. */
export interface HistoryFilter {
  readonly by?: string | undefined;
  /** The first words of a command. */
  readonly command?: string | undefined;
  readonly ticket?: string | undefined;
  readonly plan?: string | undefined;
  readonly on?: string | undefined;
  readonly denied?: boolean | undefined;
  /** The subject, by name. */
  readonly about?: string | undefined;
  readonly failed?: boolean | undefined;
  readonly approved?: boolean | undefined;
  /** Ended since then, or still running. */
  readonly since?: number | undefined;
  /** Ended by then, or requested by then and still running. */
  readonly until?: number | undefined;
}

export interface HistoryEntries {
  readonly entries: readonly HistoryEntry[];
  /** The total, including those beyond the limit. */
  readonly count: number;
  /** Number of the newest that are hidden because the asker may not see their appliances. */
  readonly withheld: number;
  /** Older records lack the searched property; undefined if all have it. */
  readonly toldSince: number | undefined;
}

/** A line that the bot did not understand, in all its spellings. */
export interface UnclearLine {
  /** The last typed spelling. */
  readonly line: string;
  readonly times: number;
  readonly last: number;
  readonly people: readonly string[];
  /** Commands that the same people ran within a few minutes, most frequent first. */
  readonly chosen: readonly { readonly command: string; readonly times: number }[];
}

/** Most frequent first. */
export interface UnclearLines {
  readonly lines: readonly UnclearLine[];
  /** Number of misunderstood lines, and how many of the newest are counted here. */
  readonly count: number;
  readonly counted: number;
}

export type HistoryPlace = 'here' | 'everywhere';

/** Identifies an action: by its reference, or by messages about it, likeliest first. */
export type ActionName =
  | { readonly reference: string }
  | { readonly channel: string; readonly messages: readonly string[] };

export interface StepEntry {
  readonly number: number;
  readonly line: string;
  /** Its reference once it has begun. */
  readonly reference?: string;
  readonly result: Text;
}

interface OneAction {
  readonly entry: HistoryEntry;
  readonly steps: readonly StepEntry[];
  /** The tokens of its Undo buttons, with their appliances if there are several. */
  readonly undo: readonly { readonly token: string; readonly where: string | undefined }[];
  /** The state of its end, if it was temporary. */
  readonly temporary: Text | undefined;
}

export interface History {
  /** The newest in this channel, up to `most`. */
  readonly here: (wanted: HistoryFilter, most: number) => Promise<HistoryEntries>;
  readonly everywhere: (wanted: HistoryFilter, most: number) => Promise<HistoryEntries>;
  /** The newest misunderstood lines, up to `most`. */
  readonly notUnderstood: (place: HistoryPlace, wanted: HistoryFilter, most: number) => Promise<UnclearLines>;
  /** One action of this channel in its current state, with its undo. Undefined if the asker may not see it. */
  readonly one: (named: ActionName) => Promise<OneAction | undefined>;
  /** The time zone for times of day. */
  readonly timeZone: string;
}
