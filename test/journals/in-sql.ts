import type pg from 'pg';

/**
 * A whole PostgreSQL database as SQL that any client can run in an empty one: its tables as they stand, their keys and indexes,
 * their rows, and where their numbers go on. Like `pg_dump`, for what a journal is made of, whatever versions the servers have.
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
      `select format('%I %s%s', attname,
          case when serial then 'bigserial' else format_type(atttypid, atttypmod) end,
          case when attnotnull then ' not null' else '' end
            || case when given is not null and not serial then ' default ' || given else '' end) as text
        from pg_attribute, lateral (select pg_get_expr(adbin, adrelid) as given from pg_attrdef
          where adrelid = attrelid and adnum = attnum union all select null limit 1) d,
          lateral (select coalesce(given like 'nextval(%', false) as serial) s
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
  const next = await textsOf(
    `select format('select setval(pg_get_serial_sequence(%L, %L), %s)', refobjid::regclass, attname, last_value) as text
      from pg_sequences, pg_depend, pg_attribute
      where objid = format('%I', sequencename)::regclass and deptype = 'a' and attrelid = refobjid
        and attnum = refobjsubid and last_value is not null order by 1`,
  );
  return [...statements, ...next].map((statement) => `${statement};\n`).join('');
}
