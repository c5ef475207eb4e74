import type { Kysely } from 'kysely';
import { growing, growingKey } from './columns.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('outbox')
    .addColumn('id', growing(database), growingKey(database))
    .addColumn('key', 'text', (column) => column.notNull().unique())
    .addColumn('action', 'text')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('lane', 'text', (column) => column.notNull())
    .addColumn('content_json', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('in_doubt', 'integer', (column) => column.notNull())
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('held_by', 'text')
    .execute();
  await database.schema.createIndex('outbox_by_lane').on('outbox').columns(['lane', 'id']).execute();
}
