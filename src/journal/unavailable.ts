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
      'Try again in a minute. If this continues, tell the operator of the bot: its log says who holds the lock, if that is known.',
    toDo: undefined,
  },
  full: {
    is: 'the journal’s disk is full',
    until: 'Tell the operator of the bot. Everything continues by itself as soon as there is space.',
    toDo: 'Make room on the disk of the data folder. Everything then goes on by itself.',
  },
  unwritable: {
    is: 'the journal’s disk refuses to be read or written',
    until: 'Tell the operator of the bot. Everything continues by itself as soon as the disk works.',
    toDo: 'Look at the disk of the data folder: is it broken, or mounted to be read only? When it works, everything goes on by itself.',
  },
  deleted: {
    is: 'the journal’s file was deleted while the bot was running',
    until: 'Try again in a minute. The bot writes the file anew from what it has open.',
    toDo: 'Look who deletes files in the data folder. The bot writes the journal anew from what it still has open; if it ends before that, all of it is lost.',
  },
  replaced: {
    is: 'another file was put in the place of the journal while the bot was running',
    until: 'The bot ends, and goes on with that file when it is started again.',
    toDo: 'The bot ends now. Its own journal is saved beside that file, as journal.sqlite.replaced-…; whichever is called journal.sqlite at the next start is the one that counts.',
  },
  corrupt: {
    is: 'the journal is damaged',
    until: 'Tell the operator of the bot: the journal must be restored from a backup.',
    toDo: 'Stop the bot, restore a backup, start it again: docs/deploy.md, under “When the journal cannot be used”, says how. Nothing that comes due is done until then, such as the end of emergency mode: end it on the appliance.',
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
    super(`The journal cannot be used: ${journalTroubles[trouble].is}`, { cause });
    this.trouble = trouble;
  }
}
