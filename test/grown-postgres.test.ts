import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { moveJournal } from '../cli/journal/move-journal.ts';
import { growing, grown, live } from './grown-day.ts';
import { newPostgres } from './stores.ts';

/** How many rows of each table were looked at on a day, in the table or in one of its indices. */
type Looked = ReadonlyMap<string, number>;

/** Ways of reading that pay for small tables only: without them, all rows are looked at of what no index serves. */
const onlySmall = ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin'];

async function lookedAt(actions: number): Promise<Looked> {
  const url = await newPostgres();
  const client = new pg.Client(url);
  await client.connect();
  const database = `alter database ${pg.escapeIdentifier(new URL(url).pathname.slice(1))}`;
  onTestFinished(async () => {
    // Other tests have it after this one.
    await client.query(`${database} reset all`);
    await client.end();
  });
  const folder = mkdtempSync(join(tmpdir(), 'grown-'));
  const file = join(folder, 'journal.sqlite');
  await grown(file, actions);
  await moveJournal({ folder, file }, url, () => undefined);
  await client.query('analyze');
  rmSync(folder, { recursive: true, force: true });
  for (const one of onlySmall) await client.query(`${database} set ${one} = off`);
  await client.query('select pg_stat_reset()');
  const { stop } = await live(actions, { environment: { DATABASE_URL: url } });
  // PostgreSQL counts a connection's reads when it ends.
  await stop();
  await expect.poll(() => connectionsOf(client)).toBe(1);
  const { rows } = await client.query<{ name: string; looked: string }>(
    `select t.relname as name, t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0) as looked
      from pg_stat_user_tables t left join pg_stat_user_indexes i using (relid) group by t.relid, t.relname, t.seq_tup_read`,
  );
  return new Map(rows.map(({ name, looked }) => [name, Number(looked)]));
}

async function connectionsOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    'select count(*)::int as count from pg_stat_activity where datname = current_database()',
  );
  return rows[0]?.count;
}

test('a day reads as much of a PostgreSQL journal after three times as many actions', async () => {
  const [small, large] = [await lookedAt(2_000), await lookedAt(6_000)];
  const table = growing.map((name) => ({ name, small: small.get(name) ?? 0, large: large.get(name) ?? 0 }));
  expect(table.filter((one) => one.large > 1.3 * one.small + 300)).toEqual([]);
}, 400_000);

test('PostgreSQL cleans up after so many rows have changed, however many there are', async () => {
  const client = new pg.Client(await newPostgres());
  await client.connect();
  onTestFinished(() => client.end());
  const { rows } = await client.query(
    "select relname as name, reloptions::text as options from pg_class where relkind = 'r' and relname = any($1)",
    [['actions', 'audit', 'audit_index', 'events', 'tokens', 'timed_changes']],
  );
  expect(rows).toHaveLength(6);
  for (const { options } of rows) expect(options).toContain('autovacuum_vacuum_scale_factor=0,');
});
