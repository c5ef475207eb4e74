import type { Kysely } from 'kysely';

/** How far the bot itself has verified its records, and what it found. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createTable('audit_verified')
    .addColumn('part', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('broken', 'text')
    .execute();
}
