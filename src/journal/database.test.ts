import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from './storage/sqlite.ts';
import { openDatabase, type Survives } from './storage/sqlite-connection.ts';

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'database-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'journal.sqlite');
}

async function open(file = newFile(), survives: Survives = 'power_cut'): Promise<Database> {
  const database = openDatabase(file, survives);
  await migrate(database);
  onTestFinished(() => database.destroy());
  return database;
}

async function pragma(database: Database, name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(database);
  return Object.values(rows[0] ?? {})[0];
}

test('what is committed is on disk: write-ahead log, full synchronisation', async () => {
  const database = await open();
  expect(await pragma(database, 'journal_mode')).toBe('wal');
  expect(await pragma(database, 'synchronous')).toBe(2);
  expect(await pragma(database, 'foreign_keys')).toBe(1);
});

test('what need only outlive a crash of the process does not wait for the disk', async () => {
  const database = await open(newFile(), 'crash');
  expect(await pragma(database, 'journal_mode')).toBe('wal');
  expect(await pragma(database, 'synchronous')).toBe(1);
});

test('what was written moves from the log into the file when nobody has used it for a moment', async () => {
  const file = newFile();
  const store = openSqlite(file);
  onTestFinished(() => store.close());
  /** As the file is without its log. */
  const tables = () => {
    copyFileSync(file, `${file}.alone`);
    const alone = new DatabaseSync(`${file}.alone`);
    try {
      return alone.prepare('select name from sqlite_schema').all().length;
    } finally {
      alone.close();
    }
  };
  await store.migrate();
  expect(tables()).toBe(0);
  await expect.poll(tables).toBeGreaterThan(10);
});

test('a second process waits for the first instead of failing', async () => {
  expect(await pragma(await open(), 'busy_timeout')).toBe(5_000);
});

test('a journal that is up to date is opened again without a change', async () => {
  const file = newFile();
  const first = openDatabase(file, 'power_cut');
  await migrate(first);
  const tables = async (database: Database) =>
    (await sql<{ sql: string }>`select sql from sqlite_master order by name`.execute(database)).rows;
  const before = await tables(first);
  await first.destroy();
  expect(await tables(await open(file))).toEqual(before);
});

test.each([
  [
    'actions that still owe something',
    'actions_by_state',
    "actions where state = 'waiting' and expires_at <= 5",
  ],
  ['what a token stands for', 'token=?', "tokens where token = 'a' and until > 5"],
  [
    'the offers of an action',
    'tokens_by_action',
    "tokens where action = 'a' and kind = 'offer' and until > 5",
  ],
  ['what is kept and over', 'tokens_by_until', 'tokens where until <= 5'],
  [
    'what an appliance is owed',
    'pending_applies_by_appliance (appliance=?',
    "pending_applies where appliance = 'hq' and state = 'owed'",
  ],
])('an index finds %s', async (_, index, rows) => {
  const plan = sql.raw<{ detail: string }>(`explain query plan select * from ${rows}`);
  const { rows: steps } = await plan.execute(await open());
  expect(steps.map(({ detail }) => detail).join()).toMatch(/^SEARCH/);
  expect(steps.map(({ detail }) => detail).join()).toContain(index);
});

test('a file that is no journal is refused, not overwritten', async () => {
  const file = newFile();
  writeFileSync(file, 'this is a letter, not a database '.repeat(200));
  await expect(migrate(openDatabase(file, 'power_cut'))).rejects.toThrow(/not a database/);
});
