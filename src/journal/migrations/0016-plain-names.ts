import { type Kysely, sql } from 'kysely';
import { isPostgres } from './columns.ts';

const tables = {
  leases: 'timed_changes',
  owed: 'pending_applies',
  kept: 'tokens',
  sealed: 'encrypted',
  audit_terms: 'audit_index',
} as const;

const columns = [
  ['outbox', 'lane', 'ordering_key'],
  ['outbox', 'in_doubt', 'maybe_delivered'],
  ['actions', 'alike', 'dedupe_key'],
] as const;

const indexes = {
  leases_live: 'timed_changes_live',
  leases_by_action: 'timed_changes_by_action',
  owed_by_appliance: 'pending_applies_by_appliance',
  kept_by_action: 'tokens_by_action',
  kept_by_until: 'tokens_by_until',
  kept_by_result: 'tokens_by_result',
  kept_by_holder: 'tokens_by_holder',
  audit_terms_by_block: 'audit_index_by_block',
  outbox_by_lane: 'outbox_by_ordering_key',
  actions_alike: 'actions_dedupe_key',
} as const;

/** What PostgreSQL has named by itself after its table, and so calls it in errors. SQLite has no names for these. */
const inPostgres = {
  index: {
    leases_pkey: 'timed_changes_pkey',
    owed_pkey: 'pending_applies_pkey',
    kept_pkey: 'tokens_pkey',
    kept_token_key: 'tokens_token_key',
    sealed_pkey: 'encrypted_pkey',
    audit_terms_pk: 'audit_index_pk',
  },
  sequence: {
    leases_id_seq: 'timed_changes_id_seq',
    owed_id_seq: 'pending_applies_id_seq',
    kept_id_seq: 'tokens_id_seq',
  },
} as const;

/** Tables and columns are called as everybody calls such things. No row changes. */
export async function up(database: Kysely<unknown>): Promise<void> {
  const { schema } = database;
  for (const [former, name] of Object.entries(tables)) {
    await schema.alterTable(former).renameTo(name).execute();
  }
  for (const [table, former, name] of columns) {
    await schema.alterTable(table).renameColumn(former, name).execute();
  }
  for (const [former, name] of Object.entries(indexes)) await renameIndex(database, former, name);
  if (!isPostgres(database)) return;
  for (const [kind, names] of Object.entries(inPostgres)) {
    for (const [former, name] of Object.entries(names)) {
      await sql`alter ${sql.raw(kind)} ${sql.ref(former)} rename to ${sql.ref(name)}`.execute(database);
    }
  }
}

async function renameIndex(database: Kysely<unknown>, former: string, name: string): Promise<void> {
  if (isPostgres(database)) {
    await sql`alter index ${sql.ref(former)} rename to ${sql.ref(name)}`.execute(database);
    return;
  }
  // SQLite renames no index, but it keeps how each is made, where it has renamed the table and the columns already.
  const { rows } = await sql<{ made: string }>`select sql as made from sqlite_schema
    where type = 'index' and name = ${former}`.execute(database);
  const made = rows[0]?.made.replace(`"${former}"`, () => `"${name}"`);
  if (made === undefined) throw new Error(`There is no index ${former}.`);
  await database.schema.dropIndex(former).execute();
  await sql.raw(made).execute(database);
}
