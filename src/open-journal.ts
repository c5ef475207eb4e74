import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config/config.ts';
import { inUtc } from './handlers/text.ts';
import { lockHolders } from './journal/file/lock-holder.ts';
import { movedFile, readMoved } from './journal/file/moved.ts';
import { keepPrivate, type Privacy } from './journal/file/private-files.ts';
import { logOf } from './journal/file/same-file.ts';
import type { Watching } from './journal/file/watch.ts';
import type { Journal } from './journal/journal.ts';
import { createSharedClock, type SharedClock } from './journal/replicas/shared-clock.ts';
import { type Lock, takeLock } from './journal/storage/lock.ts';
import type { openFile } from './journal/storage/sqlite-connection.ts';
import { JournalUnavailable, journalTroubles } from './journal/unavailable.ts';
import { createJournalHealth, type JournalHealth, reasonOf } from './journal-health.ts';
import { CannotStart } from './problem.ts';
import { filesWereOpen, folderIsOpen, journalSlow, journalWritten } from './telemetry/events/journal.ts';
import { type Log, onceIn, seldom } from './telemetry/log.ts';

/** An open journal with its lock and clock. */
export interface OpenedJournal {
  readonly journal: Journal;
  /** The lock of the data folder; replicas on a database need none. */
  readonly lock?: Lock;
  readonly health: JournalHealth;
  /** Milliseconds since the epoch, by the clock that all processes on this journal share. */
  readonly now: () => number;
}

/** Test hooks for opening and maintaining the embedded journal. */
export interface OfFile {
  readonly open?: typeof openFile;
  readonly watching?: Partial<Watching>;
}

/** Test hooks for the time of replicas that share a database. */
export interface OfShared {
  /** Replaces the database's time. */
  readonly databaseTime?: ((real: number) => number) | undefined;
  /** Monotonic milliseconds, by which a replica without a heartbeat is evicted. */
  readonly elapsed?: (() => number) | undefined;
}

/** Opens the journal in the configured place: in the data folder, or in a database that replicas share. */
export const openJournalOf = (
  config: Pick<Config, 'data' | 'database'>,
  now: () => number,
  log: Log,
  { databaseTime, elapsed, ...ofFile }: OfFile & OfShared = {},
  heardDatabase?: (time: number) => void,
): Promise<OpenedJournal> =>
  config.database === undefined
    ? openFolder(config.data, now, log, ofFile)
    : openShared(config.database, createSharedClock(now, databaseTime, heardDatabase), log, elapsed);

/** Locks the data folder for this process, and opens the journal in it. */
async function openFolder(
  folder: string,
  now: () => number,
  log: Log,
  { open, watching }: OfFile,
): Promise<OpenedJournal> {
  const file = join(folder, 'journal.sqlite');
  const problem = (wrong: string) =>
    new CannotStart([{ key: 'APPLIANCE_BOT_DATA', wrong, example: 'APPLIANCE_BOT_DATA=./data' }]);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const moved = readMoved(folder);
    if (moved !== undefined) {
      const where =
        moved.to === undefined ? 'a PostgreSQL database' : `the PostgreSQL database at ${moved.to}`;
      const when = moved.at === undefined ? '' : ` at ${inUtc(moved.at)}`;
      throw problem(
        `points to ${folder}, whose journal was migrated to ${where}${when}. Using it again would repeat changes and messages that were in progress at that time. Set DATABASE_URL to that database, or choose another folder. To use the journal in this folder anyway, remove ${movedFile(folder)}.`,
      );
    }
    const isMissed = isMissing(file) && [join(folder, 'lock.sqlite'), logOf(file)].some(isThere);
    sayWhoCanRead(folder, keepPrivate(folder), log);
    const lock = takeLock(join(folder, 'lock.sqlite'));
    if (lock === undefined)
      throw problem(
        `points to ${folder}, which is in use by another running bot. Stop that bot, or choose another folder.`,
      );
    const [{ openJournal }, { openSqlite }, { offline }] = await Promise.all([
      import('./journal/journal.ts'),
      import('./journal/storage/sqlite.ts'),
      import('./journal/offline/offline.ts'),
    ]);
    try {
      const store = openSqlite(file, open, writtenTo(log));
      const journal = await openJournal(store, now);
      const { ears, ...health } = createJournalHealth(log, () => lockHolders(file));
      await store.watch(ears, watching).catch(async (error: unknown) => {
        await journal.close();
        throw error;
      });
      if (isMissed) ears.begun(folder);
      return { lock, now, health, journal: offline(journal, ears, now) };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    if (!(error instanceof JournalUnavailable))
      throw problem(`points to ${folder}, but the journal there cannot be opened: ${reasonOf(error)}.`);
    const { is, toDo = '' } = journalTroubles[error.trouble];
    throw problem(`points to ${folder}, but ${is} (${reasonOf(error.cause)}). ${toDo}`.trimEnd());
  }
}

/** In milliseconds: a slower commit delays the person who typed. */
const slow = 500;

function writtenTo(log: Log): (milliseconds: number) => void {
  const tellSlow = seldom(log, onceIn(60_000));
  return (milliseconds) => {
    const durationMs = Number(milliseconds.toFixed(3));
    log.tell(journalWritten, { durationMs });
    if (milliseconds > slow) tellSlow(journalSlow, { durationMs });
  };
}

const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;

/** Every journal has a first page from its creation on. */
const isMissing = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;

function sayWhoCanRead(folder: string, { openFolder, tightened }: Privacy, log: Log): void {
  if (tightened.length > 0) {
    log.tell(filesWereOpen, { folder, files: tightened });
  }
  if (openFolder !== undefined) {
    log.tell(folderIsOpen, { folder, mode: openFolder });
  }
}

/** Opens the journal in a database that replicas share. Its client takes megabytes, so it is loaded only here. */
async function openShared(
  url: string,
  clock: SharedClock,
  log: Log,
  elapsed: OfShared['elapsed'],
): Promise<OpenedJournal> {
  const { now } = clock;
  const cannot = (wrong: string) =>
    new CannotStart([
      {
        key: 'DATABASE_URL',
        wrong,
        example: 'DATABASE_URL=postgres://bot:password@db.example.com:5432/appliance_bot',
      },
    ]);
  const [{ newReplica, openJournal }, { openPostgres }, { obstacleIn }, { offline }] = await Promise.all([
    import('./journal/journal.ts'),
    import('./journal/storage/postgres.ts'),
    import('./journal/storage/postgres-check.ts'),
    import('./journal/offline/offline.ts'),
  ]);
  try {
    const obstacle = await obstacleIn(url);
    if (obstacle !== undefined) throw cannot(`points to a database that ${obstacle}.`);
    const replica = newReplica();
    const journal = await openJournal(
      openPostgres(url, replica, writtenTo(log)),
      now,
      replica,
      clock,
      elapsed,
    );
    // Announces itself to the other replicas before it does anything.
    await journal.heartbeat().catch(async (error: unknown) => {
      await journal.close();
      throw error;
    });
    const { ears, ...health } = createJournalHealth(log);
    return { health, now, journal: offline(journal, ears, now) };
  } catch (error) {
    if (error instanceof CannotStart) throw error;
    const reason = reasonOf(error instanceof JournalUnavailable ? error.cause : error);
    throw cannot(`points to a database, but the journal there cannot be opened: ${reason}.`);
  }
}
