import type { Kysely } from 'kysely';

/** When something temporary was ordered to end, until it is known what came of that: who takes it up looks before it orders again. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('timed_changes').addColumn('ordered_at', 'bigint').execute();
}
