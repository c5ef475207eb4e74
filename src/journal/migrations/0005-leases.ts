import { type Kysely, sql } from 'kysely';
import { growing, growingKey } from './columns.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('leases')
    .addColumn('id', growing(database), growingKey(database))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('appliance', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('ends_at', 'bigint', (column) => column.notNull())
    .addColumn('set_at', 'bigint', (column) => column.notNull())
    .addColumn('reminded', 'bigint')
    .addColumn('reminder', 'text')
    .addColumn('extensions_json', 'text', (column) => column.notNull())
    .addColumn('seen', 'integer', (column) => column.notNull())
    .addColumn('orders', 'integer', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('last_problem', 'text')
    .addColumn('next_at', 'bigint', (column) => column.notNull())
    .addColumn('claimed_until', 'bigint', (column) => column.notNull())
    .addColumn('ended_json', 'text')
    .addColumn('report', 'text')
    .addColumn('reported', 'integer', (column) => column.notNull())
    .execute();
  // One at a time on an appliance, however many are asked for at once.
  await database.schema
    .createIndex('leases_live')
    .unique()
    .on('leases')
    .column('appliance')
    .where(sql.ref('state'), '!=', sql.lit('over'))
    .execute();
  await database.schema.createIndex('leases_by_action').on('leases').column('action').execute();
  // What else was done in a time, for its report.
  await database.schema.createIndex('actions_by_time').on('actions').column('created_at').execute();
}
