import { closeSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../../src/journal/database.ts';
import { CannotMigrate } from '../../src/journal/migrate.ts';
import { takeLock } from '../../src/journal/storage/lock.ts';
import { openPostgresPatiently } from '../../src/journal/storage/postgres.ts';
import { obstacleIn } from '../../src/journal/storage/postgres-check.ts';
import { openSqlite } from '../../src/journal/storage/sqlite.ts';
import { storable } from '../../src/journal/storage/storable.ts';
import { JournalUnavailable } from '../../src/journal/unavailable.ts';
import { isUpToDate, type JournalFile, NotDone, openToRead } from './journal-file.ts';

/** How many rows of each table were copied. */
export type CopiedRows = ReadonlyMap<string, number>;

/** The size of a batch: so many rows, or as many as hold so many characters. */
const batch = { rows: 1_000, characters: 1_000_000 };

/**
 * Copies an embedded journal into an empty PostgreSQL: all of it or nothing, compared before it counts. The embedded one
 * stays as it is; `leaveMark` says beside it that it has moved, before anybody else can open it. @throws NotDone
 */
export async function moveJournal(
  { folder, file }: JournalFile,
  url: string,
  leaveMark: () => void,
): Promise<CopiedRows> {
  const lock = takeLock(join(folder, 'lock.sqlite'));
  if (lock === undefined) {
    throw new NotDone(
      `A bot is running on ${folder}. Stop it first: changes during the migration would be lost.`,
    );
  }
  try {
    const copied = await copyFrom(file, url);
    leaveMark();
    return copied;
  } finally {
    lock.release();
  }
}

async function copyFrom(file: string, url: string): Promise<CopiedRows> {
  const source = openToRead(file);
  try {
    if (isUpToDate(source)) return await copyAll(source, url);
  } finally {
    source.close();
  }
  return withUpToDate(file, (copy) => copyAll(copy, url));
}

/** An earlier version's journal is brought up to date in a copy, for it stays as it is. */
async function withUpToDate<Value>(
  file: string,
  task: (journal: DatabaseSync) => Promise<Value>,
): Promise<Value> {
  const copy = `${file}.moving`;
  const remove = () => {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${copy}${suffix}`, { force: true });
  };
  remove();
  try {
    const old = openToRead(file);
    closeSync(openSync(copy, 'w', 0o600));
    old.prepare('vacuum into ?').run(copy);
    old.close();
    const store = openSqlite(copy);
    try {
      await store.migrate();
    } catch (error) {
      if (!(error instanceof CannotMigrate)) throw error;
      throw new NotDone(
        `The journal cannot be updated to this version: ${error.message}. Nothing was migrated.`,
      );
    } finally {
      await store.close();
    }
    const source = openToRead(copy);
    try {
      return await task(source);
    } finally {
      source.close();
    }
  } finally {
    remove();
  }
}

async function copyAll(source: DatabaseSync, url: string): Promise<CopiedRows> {
  const store = openPostgresPatiently(url);
  try {
    const obstacle = await obstacleIn(url);
    if (obstacle !== undefined) throw new NotDone(`The database ${obstacle}. Nothing was migrated.`);
    const tables = tablesIn(source);
    await mustBeEmpty(store.durable, tables);
    await store.migrate();
    const moved = await store.durable.transaction().execute(async (target) => {
      // A bot that is started on it meanwhile waits, and finds all or nothing.
      const names = sql.join(tables.map((name) => sql.table(name)));
      await sql`lock table ${names} in exclusive mode`.execute(target);
      await mustBeEmpty(target, tables);
      await target.deleteFrom('generations').execute();
      const makeIndices = await withoutIndices(target, tables);
      const moved = new Map<string, number>();
      for (const table of tables) {
        // The replicas of the old journal do not move with it.
        if (table !== 'replicas') moved.set(table, await copyTable(source, target, table));
      }
      await makeIndices();
      await setSequences(source, target);
      await compare(source, target, moved);
      return moved;
    });
    // PostgreSQL would otherwise mark the rows at the first questions. The move is complete in any case.
    await sql`vacuum`.execute(store.durable).catch(() => undefined);
    return moved;
  } catch (error) {
    if (error instanceof JournalUnavailable) {
      const { cause } = error;
      const why = cause instanceof Error ? cause.message : cause;
      throw new NotDone(`The database is unreachable: ${why}. Nothing was migrated.`);
    }
    if (error instanceof CannotMigrate) {
      throw new NotDone(`The database cannot be used: ${error.message}. Nothing was migrated.`);
    }
    if (!(error instanceof pg.DatabaseError)) throw error;
    throw new NotDone(`The database returned an error: ${error.message}. Nothing was migrated.`);
  } finally {
    await store.close();
  }
}

const tablesIn = (source: DatabaseSync): readonly string[] =>
  source
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%' order by name",
    )
    .all()
    .map(({ name }) => String(name));

async function mustBeEmpty(target: Database, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    // A bot that was only started there has named its journal; the moved journal keeps its own name.
    if (table === 'generations') continue;
    const found = await sql<{ there: boolean }>`select to_regclass(${table}) is not null as there`.execute(
      target,
    );
    if (found.rows[0]?.there !== true || (await countIn(target, table)) === 0) continue;
    throw new NotDone(
      `The database is not empty: the table ${table} has rows, so a bot has already used it. Choose a new database. Nothing was migrated.`,
    );
  }
}

async function countIn(target: Database, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(
    target,
  );
  return rows[0]?.count ?? 0;
}

/** Drops the indices for the copy: with millions of rows, updating one takes longer than building all of them afterwards. */
async function withoutIndices(target: Database, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows } = await sql<{ name: string; made: string }>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as made from pg_index i
    where i.indrelid in (select to_regclass(name) from json_array_elements_text(${JSON.stringify(tables)}::json) as name)
      and not exists (select from pg_constraint where conindid = i.indexrelid)`.execute(target);
  for (const { name } of rows) await sql.raw(`drop index ${name}`).execute(target);
  return async () => {
    await sql`set local maintenance_work_mem = '256MB'`.execute(target);
    for (const { made } of rows) await sql.raw(made).execute(target);
    // Otherwise the server would not know for a while how much there is, and read accordingly.
    await sql`analyze`.execute(target);
  };
}

/** Resolves to how many rows there were. */
async function copyTable(source: DatabaseSync, target: Database, table: string): Promise<number> {
  let count = 0;
  for (const rows of batches(source, `select * from "${table}"`)) {
    const name = sql.table(table);
    // One parameter for all, which PostgreSQL takes apart by the names and types of the table.
    await sql`insert into ${name} select * from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json)`.execute(
      target,
    );
    count += rows.length;
  }
  return count;
}

type Row = Readonly<Record<string, SQLOutputValue>>;

/** One after the other: a journal of millions does not fit into memory. */
function* batches(source: DatabaseSync, query: string): Generator<readonly Row[]> {
  let rows: Row[] = [];
  let characters = 0;
  for (const row of source.prepare(query).iterate()) {
    // As the bot itself would have written it there.
    const stored = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, storable(value)]));
    rows.push(stored);
    for (const value of Object.values(stored)) characters += typeof value === 'string' ? value.length : 1;
    if (rows.length < batch.rows && characters < batch.characters) continue;
    yield rows;
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}

