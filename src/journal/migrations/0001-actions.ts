import type { Kysely } from 'kysely';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('actions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('changed_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('team', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('line', 'text', (column) => column.notNull())
    .addColumn('phrase', 'text')
    .addColumn('effect', 'text')
    .addColumn('appliance', 'text')
    .addColumn('args_json', 'text', (column) => column.notNull())
    .addColumn('preview_json', 'text')
    .addColumn('card', 'text')
    .addColumn('outcome_json', 'text')
    .addColumn('decided_by', 'text')
    .execute();
  // Looked up all the time by what they still owe; finished actions must not slow that down. Not a partial index:
  // SQLite uses one only for a query that repeats its condition word for word.
  await database.schema
    .createIndex('actions_by_state')
    .on('actions')
    .columns(['state', 'expires_at'])
    .execute();
}
