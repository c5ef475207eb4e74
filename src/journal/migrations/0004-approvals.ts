import type { Kysely } from 'kysely';
import { growing, growingKey } from './columns.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('actions').addColumn('consent_json', 'text').execute();
  await database.schema
    .createTable('approvals')
    .addColumn('id', growing(database), growingKey(database))
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('question', 'text', (column) => column.notNull())
    .addColumn('human', 'text', (column) => column.notNull())
    .addColumn('person', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    // However many accounts somebody has and however often they click: one yes to one question.
    .addUniqueConstraint('approvals_once', ['action', 'question', 'human'])
    .execute();
}
