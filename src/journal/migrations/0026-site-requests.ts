import type { Kysely } from 'kysely';

/** What people ask to have allowed who may not allow it. A site is asked for once at a time in a channel: `open_site` holds it. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .createTable('site_requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('revision', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('person', 'text')
    .addColumn('site', 'text', (column) => column.notNull())
    .addColumn('open_site', 'text')
    .addColumn('appliances', 'text', (column) => column.notNull())
    .addColumn('lasts', 'bigint')
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('content_json', 'text', (column) => column.notNull())
    .addColumn('card', 'text')
    .addColumn('action', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('closes_at', 'bigint', (column) => column.notNull())
    .addColumn('held_by', 'text')
    .addColumn('held_since', 'bigint')
    .addColumn('tries', 'integer', (column) => column.notNull())
    .addColumn('next_try_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('site_requests_open')
    .unique()
    .on('site_requests')
    .columns(['channel', 'open_site'])
    .execute();
  await schema
    .createIndex('site_requests_due')
    .on('site_requests')
    .columns(['state', 'next_try_at'])
    .execute();
  await schema
    .createIndex('site_requests_person')
    .on('site_requests')
    .columns(['person', 'created_at'])
    .execute();
}
