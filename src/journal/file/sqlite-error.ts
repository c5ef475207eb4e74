import type { JournalTrouble } from '../unavailable.ts';

/** SQLite's primary result codes, each with what it means for a journal. Every other one is a mistake of ours. */
const troubles: Readonly<Record<number, JournalTrouble>> = {
  5: 'locked', // SQLITE_BUSY
  6: 'locked', // SQLITE_LOCKED
  8: 'unwritable', // SQLITE_READONLY
  10: 'unwritable', // SQLITE_IOERR
  11: 'corrupt', // SQLITE_CORRUPT
  13: 'full', // SQLITE_FULL
  14: 'unwritable', // SQLITE_CANTOPEN
  26: 'corrupt', // SQLITE_NOTADB
};

/** Of those that mean something else than the rest of their kind. */
const special: Readonly<Record<number, JournalTrouble>> = {
  522: 'corrupt', // SQLITE_IOERR_SHORT_READ: the file ends before it should
  8202: 'corrupt', // SQLITE_IOERR_DATA
  8458: 'corrupt', // SQLITE_IOERR_CORRUPTFS
};

/** What an error of SQLite means for the journal; undefined where it means nothing but a mistake. */
export function troubleIn(error: unknown): JournalTrouble | undefined {
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number')
    return undefined;
  // The low byte is the primary code, and the rest says more.
  return special[error.errcode] ?? troubles[error.errcode & 0xff];
}
