import { type Kysely, sql } from 'kysely';
import { isPostgres } from './columns.ts';

/** What is asked of millions of actions, and of all that was ever on for a time, finds what it asks for without going through the rest. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  // Changes are one in ten, and what was planned, waits or takes something back is hardly any of all that was asked.
  await schema
    .createIndex('actions_changes')
    .on('actions')
    .columns(['state', 'changed_at'])
    .where(sql.ref('effect'), '!=', sql.lit('read'))
    .execute();
  await schema
    .createIndex('actions_changes_of')
    .on('actions')
    .columns(['phrase', 'changed_at'])
    .where(sql.ref('effect'), '!=', sql.lit('read'))
    .execute();
  await schema
    .createIndex('actions_waiting')
    .on('actions')
    .columns(['person', 'channel', 'created_at'])
    .where(sql.ref('state'), '=', sql.lit('waiting'))
    .execute();
  await schema
    .createIndex('actions_undoing')
    .on('actions')
    .columns(['state', 'created_at'])
    .where(sql.ref('undoes'), 'is not', null)
    .execute();
  await schema.dropIndex('actions_by_run').execute();
  await schema
    .createIndex('actions_planned')
    .on('actions')
    .columns(['state', 'run_at'])
    .where(sql.ref('run_at'), 'is not', null)
    .execute();

  // What is over stays for as long as its action does.
  await sql`delete from timed_changes where state = 'over' and reported = 1
    and not exists (select 1 from actions where actions.id = timed_changes.action)`.execute(database);
  await schema.alterTable('timed_changes').addColumn('ended_by', 'text').execute();
  // Somebody may have put there what is no JSON.
  const by = isPostgres(database)
    ? sql`substring(ended_json from '"by":"([^"]*)"')`
    : sql`case when json_valid(ended_json) then json_extract(ended_json, '$.by') end`;
  await sql`update timed_changes set ended_by = ${by} where ended_json is not null`.execute(database);
  await schema
    .createIndex('timed_changes_by_end')
    .on('timed_changes')
    .column('ended_by')
    .where(sql.ref('ended_by'), 'is not', null)
    .execute();
  await schema
    .createIndex('timed_changes_by_state')
    .on('timed_changes')
    .columns(['state', 'reported'])
    .execute();
  for (const table of ['timed_changes', 'site_requests']) {
    await schema.createIndex(`${table}_by_holder`).on(table).column('held_by').execute();
  }
}
