import type { Kysely } from 'kysely';
import { growing, growingKey } from './columns.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('reloads')
    .addColumn('id', growing(database), growingKey(database))
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('told_json', 'text', (column) => column.notNull())
    .execute();
}
