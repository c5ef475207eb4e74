import { type Kysely, sql } from 'kysely';

/**
 * Several changes that were agreed to together. Each is an action of its own: `plan` names the one that they were agreed to as, and
 * `step` which of its lines this is. What goes on with a plan, or takes it back, names it and has no step. `left_json` is what a
 * step has left on each appliance, so that nobody else's edit is taken back with it.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema.alterTable('actions').addColumn('plan', 'text').execute();
  await schema.alterTable('actions').addColumn('step', 'integer').execute();
  await schema.alterTable('actions').addColumn('left_json', 'text').execute();
  await schema
    .createIndex('actions_plan')
    .on('actions')
    .column('plan')
    .where(sql.ref('plan'), 'is not', null)
    .execute();
}
