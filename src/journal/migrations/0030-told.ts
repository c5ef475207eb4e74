import type { Kysely } from 'kysely';

/** What people were told last of what all replicas see, so that one of them tells it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('told')
    .addColumn('subject', 'text', (column) => column.primaryKey())
    .addColumn('words', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
}
