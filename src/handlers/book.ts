/** One thing that somebody asked, and what became of it, as the journal has it. Moments: milliseconds since the epoch. */
export interface Entry {
  readonly asked: number;
  /** Absent while it is under way. */
  readonly ended: number | undefined;
  readonly person: string;
  readonly channel: string;
  /** Its message there. */
  readonly card: string | undefined;
  readonly line: string;
  readonly appliances: readonly string[];
  /** Whether an appliance was asked, or was to be: not the bot about itself, and no line that it did not understand. */
  readonly isOfAppliance: boolean;
  /** Whether it was to change something. */
  readonly isChange: boolean;
  readonly state:
    | 'under way'
    | 'waiting'
    | 'denied'
    | 'refused'
    | 'done'
    | 'failed'
    | 'unknown'
    | 'cancelled'
    | 'expired';
  /** How it ended, in words. */
  readonly outcome: string;
  /** Who said yes to it, besides whoever asked. */
  readonly approvedBy: readonly string[];
  /** Who pressed the last button, where that was somebody else. */
  readonly decidedBy: string | undefined;
  /** By which everything about it is found. */
  readonly key: string;
}

/** What people know a state by. */
export const marks: Readonly<Record<Entry['state'], string>> = {
  'under way': '⏳',
  waiting: '✋',
  denied: '🚫',
  refused: '✖',
  done: '✅',
  failed: '❌',
  unknown: '❓',
  cancelled: '✖',
  expired: '⌛',
};

/** What is looked for; all of it must be so. */
export interface Wanted {
  readonly by?: string | undefined;
  /** The first words of a command. */
  readonly command?: string | undefined;
  /** Appliances, as `--on` takes them; one of them is enough. */
  readonly on?: string | undefined;
  readonly denied?: boolean | undefined;
  /** What has ended since then, or is under way. */
  readonly since?: number | undefined;
}

/** The newest first. */
export interface Entries {
  readonly entries: readonly Entry[];
  /** How many there are in all, among them those for which there was no room. */
  readonly count: number;
  /** How many of the newest are left out because they are about appliances of which whoever asks may not be told. */
  readonly withheld: number;
}

/** What was asked, decided and done. */
export interface Book {
  /** In this channel; at most so many. */
  readonly here: (wanted: Wanted, most: number) => Promise<Entries>;
  readonly everywhere: (wanted: Wanted, most: number) => Promise<Entries>;
  /** In which times of the day are meant. */
  readonly timeZone: string;
}
