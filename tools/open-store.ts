import type { Environment } from '../src/config/secret.ts';
import type { Store } from '../src/journal/database.ts';
import { openSqlite } from '../src/journal/sqlite.ts';
import { journalFile } from './journal-file.ts';

/**
 * Opens the journal that a bot with this environment uses, also while it runs: nothing is locked, nothing is migrated.
 * @throws NotDone where there is none
 */
export async function openStore(environment: Environment): Promise<Store> {
  const { DATABASE_URL: url } = environment;
  if (!url) return openSqlite(journalFile(environment).file);
  const { openPostgres } = await import('../src/journal/postgres.ts');
  return openPostgres(url);
}
