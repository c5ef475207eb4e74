import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { type Database, migrate, openDatabase, type Survives } from './database.ts';

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

test('what still owes something is found by an index', async () => {
  const { rows } = await sql<{
    detail: string;
  }>`explain query plan select * from actions where state = ${'waiting'} and expires_at <= ${5}`.execute(
    await open(),
  );
  expect(rows.map(({ detail }) => detail).join()).toContain('actions_by_state');
});

test('a file that is no journal is refused, not overwritten', async () => {
  const file = newFile();
  writeFileSync(file, 'this is a letter, not a database '.repeat(200));
  expect(() => openDatabase(file, 'power_cut')).toThrow(/not a database/);
});
