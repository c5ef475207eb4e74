import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  for (const column of ['channel', 'person', 'held_by'] as const) {
    await database.schema.alterTable('deliveries').addColumn(column, 'text').execute();
  }
  await database.schema.createIndex('deliveries_by_holder').on('deliveries').column('held_by').execute();
}
