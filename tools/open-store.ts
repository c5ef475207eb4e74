import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Environment } from '../src/config/secret.ts';
import type { Store } from '../src/journal/database.ts';
import { openSqlite } from '../src/journal/sqlite.ts';

/** There is no journal where the environment says. */
export class NoJournal extends Error {
  override readonly name = 'NoJournal';
}

/**
 * Opens the journal that a bot with this environment uses, also while it runs: nothing is locked, nothing is migrated.
 * @throws NoJournal
 */
export async function openStore(environment: Environment): Promise<Store> {
  const { DATABASE_URL: url } = environment;
  if (url) {
    // Not a character of it is repeated: there is a password in it.
    if (!/^postgres(?:ql)?:$/.test(URL.parse(url)?.protocol ?? '')) {
      throw new NoJournal(
        'DATABASE_URL is not the address of a PostgreSQL database. Characters such as @, / and % in its password are written as %40, %2F and %25.',
      );
    }
    const { openPostgres } = await import('../src/journal/postgres.ts');
    return openPostgres(url);
  }
  const file = join(resolve(environment.APPLIANCE_BOT_DATA || './data'), 'journal.sqlite');
  if (!existsSync(file)) {
    throw new NoJournal(
      `There is no journal at ${file}. APPLIANCE_BOT_DATA names its folder, DATABASE_URL a PostgreSQL.`,
    );
  }
  return openSqlite(file);
}
