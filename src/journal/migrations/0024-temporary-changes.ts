import { type Kysely, sql } from 'kysely';

/**
 * Any change that can be undone can be temporary. What was there before is emergency mode, of which an appliance has one at a
 * time; of other changes there may be several, each with the line that takes it back, with what it has left, and with what was changed on top of it for a time.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema
    .alterTable('timed_changes')
    .addColumn('subject', 'text', (column) => column.notNull().defaultTo('emergency disable'))
    .execute();
  await schema.alterTable('timed_changes').addColumn('undo_line', 'text').execute();
  await schema.alterTable('timed_changes').addColumn('left_json', 'text').execute();
  await schema.alterTable('timed_changes').addColumn('covered_by', 'text').execute();
  await schema.dropIndex('timed_changes_live').execute();
  await schema
    .createIndex('timed_changes_live')
    .unique()
    .on('timed_changes')
    .columns(['appliance', 'subject'])
    .where(sql.ref('state'), '!=', sql.lit('over'))
    .execute();
}
