import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { isUpToDate, type JournalFile, NotDone, openToRead } from './journal-file.ts';

/** A copy that was looked through. */
export interface Backup {
  readonly bytes: number;
  readonly actions: number;
  /** When the newest of them was asked, in milliseconds since the epoch. */
  readonly newest: number | undefined;
}

/**
 * Copies an embedded journal at one moment into a new file, also while a bot writes, without blocking it. A failed copy
 * is deleted.
 * @throws NotDone
 */
export function backUp({ file }: JournalFile, to: string): Backup {
  // Lines and names of people stand in it: for nobody else to read, as in the data folder.
  const copy = create(to);
  try {
    const source = openToRead(file);
    try {
      // One look at the whole; SQLite's own backup starts anew whenever somebody writes meanwhile.
      source.prepare('vacuum into ?').run(to);
    } finally {
      source.close();
    }
    fsyncSync(copy);
    return look(to);
  } catch (error) {
    rmSync(to, { force: true });
    // A journal that is damaged, a disk that is full: SQLite says so.
    const isSqlite = error instanceof Error && 'errcode' in error;
    throw isSqlite ? new NotDone(`Couldn’t copy the journal: ${error.message}. No copy was made.`) : error;
  } finally {
    closeSync(copy);
  }
}

function create(file: string): number {
  try {
    return openSync(file, 'wx', 0o600);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    if (code === 'EEXIST')
      throw new NotDone(`${file} already exists and was not overwritten. Choose another file.`);
    throw new NotDone(`${file} cannot be written (${code}). No copy was made. Choose another file.`);
  }
}

function look(file: string): Backup {
  const copy = openToRead(file);
  try {
    // Its indices were made of its rows a moment ago. To hold each of them against each other takes minutes of millions of actions.
    const [found] = copy.prepare('pragma quick_check(1)').all();
    if (found?.quick_check !== 'ok') {
      throw new NotDone(`The journal is damaged: ${found?.quick_check}. No copy was made.`);
    }
    isUpToDate(copy);
    const row = copy.prepare('select count(*) as actions, max(created_at) as newest from actions').get();
    const newest = row?.newest;
    return {
      bytes: statSync(file).size,
      actions: Number(row?.actions),
      newest: typeof newest === 'number' ? newest : undefined,
    };
  } finally {
    copy.close();
  }
}
