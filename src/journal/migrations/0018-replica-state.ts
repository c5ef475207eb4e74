import type { Kysely } from 'kysely';

/** What a replica shows of itself, and the epoch by which it knows that it was evicted. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  // An earlier version shows nothing, and takes what comes for as long as it is there.
  for (const [column, usually] of [
    ['epoch', 0],
    ['taking', 1],
  ] as const) {
    await schema
      .alterTable('replicas')
      .addColumn(column, 'bigint', (definition) => definition.notNull().defaultTo(usually))
      .execute();
  }
  await schema.alterTable('replicas').addColumn('policy', 'text').execute();
  await schema.alterTable('replicas').addColumn('clock_ahead', 'bigint').execute();
}
