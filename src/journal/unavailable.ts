/**
 * What can keep the journal from being used. Everything that is said of it comes from here: to people, to the admins, in the
 * log, and to whoever asks whether the bot is ready.
 */
export const journalTroubles = {
  away: {
    is: 'the journal’s database does not answer',
    until: 'Try again in a minute.',
    toDo: undefined,
  },
  locked: {
    is: 'the journal is locked by another process',
    until:
      'Try again in a minute. If this continues, contact the bot’s administrator: the log names the process that holds the lock, if known.',
    toDo: undefined,
  },
  full: {
    is: 'the journal’s disk is full',
    until: 'Contact the bot’s administrator. Everything resumes automatically when there is free space.',
    toDo: 'Free up space on the disk of the data folder. Everything then resumes automatically.',
  },
  unwritable: {
    is: 'the journal’s disk cannot be read or written',
    until: 'Contact the bot’s administrator. Everything resumes automatically when the disk works.',
    toDo: 'Check the disk of the data folder: it may be broken or mounted read-only. Everything resumes automatically when the disk works.',
  },
  deleted: {
    is: 'the journal’s file was deleted while the bot was running',
    until: 'Try again in a minute. The bot is restoring the file from its open copy.',
    toDo: 'Find out what deletes files in the data folder. The bot restores the journal from its open copy. If the bot stops before that, the whole journal is lost.',
  },
  replaced: {
    is: 'the journal was replaced by another file while the bot was running',
    until: 'The bot is stopping and will use the other file when it starts again.',
    toDo: 'The bot is stopping. It saves its own journal in the same folder as journal.sqlite.replaced-…. At the next start, it uses the file named journal.sqlite.',
  },
  corrupt: {
    is: 'the journal is damaged',
    until: 'Contact the bot’s administrator: the journal must be restored from a backup.',
    toDo: 'Stop the bot, restore a backup and start the bot again: see docs/failures.md, “When the journal cannot be used”. Until then, nothing that is due is done, such as the end of emergency mode: end it on the appliance.',
  },
} as const satisfies Readonly<Record<string, JournalTroubleWords>>;

interface JournalTroubleWords {
  /** Half a sentence. */
  readonly is: string;
  /** What whoever asked for something can do, and when it will be over. */
  readonly until: string;
  /** What the admins are told to do; undefined where they are not told, because it passes or others watch over it. */
  readonly toDo: string | undefined;
}

export type JournalTrouble = keyof typeof journalTroubles;

/** The journal cannot be written to or read from now; it may come back. */
export class JournalUnavailable extends Error {
  override readonly name = 'JournalUnavailable';
  readonly trouble: JournalTrouble;

  constructor(cause: unknown, trouble: JournalTrouble = 'away') {
    super(`The journal is unavailable: ${journalTroubles[trouble].is}`, { cause });
    this.trouble = trouble;
  }
}
