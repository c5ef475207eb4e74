import { type Kysely, sql } from 'kysely';
import { isPostgres } from './columns.ts';

/**
 * PostgreSQL cleans up a table when a fifth of it has changed: of two million actions after 400,000, eighty days. Until then all that were
 * not recorded once are gone through to find the few that are not. Now it does after so many rows, however many there are.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  if (!isPostgres(database)) return;
  for (const table of ['actions', 'audit', 'audit_index', 'events', 'tokens', 'timed_changes'])
    await sql`alter table ${sql.table(table)} set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`.execute(
      database,
    );
}
