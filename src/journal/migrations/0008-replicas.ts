import { type Kysely, sql } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('replicas')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('started_at', 'bigint', (column) => column.notNull())
    .addColumn('beats', 'bigint', (column) => column.notNull())
    .execute();
  for (const column of ['held_by', 'alike', 'policy', 'allowed_by'] as const) {
    await database.schema.alterTable('actions').addColumn(column, 'text').execute();
  }
  await database.schema
    .alterTable('actions')
    .addColumn('replica', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  // Whatever an earlier version has left half-way is nobody's, and so it is taken over.
  await sql`update actions set held_by = '' where state in ('asked', 'approved', 'running')`.execute(
    database,
  );
  await sql`update actions set held_by = '' where state = 'waiting' and card is null`.execute(database);
  await database.schema.createIndex('actions_by_holder').on('actions').column('held_by').execute();
  // Of two at once one is first; where nothing is under way it is null, and nulls are never the same.
  await database.schema.createIndex('actions_alike').unique().on('actions').column('alike').execute();
  for (const table of ['leases', 'owed'] as const) {
    await database.schema.alterTable(table).addColumn('claimed_by', 'text').execute();
  }
  await database.schema
    .alterTable('owed')
    .addColumn('next_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await sql`update owed set state = 'owed'`.execute(database);
  await sql`update leases set claimed_until = 0`.execute(database);
  await database.schema
    .createTable('deliveries')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('deliveries_by_time').on('deliveries').column('at').execute();
  await database.schema
    .createTable('sealed')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .execute();
}
