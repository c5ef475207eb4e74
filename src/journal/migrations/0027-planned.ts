import type { Kysely } from 'kysely';

/** A change can be planned: agreed to now, and run at its time. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('actions').addColumn('run_at', 'bigint').execute();
  await database.schema.createIndex('actions_by_run').on('actions').columns(['run_at']).execute();
}
