import { type Kysely, sql } from 'kysely';
import { growing, growingKey, isPostgres } from './columns.ts';

export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('events')
    .addColumn('id', growing(database), growingKey(database))
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('content_json', 'text', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('events_by_action').on('events').column('action').execute();
  await database.schema
    .createTable('audit')
    .addColumn('seq', isPostgres(database) ? 'bigint' : 'integer', (column) => column.primaryKey())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('record_json', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .execute();
  await database.schema.createIndex('audit_by_time').on('audit').column('at').execute();
  await database.schema.createIndex('audit_by_action').on('audit').column('action').execute();
  await database.schema
    .createTable('audit_terms')
    .addColumn('term', 'text', (column) => column.notNull())
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('bits', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_terms_pk', ['term', 'block'])
    // What is asked for is always a term's: its rows stand side by side.
    .modifyEnd(isPostgres(database) ? sql`` : sql`without rowid`)
    .execute();
  await database.schema.createIndex('audit_terms_by_block').on('audit_terms').column('block').execute();
  await database.schema
    .createTable('audit_pruned')
    .addColumn('upto', 'bigint', (column) => column.primaryKey())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .execute();
  await database.schema.alterTable('actions').addColumn('recorded', 'bigint').execute();
  // What is over and not recorded yet is looked for every second.
  await database.schema
    .createIndex('actions_to_record')
    .on('actions')
    .columns(['recorded', 'changed_at'])
    .execute();
}
