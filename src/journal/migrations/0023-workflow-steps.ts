import type { Kysely } from 'kysely';

/** Steps of workflows that have not heard so far what became of what they asked for. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('workflow_steps')
    .addColumn('execution', 'text', (column) => column.primaryKey())
    .addColumn('action', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('held_by', 'text')
    .addColumn('held_since', 'bigint')
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_try_at', 'bigint', (column) => column.notNull())
    .execute();
}
