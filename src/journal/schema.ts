/** Whether a journal's tables are those that the migrations make. */

import { hash } from 'node:crypto';
import { type QueryExecutorProvider, sql } from 'kysely';
import { isPostgres } from './migrations/columns.ts';

/**
 * Of each table what writing and reading hang on: its columns, what it holds once, what it finds quickly. The same for
 * SQLite and PostgreSQL, and in words.
 */
export interface Schema {
  readonly tables: ReadonlyMap<string, ReadonlySet<string>>;
  /** Of these, what keeps a row out that has nothing there. */
  readonly demands: ReadonlySet<string>;
}

/** The same for schemas that are the same. */
export const schemaDigestOf = ({ tables }: Schema): string =>
  hash(
    'sha256',
    JSON.stringify([...tables].map(([table, parts]) => [table, ...[...parts].toSorted()]).toSorted()),
  ).slice(0, 12);

/** What keeps a journal with this schema from being one with that; undefined where nothing does. */
export function differenceIn(actual: Schema, expected: Schema): string | undefined {
  for (const [table, parts] of expected.tables) {
    const there = actual.tables.get(table);
    if (there === undefined) return `the table ${table} is missing`;
    const [lacking] = parts.difference(there);
    if (lacking !== undefined) return `the table ${table} is missing the ${lacking}`;
    // An index more, or a column that may be empty, is somebody's own affair.
    const [tooMuch] = there.difference(parts).intersection(actual.demands);
    if (tooMuch !== undefined) return `the table ${table} has the unexpected ${tooMuch}`;
  }
  return undefined;
}

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Booleans of SQLite are numbers. */
  readonly filled: boolean | number;
  readonly given: boolean | number;
  /** SQLite makes no index for a key that is its own number of a row. */
  readonly isKey: boolean | number;
}

interface Key {
  readonly table: string;
  readonly columns: string;
  readonly once: boolean | number;
  readonly partial: boolean | number;
}

export async function schemaOf(database: QueryExecutorProvider): Promise<Schema> {
  const [columns, keys] = isPostgres(database) ? inPostgres : inSqlite;
  const tables = new Map<string, Set<string>>();
  const demands = new Set<string>();
  for (const { table, name, type, filled, given, isKey } of (await columns.execute(database)).rows) {
    const parts = tables.get(table) ?? new Set();
    tables.set(table, parts);
    const held = /int/i.test(type) ? 'number' : type.toLowerCase();
    const part = `column ${name} (${held}${filled ? ', never empty' : ''})`;
    parts.add(part);
    if (filled && !given) demands.add(part);
    if (isKey) parts.add(`unique key (${name})`);
  }
  for (const { table, columns: names, once, partial } of (await keys.execute(database)).rows) {
    const part = `${once ? 'unique key' : 'index'} (${names})${partial ? ' of some rows' : ''}`;
    tables.get(table)?.add(part);
    if (once) demands.add(part);
  }
  return { tables, demands };
}

const inSqlite = [
  sql<Column>`select t.name as "table", c.name, c.type, c."notnull" or c.pk > 0 as filled, c.dflt_value is not null as given,
      c.pk = 1 and c.type = 'integer' collate nocase as "isKey"
    from sqlite_schema t, pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite%' and t.name not like 'kysely%'`,
  sql<Key>`select t.name as "table", i."unique" as once, i.partial,
      (select group_concat(c.name, ', ') from (select name from pragma_index_info(i.name) order by seqno) c) as columns
    from sqlite_schema t, pragma_index_list(t.name) i
    where t.type = 'table' and t.name not like 'sqlite%' and t.name not like 'kysely%'`,
] as const;

const own = sql`pg_table_is_visible(t.oid) and t.relkind in ('r', 'p') and t.relname not like 'kysely%'
    and t.relnamespace::regnamespace::text !~ '^pg_|^information_schema$'`;

const inPostgres = [
  sql<Column>`select t.relname as "table", c.attname as name, format_type(c.atttypid, null) as type,
      c.attnotnull as filled, c.atthasdef as given, false as "isKey"
    from pg_class t join pg_attribute c on c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped
    where ${own}`,
  sql<Key>`select t.relname as "table", i.indisunique as once, i.indpred is not null as partial,
      (select string_agg(c.attname, ', ' order by k.place) from unnest(i.indkey) with ordinality k (number, place)
        join pg_attribute c on c.attrelid = t.oid and c.attnum = k.number) as columns
    from pg_class t join pg_index i on i.indrelid = t.oid and i.indisvalid
    where ${own}`,
] as const;
