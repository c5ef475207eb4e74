import type { Kysely } from 'kysely';
import { isPostgres } from './columns.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  const number = isPostgres(database) ? 'bigint' : 'integer';
  await database.schema
    .createTable('generations')
    .addColumn('number', number, (column) => column.primaryKey())
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('began_at', 'bigint', (column) => column.notNull())
    .addColumn('follows_seq', 'bigint', (column) => column.notNull())
    .addColumn('first_seq', 'bigint', (column) => column.notNull())
    .addColumn('start', 'text', (column) => column.notNull())
    .addColumn('known_until', 'bigint', (column) => column.notNull())
    .addColumn('said_until', 'bigint')
    .addColumn('lost_record', 'text')
    .execute();
  await database.schema
    .alterTable('outbox')
    .addColumn('background', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  // What is due is looked for every two seconds, and what waits behind it may be tens of thousands.
  await database.schema
    .createIndex('outbox_due')
    .on('outbox')
    .columns(['background', 'held_by', 'next_at'])
    .execute();
}
