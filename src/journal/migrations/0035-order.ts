import { type Kysely, sql } from 'kysely';
import { isPostgres } from './columns.ts';

/**
 * The journal counts what is asked and what begins to run, so that no clock decides which change was the newest: a clock can be set back,
 * and two replicas differ by seconds. The database counts, so that a replica of an earlier version gets its numbers, too.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  await schema.alterTable('actions').addColumn('asked_seq', 'bigint').execute();
  await schema.alterTable('actions').addColumn('ran_seq', 'bigint').execute();
  // Of what is there, nothing better than the clock is known.
  await sql`
    update actions set asked_seq = counted.asked, ran_seq = counted.ran
    from (
      select id, max(case when ran = 0 then place end) as asked, max(case when ran = 1 then place end) as ran
      from (
        select id, ran, row_number() over (order by at, ran, step, id) as place
        from (
          select id, 0 as ran, created_at as at, coalesce(step, 0) as step from actions
          union all
          select id, 1 as ran, changed_at as at, coalesce(step, 0) as step from actions
          where effect <> 'read' and state in ('running', 'done', 'failed', 'unknown')
        ) as moments
      ) as places
      group by id
    ) as counted
    where counted.id = actions.id`.execute(database);
  await schema.createIndex('actions_asked').on('actions').column('asked_seq').execute();
  await schema
    .createIndex('actions_ran')
    .on('actions')
    .column('ran_seq')
    .where(sql.ref('ran_seq'), 'is not', null)
    .execute();
  for (const statement of isPostgres(database) ? inPostgres : inSqlite)
    await sql.raw(statement).execute(database);
}

const begins = `new.state = 'running' and old.state <> 'running' and new.effect <> 'read'`;

const inPostgres = [
  'create sequence actions_seq owned by actions.asked_seq',
  `select setval('actions_seq', 1 + coalesce((select max(greatest(asked_seq, ran_seq)) from actions), 0), false)`,
  `alter table actions alter column asked_seq set default nextval('actions_seq')`,
  // Whatever the search path of whoever writes is.
  `create function actions_ran() returns trigger language plpgsql as $$
    begin
      new.ran_seq := nextval(pg_get_serial_sequence(format('%I.%I', tg_table_schema, tg_table_name), 'asked_seq'));
      return new;
    end $$`,
  `create trigger actions_ran before update of state on actions for each row when (${begins}) execute function actions_ran()`,
];

/** The last of a column by its index: SQLite goes through all of the table for a `max` whose index leaves rows out. */
const last = (column: string) =>
  `coalesce((select ${column} from actions where ${column} is not null order by ${column} desc limit 1), 0)`;
const next = `1 + max(${last('asked_seq')}, ${last('ran_seq')})`;

const inSqlite = [
  `create trigger actions_asked after insert on actions when new.asked_seq is null
    begin update actions set asked_seq = ${next} where id = new.id; end`,
  `create trigger actions_ran after update of state on actions when ${begins}
    begin update actions set ran_seq = ${next} where id = new.id; end`,
];
