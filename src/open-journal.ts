/** How the journal is opened that the configuration names, and what is said where it cannot be. */

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import type { Journal } from './journal/journal.ts';
import type { Notices } from './journal/offline/database.ts';
import { type Lock, takeLock } from './journal/storage/lock.ts';
import { keepPrivate, type Privacy } from './journal/storage/private-files.ts';
import { JournalUnavailable } from './journal/unavailable.ts';
import type { Log } from './log.ts';
import { CannotStart } from './problem.ts';

/** An open journal, and what it was opened under. */
export interface OpenedJournal {
  readonly journal: Journal;
  /** Of the data folder; none is needed where replicas share a database. */
  readonly lock?: Lock;
}

/** Opens the journal where the configuration says: in the data folder, or in a database that replicas share. */
export const openJournalOf = (
  config: Pick<Config, 'data' | 'database'>,
  now: () => number,
  log: Log,
): Promise<OpenedJournal> =>
  config.database === undefined ? openFolder(config.data, now, log) : openShared(config.database, now, log);

/** Takes the data folder for this process, and opens the journal in it. */
async function openFolder(folder: string, now: () => number, log: Log): Promise<OpenedJournal> {
  const problem = (wrong: string) =>
    new CannotStart([{ key: 'APPLIANCE_BOT_DATA', wrong, example: 'APPLIANCE_BOT_DATA=./data' }]);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    sayWhoCanRead(folder, keepPrivate(folder), log);
    const lock = takeLock(join(folder, 'lock.sqlite'));
    if (lock === undefined) throw problem(`names ${folder}, which another running bot is using.`);
    const [{ openJournal }, { openSqlite }] = await Promise.all([
      import('./journal/journal.ts'),
      import('./journal/storage/sqlite.ts'),
    ]);
    try {
      return { lock, journal: await openJournal(openSqlite(join(folder, 'journal.sqlite')), now) };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    throw problem(`names ${folder}, where the journal cannot be opened: ${reasonOf(error)}.`);
  }
}

function sayWhoCanRead(folder: string, { openFolder, tightened }: Privacy, log: Log): void {
  if (tightened.length > 0) {
    log.warn(
      { folder, files: tightened },
      'Others could read files of the journal until now; they have mode 600 from here on',
    );
  }
  if (openFolder !== undefined) {
    log.warn(
      { folder, mode: openFolder },
      'The data folder is open to others on this machine: give it mode 700',
    );
  }
}

/** Opens the journal in a database that replicas share. Its client takes megabytes, and is loaded for this alone. */
async function openShared(url: string, now: () => number, log: Log): Promise<OpenedJournal> {
  const [{ openJournal }, { openPostgres }, { offline }] = await Promise.all([
    import('./journal/journal.ts'),
    import('./journal/storage/postgres.ts'),
    import('./journal/offline/offline.ts'),
  ]);
  try {
    const journal = await openJournal(openPostgres(url), now);
    // Before it is at anything, the others know that it is there.
    await journal.heartbeat().catch(async (error: unknown) => {
      await journal.close();
      throw error;
    });
    return { journal: offline(journal, noticesIn(log), now) };
  } catch (error) {
    const reason = reasonOf(error instanceof JournalUnavailable ? error.cause : error);
    throw new CannotStart([
      {
        key: 'DATABASE_URL',
        wrong: `names a database in which the journal cannot be opened: ${reason}.`,
        example: 'DATABASE_URL=postgres://bot:password@db.example.com:5432/appliance_bot',
      },
    ]);
  }
}

const noticesIn = (log: Log): Notices => ({
  away: (cause) =>
    log.warn(
      { reason: reasonOf(cause) },
      'The database of the journal is away; look-ups go on, and nothing is changed',
    ),
  back: (written) => log.info({ written }, 'The database of the journal is back'),
  lost: (what, why) => log.error({ what, reason: reasonOf(why) }, 'This will not be in the journal'),
});

/** Where a name has several addresses, Node has tried them all and sums that up in a code. */
const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message || String('code' in error ? error.code : error) : String(error);
