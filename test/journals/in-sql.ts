import type pg from 'pg';

/**
 * A whole PostgreSQL database as SQL that any client can run in an empty one: its tables as they stand, their keys, indexes and
 * triggers, their rows, and where their numbers go on. Like `pg_dump`, for what a journal is made of, whatever versions the servers have.
 */
export async function inSql(client: pg.Client): Promise<string> {
  const textsOf = async (query: string, ...values: readonly string[]): Promise<readonly string[]> =>
    (await client.query<{ text: string }>(query, [...values])).rows.map(({ text }) => text);
  const tables = await textsOf(
    `select format('%I', tablename) as text from pg_tables where schemaname = 'public' order by tablename`,
  );
  const statements: string[] = [];
  for (const table of tables) {
    const columns = await textsOf(
      `select format('%I %s%s', attname, format_type(atttypid, atttypmod),
          case when attnotnull then ' not null' else '' end || coalesce(' default ' || pg_get_expr(adbin, adrelid), '')) as text
        from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      table,
    );
    const values = await textsOf(
      `select format('quote_nullable(%I::text)', attname) as text from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
      table,
    );
    const rows = await textsOf(
      `select concat_ws(', ', ${values.join(', ')}) as text from ${table} order by 1`,
    );
    statements.push(
      `create table ${table} (\n  ${columns.join(',\n  ')}\n)`,
      ...rows.map((row) => `insert into ${table} values (${row})`),
      ...(await textsOf(
        `select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as text
          from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u', 'c') order by conname`,
        table,
      )),
      ...(await textsOf(
        `select pg_get_indexdef(indexrelid) as text from pg_index
          where indrelid = $1::regclass and indexrelid not in (select conindid from pg_constraint) order by 1`,
        table,
      )),
    );
  }
  const sequences = `pg_sequences, pg_depend, pg_attribute
      where objid = format('%I', sequencename)::regclass and deptype = 'a' and attrelid = refobjid and attnum = refobjsubid order by 1`;
  // Before the tables that count by them, which own them afterwards.
  const made = await textsOf(`select format('create sequence %I', sequencename) as text from ${sequences}`);
  const next = await textsOf(
    `select format('alter sequence %I owned by %s.%I', sequencename, refobjid::regclass, attname)
        || case when last_value is null then '' else format('; select setval(%L, %s)', sequencename::regclass, last_value) end as text
      from ${sequences}`,
  );
  // Last, so that the restored rows keep their values.
  const does = await textsOf(
    `select pg_get_functiondef(oid) as text from pg_proc where pronamespace = 'public'::regnamespace order by 1`,
  );
  const when = await textsOf(
    `select pg_get_triggerdef(oid) as text from pg_trigger where not tgisinternal order by 1`,
  );
  return [...made, ...statements, ...next, ...does, ...when].map((statement) => `${statement};\n`).join('');
}
