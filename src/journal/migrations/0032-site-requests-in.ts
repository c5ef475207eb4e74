import type { Kysely } from 'kysely';

/** What is not over in a channel is found without going through what is. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema
    .createIndex('site_requests_in')
    .on('site_requests')
    .columns(['channel', 'state'])
    .execute();
}
