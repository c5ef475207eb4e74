import type { Kysely } from 'kysely';
import { growing, growingKey } from './columns.ts';

/** What people have put on watch, and on a schedule. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('watches')
    .addColumn('id', growing(database), growingKey(database))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('appliances', 'text', (column) => column.notNull())
    .addColumn('terms_json', 'text', (column) => column.notNull())
    .addColumn('state_json', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('held_by', 'text')
    .addColumn('held_since', 'bigint')
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_try_at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('watches_due').on('watches').column('next_try_at').execute();
}
