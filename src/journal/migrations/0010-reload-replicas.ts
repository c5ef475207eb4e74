import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .alterTable('reloads')
    .addColumn('replica', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
