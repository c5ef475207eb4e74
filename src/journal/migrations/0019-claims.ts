import { type Kysely, sql } from 'kysely';

const renamed = [
  ['timed_changes', 'claimed_by', 'held_by'],
  ['timed_changes', 'failures', 'tries'],
  ['timed_changes', 'next_at', 'next_try_at'],
  ['pending_applies', 'claimed_by', 'held_by'],
  ['pending_applies', 'attempts', 'tries'],
  ['pending_applies', 'next_at', 'next_try_at'],
  ['outbox', 'next_at', 'next_try_at'],
] as const;

const held = ['outbox', 'pending_applies', 'timed_changes', 'tokens', 'deliveries', 'actions'] as const;

/** One set of columns for what a replica holds while it is at it, and for what is tried until it works. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  for (const [table, former, name] of renamed) {
    await schema.alterTable(table).renameColumn(former, name).execute();
  }
  for (const table of held) {
    await schema.alterTable(table).addColumn('held_since', 'bigint').execute();
  }
  // A claim ends with whoever holds it, and not at a time by somebody's clock.
  await schema.alterTable('timed_changes').dropColumn('claimed_until').execute();
  // What is being applied is what somebody holds.
  await sql`update pending_applies set held_by = null where state = 'owed'`.execute(database);
  await sql`update pending_applies set held_by = '' where state = 'applying' and held_by is null`.execute(
    database,
  );
  await schema.dropIndex('pending_applies_by_appliance').execute();
  await schema.alterTable('pending_applies').dropColumn('state').execute();
  await schema
    .createIndex('pending_applies_by_appliance')
    .on('pending_applies')
    .columns(['appliance', 'id'])
    .execute();
}
