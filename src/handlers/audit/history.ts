import type { Text } from '../text.ts';

/** One thing that somebody asked, and what became of it, as the journal has it. Moments: milliseconds since the epoch. */
export interface HistoryEntry {
  /** What people call it. */
  readonly reference: string;
  readonly asked: number;
  /** Absent while it is under way. */
  readonly ended: number | undefined;
  readonly person: string;
  readonly channel: string;
  /** Its message there. */
  readonly card: string | undefined;
  readonly line: string;
  /** The line that it was taken for, where that is another one. */
  readonly understoodAs: string | undefined;
  /** What it was done for. */
  readonly ticket: string | undefined;
  /** The plan that it belongs to, and which of its steps it is, where it is one. */
  readonly plan: { readonly reference: string; readonly step: number | undefined } | undefined;
  readonly appliances: readonly string[];
  /** Whether an appliance was asked, or was to be: not the bot about itself, and no line that it did not understand. */
  readonly isOfAppliance: boolean;
  /** Whether it was to change something. */
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
  /** How it ended, in a few words. */
  readonly outcome: Text;
  /** What was read back after it. */
  readonly evidence: readonly string[];
  /** Who said yes to it, besides whoever asked. */
  readonly approvedBy: readonly string[];
  /** Who pressed the last button, where that was somebody else. */
  readonly decidedBy: string | undefined;
  /** By which everything about it is found. */
  readonly key: string;
}

/** What people know a state by. */
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

/** What is looked for; all of it must be so. */
export interface HistoryFilter {
  readonly by?: string | undefined;
  /** The first words of a command. */
  readonly command?: string | undefined;
  /** What it was done for. */
  readonly ticket?: string | undefined;
  /** The plan that it belongs to. */
  readonly plan?: string | undefined;
  /** Appliances, as `--on` takes them; one of them is enough. */
  readonly on?: string | undefined;
  readonly denied?: boolean | undefined;
  /** What it is about, by name. */
  readonly about?: string | undefined;
  readonly failed?: boolean | undefined;
  readonly approved?: boolean | undefined;
  /** What has ended since then, or is under way. */
  readonly since?: number | undefined;
  /** What has ended by then, or was asked for by then and is under way. */
  readonly until?: number | undefined;
}

/** The newest first. */
export interface HistoryEntries {
  readonly entries: readonly HistoryEntry[];
  /** How many there are in all, among them those for which there was no room. */
  readonly count: number;
  /** How many of the newest are left out because they are about appliances of which whoever asks may not be told. */
  readonly withheld: number;
  /** Of what was recorded before that moment is not known what was looked for; undefined where it is of all. */
  readonly toldSince: number | undefined;
}

/** A line that the bot did not understand, however it was spelled. */
export interface UnclearLine {
  /** As it was typed last. */
  readonly line: string;
  readonly times: number;
  readonly last: number;
  readonly people: readonly string[];
  /** The commands that the same people ran within a few minutes after it, the most frequent first. */
  readonly chosen: readonly { readonly command: string; readonly times: number }[];
}

/** The most frequent first. */
export interface UnclearLines {
  readonly lines: readonly UnclearLine[];
  /** How often a line was not understood, and how many of these, the newest, are counted here. */
  readonly count: number;
  readonly counted: number;
}

export type HistoryPlace = 'here' | 'everywhere';

/** What was asked, decided and done. */
/** What an action is known by: its own name, or messages about it, the likeliest first. */
export type ActionName =
  | { readonly reference: string }
  | { readonly channel: string; readonly messages: readonly string[] };

/** A line of a plan, and what became of it or would. */
export interface StepEntry {
  readonly number: number;
  readonly line: string;
  /** What it is called once it has begun. */
  readonly reference?: string;
  readonly result: Text;
}

interface OneAction {
  readonly entry: HistoryEntry;
  /** Of a plan its lines. */
  readonly steps: readonly StepEntry[];
  /** What its Undo buttons carry, with the appliances that each is for where they differ. */
  readonly undo: readonly { readonly token: string; readonly where: string | undefined }[];
  /** What became of its end, where it was temporary. */
  readonly temporary: Text | undefined;
}

export interface History {
  /** In this channel; at most so many. */
  readonly here: (wanted: HistoryFilter, most: number) => Promise<HistoryEntries>;
  readonly everywhere: (wanted: HistoryFilter, most: number) => Promise<HistoryEntries>;
  /** Of the newest lines that were not understood, at most so many. */
  readonly notUnderstood: (place: HistoryPlace, wanted: HistoryFilter, most: number) => Promise<UnclearLines>;
  /** One of this channel, as it stands now, and how it can be taken back. Undefined where whoever asks may not be told of it. */
  readonly one: (named: ActionName) => Promise<OneAction | undefined>;
  /** In which times of the day are meant. */
  readonly timeZone: string;
}
