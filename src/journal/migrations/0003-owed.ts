import type { Kysely } from 'kysely';
import { growing, growingKey } from './columns.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('owed')
    // Never given twice, so that an id from before a row was deleted cannot mean the one that came after it.
    .addColumn('id', growing(database), growingKey(database))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('appliance', 'text', (column) => column.notNull())
    .addColumn('what', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('last_problem', 'text')
    .execute();
  await database.schema.createIndex('owed_by_appliance').on('owed').columns(['appliance', 'state']).execute();
}
