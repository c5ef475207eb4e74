import type { Kysely } from 'kysely';
import { growing, growingKey } from './columns.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('kept')
    .addColumn('id', growing(database), growingKey(database))
    .addColumn('token', 'text', (column) => column.notNull().unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('content_json', 'text', (column) => column.notNull())
    .addColumn('person', 'text')
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('action', 'text')
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addColumn('taken_by', 'text')
    .addColumn('taken_at', 'bigint')
    .execute();
  await database.schema.createIndex('kept_by_action').on('kept').columns(['action', 'kind']).execute();
  // The clock asks every few seconds, and the contents, whole results among them, are nothing to read through for that.
  await database.schema.createIndex('kept_by_until').on('kept').column('until').execute();
}
