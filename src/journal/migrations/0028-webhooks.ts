import type { Kysely } from 'kysely';
import { growing, growingKey } from './columns.ts';

/** What another system is to be told of changes, until it has taken it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('webhooks')
    .addColumn('id', growing(database), growingKey(database))
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('content_json', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('held_by', 'text')
    .addColumn('held_since', 'bigint')
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_try_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('webhooks_by_action').on('webhooks').columns(['action', 'id']).execute();
}
