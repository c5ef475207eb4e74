import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { steadyNow } from '../../test/steady-clock.ts';
import type { Database } from './database.ts';
import { migrate } from './migrate.ts';
import type { Survives } from './storage/group-commit.ts';
import { openDatabase } from './storage/sqlite-connection.ts';

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

test('whoever writes waits for another process while everybody else goes on, and is told at last that it is locked', async () => {
  const file = newFile();
  const database = await open(file);
  const other = new DatabaseSync(file);
  onTestFinished(() => other.close());
  const write = () => sql`update kysely_migration set timestamp = ''`.execute(database);
  other.exec('begin immediate');
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 5);
  const writing = write();
  setTimeout(() => other.exec('commit'), 100);
  await writing;
  clearInterval(timer);
  expect(turns).toBeGreaterThan(5);
  other.exec('begin immediate');
  await expect(write()).rejects.toMatchObject({ name: 'JournalUnavailable', trouble: 'locked' });
  const began = steadyNow();
  await expect(write(), 'nobody else waits for it in turn').rejects.toMatchObject({ trouble: 'locked' });
  expect(steadyNow() - began).toBeLessThan(2_000);
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
    'what is pending on an appliance',
    'pending_applies_by_appliance (appliance=?',
    "pending_applies where appliance = 'hq' and held_by is null",
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
  await expect(migrate(openDatabase(file, 'power_cut'))).rejects.toMatchObject({
    trouble: 'corrupt',
    cause: { message: 'file is not a database' },
  });
});

describe('in a commit that several share', () => {
  const token = (name: string) => ({
    ...{ token: name, kind: 'offer' as const, content_json: '{}', channel: 'C1', until: 1, searches: 0 },
  });
  const add = (database: Database, name: string) =>
    database.insertInto('tokens').values(token(name)).execute();
  const kept = async (database: Database) =>
    (await database.selectFrom('tokens').select('token').orderBy('id').execute()).map(
      ({ token: name }) => name,
    );

  test('what one takes back or fails at is not there, and what the others wrote is', async () => {
    const database = await open();
    const fails = database.transaction().execute(async (transaction) => {
      await add(transaction, 'taken back');
      throw new Error('for a reason of its own');
    });
    const all = await Promise.allSettled([
      add(database, 'first'),
      fails,
      add(database, 'first'),
      database.transaction().execute((transaction) => add(transaction, 'second')),
      add(database, 'third'),
    ]);
    expect(all.map(({ status }) => status)).toEqual([
      ...['fulfilled', 'rejected', 'rejected', 'fulfilled', 'fulfilled'],
    ]);
    expect(await kept(database)).toEqual(['first', 'second', 'third']);
  });

  test('the first may take back what it wrote, too', async () => {
    const database = await open();
    const fails = database.transaction().execute(async (transaction) => {
      await add(transaction, 'taken back');
      throw new Error('for a reason of its own');
    });
    await Promise.allSettled([fails, add(database, 'other')]);
    expect(await kept(database)).toEqual(['other']);
  });

  test('what is written before it is closed is there when it is opened again', async () => {
    const file = newFile();
    const first = openDatabase(file, 'crash');
    await migrate(first);
    const writing = add(first, 'last');
    // So far that it is written, and not yet that it is committed.
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    await first.destroy();
    await writing;
    expect(await kept(await open(file))).toEqual(['last']);
  });

  test('nobody hears that something was written that there was no room for', async () => {
    const database = await open(newFile(), 'crash');
    await add(database, 'before');
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(database);
    await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 2}`).execute(database);
    const names = ['small', 'x'.repeat(100_000), 'after'];
    const all = await Promise.allSettled(names.map((name) => add(database, name)));
    const heard = names.filter((_, index) => all[index]?.status === 'fulfilled');
    expect(all[1]?.status).toBe('rejected');
    expect(await kept(database)).toEqual(['before', ...heard]);
  });
});