/** A number that was given once is not given again. */
async function setSequences(source: DatabaseSync, target: Database): Promise<void> {
  for (const { name, seq } of source.prepare('select name, seq from sqlite_sequence').all()) {
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${seq})`.execute(target);
  }
  await sql`select setval(pg_get_serial_sequence('actions', 'asked_seq'), max(greatest(asked_seq, ran_seq))) from actions`.execute(
    target,
  );
}

/** @throws NotDone when there is anything less, or a record of the audit has become another one */
async function compare(source: DatabaseSync, target: Database, moved: CopiedRows): Promise<void> {
  for (const [table, count] of moved) {
    const there = await countIn(target, table);
    if (there !== count) {
      throw new NotDone(
        `The table ${table} has ${count} rows, but ${there} after the copy. Nothing was migrated.`,
      );
    }
  }
  const query = 'select seq, action, at, record_json, digest from audit order by seq';
  for (const rows of batches(source, query)) {
    const there = await target
      .selectFrom('audit')
      .select(['seq', 'action', 'at', 'record_json', 'digest'])
      .where('seq', '>=', Number(rows[0]?.seq))
      .orderBy('seq')
      .limit(rows.length)
      .execute();
    if (JSON.stringify(there) !== JSON.stringify(rows)) {
      throw new NotDone('The audit records differ after the copy. Nothing was migrated.');
    }
  }
}
