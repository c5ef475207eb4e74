import { sql } from 'kysely';
import { asMeant, type Environment } from '../../src/config/secret.ts';
import type { Store } from '../../src/journal/database.ts';
import { columnsOf } from '../../src/journal/migrations/columns.ts';
import { openSqlite } from '../../src/journal/storage/sqlite.ts';
import { JournalUnavailable } from '../../src/journal/unavailable.ts';
import { areAllMade, journalFile, NotDone, NotYet } from './journal-file.ts';

/**
 * Opens the journal of a bot with this environment, also while it runs, without locks and migrations.
 * @throws NotDone without a readable journal; NotYet where the next start of the bot makes it
 */
export async function openStore(given: Environment): Promise<Store> {
  const environment = asMeant(given);
  const { DATABASE_URL: url } = environment;
  const where = url ? databaseNamed : journalFile(environment).folder;
  const store = url ? await openShared(url) : openSqlite(journalFile(environment).file);
  try {
    await checkVersion(store, where);
  } catch (error) {
    await store.close();
    if (!(error instanceof JournalUnavailable)) throw error;
    const { cause } = error;
    const why = cause instanceof Error ? cause.message : 'no answer';
    throw new NotDone(
      url ? `${where} is unreachable: ${why}.` : `The journal in ${where} cannot be read: ${why}.`,
    );
  }
  return store;
}

/** The name of the database for people: its address has a password in it. */
export const databaseNamed = 'The PostgreSQL database in DATABASE_URL';

/** Its client is loaded for this alone. */
async function openShared(url: string): Promise<Store> {
  // Not a character of it is repeated: there is a password in it.
  if (!/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new NotDone(
      'DATABASE_URL is not the address of a PostgreSQL database. In its password, write @, / and % as %40, %2F and %25.',
    );
  }
  const { openPostgresPatiently } = await import('../../src/journal/storage/postgres.ts');
  return openPostgresPatiently(url);
}

async function checkVersion({ quick }: Store, where: string): Promise<void> {
  if ((await columnsOf(quick, 'kysely_migration')).size === 0)
    throw new NotYet(`${where} has no journal yet. The first start of the bot creates it.`);
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(quick);
  if (areAllMade(rows.map(({ name }) => name))) return;
  throw new NotYet(
    'This journal was written by an earlier version of the bot. Start this version of the bot once to update it.',
  );
}
