import {
  type ColumnDefinitionBuilder,
  type Kysely,
  PostgresAdapter,
  type QueryExecutorProvider,
  sql,
} from 'kysely';

/** Whether the tables are made in PostgreSQL, and not in SQLite. */
export const isPostgres = (database: QueryExecutorProvider): boolean =>
  database.getExecutor().adapter instanceof PostgresAdapter;

/** The type of a number that grows with every row and is never given twice. */
export const growing = (database: Kysely<unknown>) => (isPostgres(database) ? sql`bigserial` : 'integer');

/** And what else belongs to it. */
export const growingKey =
  (database: Kysely<unknown>) =>
  (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    isPostgres(database) ? column.primaryKey() : column.primaryKey().autoIncrement();

/** The names of a table's columns; none where there is no such table. */
export async function columnsOf(
  database: QueryExecutorProvider,
  table: string,
): Promise<ReadonlySet<string>> {
  const columns = isPostgres(database)
    ? sql<{ name: string }>`select attname as name from pg_attribute
        where attrelid = to_regclass(${table}) and attnum > 0 and not attisdropped`
    : sql<{ name: string }>`select name from pragma_table_info(${table})`;
  const { rows } = await columns.execute(database);
  return new Set(rows.map(({ name }) => name));
}
