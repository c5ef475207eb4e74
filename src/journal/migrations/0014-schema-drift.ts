import { type Kysely, sql } from 'kysely';
import { columnsOf, isPostgres } from './columns.ts';

/** Two of the migrations before were still edited when journals had been made with them. Those get what they lack. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const leases = await columnsOf(database, 'leases');
  if (!leases.has('reminder')) {
    await database.schema.alterTable('leases').addColumn('reminder', 'text').execute();
  }
  const terms = await columnsOf(database, 'audit_terms');
  if (!terms.has('bits')) await remakeForRecords(database);
}

/**
 * Of a version that made the tables of the audit and did not record yet; no later one could record there either. So no row
 * of `audit_terms` is lost, because there never was one.
 */
async function remakeForRecords(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema.dropTable('audit_terms').execute();
  await schema
    .createTable('audit_terms')
    .addColumn('term', 'text', (column) => column.notNull())
    .addColumn('block', 'integer', (column) => column.notNull())
    .addColumn('bits', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_terms_pk', ['term', 'block'])
    .modifyEnd(isPostgres(database) ? sql`` : sql`without rowid`)
    .execute();
  await schema.createIndex('audit_terms_by_block').on('audit_terms').column('block').execute();
  await schema.createIndex('audit_by_action').on('audit').column('action').execute();
  await schema.dropIndex('actions_to_record').execute();
  await schema.createIndex('actions_to_record').on('actions').columns(['recorded', 'changed_at']).execute();
}
