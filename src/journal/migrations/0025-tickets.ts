import type { Kysely } from 'kysely';

/** The ticket that a change is done for, and the change that it takes back: both have the same ticket. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('actions').addColumn('ticket', 'text').execute();
  await database.schema.alterTable('actions').addColumn('undoes', 'text').execute();
}
