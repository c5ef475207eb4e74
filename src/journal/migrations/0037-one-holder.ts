import type { Kysely } from 'kysely';

/** What is on for a time is held by one change, so that none waits for another one that lies on top of it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('timed_changes').dropColumn('covered_by').execute();
}
