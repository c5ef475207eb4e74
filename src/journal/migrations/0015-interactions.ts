import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('actions').addColumn('interaction_json', 'text').execute();
  await database.schema.alterTable('kept').addColumn('opened', 'text').execute();
  await database.schema
    .alterTable('kept')
    .addColumn('searches', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
}
