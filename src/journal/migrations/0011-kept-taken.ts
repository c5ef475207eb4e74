import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('kept').addColumn('held_by', 'text').execute();
  await database.schema.alterTable('kept').addColumn('became', 'text').execute();
  await database.schema.createIndex('kept_by_result').on('kept').column('became').execute();
  await database.schema.createIndex('kept_by_holder').on('kept').column('held_by').execute();
}
