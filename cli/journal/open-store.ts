import { sql } from 'kysely';
import type { Environment } from '../../src/config/secret.ts';
import type { Store } from '../../src/journal/database.ts';
import { openSqlite } from '../../src/journal/storage/sqlite.ts';
import { JournalUnavailable } from '../../src/journal/unavailable.ts';
import { areAllMade, journalFile, NotDone } from './journal-file.ts';

/**
 * Opens the journal that a bot with this environment uses, also while it runs: nothing is locked, nothing is migrated.
 * @throws NotDone where there is none, or one of another version
 */
export async function openStore(environment: Environment): Promise<Store> {
  const { DATABASE_URL: url } = environment;
  const store = url ? await openShared(url) : openSqlite(journalFile(environment).file);
  try {
    await checkVersion(store);
  } catch (error) {
    await store.close();
    if (!(error instanceof JournalUnavailable)) throw error;
    const { cause } = error;
    throw new NotDone(
      `The PostgreSQL database in DATABASE_URL is unreachable: ${cause instanceof Error ? cause.message : 'no answer'}.`,
    );
  }
  return store;
}

/** Its client is loaded for this alone. */
async function openShared(url: string): Promise<Store> {
  // Not a character of it is repeated: there is a password in it.
  if (!/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new NotDone(
      'DATABASE_URL is not the address of a PostgreSQL database. In its password, write @, / and % as %40, %2F and %25.',
    );
  }
  const { openPostgres } = await import('../../src/journal/storage/postgres.ts');
  return openPostgres(url);
}

async function checkVersion({ quick }: Store): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(quick);
  if (areAllMade(rows.map(({ name }) => name))) return;
  throw new NotDone(
    'This journal was written by an earlier version of the bot. Start this version of the bot once to update it.',
  );
}
