import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely';

/** Whether the tables are made in PostgreSQL, and not in SQLite. */
export const isPostgres = (database: Kysely<unknown>): boolean =>
  database.getExecutor().adapter instanceof PostgresAdapter;

/** The type of a number that grows with every row and is never given twice. */
export const growing = (database: Kysely<unknown>) => (isPostgres(database) ? sql`bigserial` : 'integer');

/** And what else belongs to it. */
export const growingKey =
  (database: Kysely<unknown>) =>
  (column: ColumnDefinitionBuilder): ColumnDefinitionBuilder =>
    isPostgres(database) ? column.primaryKey() : column.primaryKey().autoIncrement();
