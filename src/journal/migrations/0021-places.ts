import { type Kysely, sql } from 'kysely';

/** Where a line was asked that was not typed into its channel itself; and what a message is the card of, and what people call an action. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('actions').addColumn('thread', 'text').execute();
  await database.schema.alterTable('actions').addColumn('direct', 'text').execute();
  await database.schema.alterTable('actions').addColumn('reference', 'text').execute();
  // What somebody did, for their own page.
  await database.schema
    .createIndex('actions_by_person')
    .on('actions')
    .columns(['person', 'created_at'])
    .execute();
  for (const column of ['card', 'thread', 'direct', 'reference']) {
    const index = database.schema.createIndex(`actions_by_${column}`).on('actions');
    await index.columns([column, 'created_at']).where(sql.ref(column), 'is not', null).execute();
  }
}
