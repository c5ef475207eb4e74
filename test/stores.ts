import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import type { Store } from '../src/journal/database.ts';
import { newId } from '../src/journal/id.ts';
import { type Journal, openJournal } from '../src/journal/journal.ts';
import { createGroupCommit } from '../src/journal/storage/group-commit.ts';
import { openPostgres } from '../src/journal/storage/postgres.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { unsynced } from './unsynced.ts';

/** A place for a journal. Opened again it is the same one, as for a second process or the next. */
export type Place = (replica?: string) => Store;

/** A kind of store. */
export interface Kind {
  readonly store: 'SQLite' | 'PostgreSQL';
  /** Empty, and for this test only. */
  readonly newPlace: () => Promise<Place>;
  /** For this test only as well, and without a table. */
  readonly emptyPlace: () => Promise<Place>;
  /** Opens a journal, in a new place by default; it is closed with the test. */
  readonly open: (
    place?: Place | Promise<Place>,
    clock?: { readonly at: number },
    replica?: string,
  ) => Promise<Journal>;
}

/** Both, for `describe.each`. */
export const stores: readonly Kind[] = [
  kind('SQLite', {
    newPlace: async () => sqlitePlace(),
    // Its tables are made when it is opened.
    emptyPlace: async () => sqlitePlace(),
  }),
  kind('PostgreSQL', {
    newPlace: async () => postgresPlace(await newPostgres()),
    emptyPlace: async () => postgresPlace(await emptyPostgres()),
  }),
];

function kind(store: Kind['store'], { newPlace, emptyPlace }: Pick<Kind, 'newPlace' | 'emptyPlace'>): Kind {
  return {
    store,
    newPlace,
    emptyPlace,
    open: async (place = newPlace(), clock = { at: 1_000 }, replica = undefined) => {
      const journal = await openJournal((await place)(), () => clock.at, replica);
      onTestFinished(() => journal.close().catch(() => undefined));
      return journal;
    },
  };
}

function sqlitePlace(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'journal.sqlite');
  // Several processes share this one, and would block each other in the middle of a commit.
  const commits = createGroupCommit();
  return () => openSqlite(file, (_, parts) => unsynced(file, { ...parts, commits }));
}

const postgresPlace =
  (url: string): Place =>
  (replica) =>
    openPostgres(url, replica);

const template = `${inject('databases')}_as_made`;
/** Databases of earlier tests, emptied: emptying one takes a fifth of the time of making one. */
const free: string[] = [];

/**
 * Takes everything out of a journal's tables, and counts from 1 again. `truncate` makes new files for a table and all that
 * belongs to it, which takes ten times as long as to delete some rows; only where much was written it is worth that.
 */
const emptied = `do $$
  declare one record;
  begin
    -- Whichever table is first: what refers to it goes, too.
    set local session_replication_role = replica;
    for one in select format('%I', tablename) as name from pg_tables
      where schemaname = 'public' and tablename not like 'kysely%' loop
      if pg_relation_size(one.name::regclass) > 65536 then execute 'truncate ' || one.name || ' cascade';
      else execute 'delete from ' || one.name;
      end if;
    end loop;
    for one in select format('%I', sequencename) as name from pg_sequences where schemaname = 'public' loop
      perform setval(one.name::regclass, 1, false);
    end loop;
  end $$`;

/** What a test may have altered besides rows: columns, triggers and functions. */
const shape = `select md5(string_agg(part, ',' order by part)) as shape from (
  select concat_ws(' ', relname, attname, atttypid) as part from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace
  union all select concat_ws(' ', tgname, tgrelid::regclass) from pg_trigger where not tgisinternal
  union all select concat_ws(' ', proname, prosrc) from pg_proc where pronamespace = 'public'::regnamespace) as parts`;
let shapeAsMade: unknown;

const readShape = async (client: pg.Client): Promise<unknown> =>
  (await client.query<{ readonly shape: string }>(shape)).rows[0]?.shape;

/** The address of a PostgreSQL database with an empty journal, for this test only. */
export async function newPostgres(): Promise<string> {
  const { url, giveBack } = await takePostgres();
  onTestFinished(giveBack);
  return url;
}

/** The same for as long as it is not given back: a test may need hundreds. */
export async function takePostgres(): Promise<{
  readonly url: string;
  readonly giveBack: () => Promise<void>;
}> {
  const server = await address();
  const name = free.pop() ?? (await create(server));
  const url = `${server}${name}`;
  const giveBack = async () => {
    await withClient(url, async (client) => {
      // An open connection here belongs to a process that the test let die.
      await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
      // A trigger of an earlier test would fire in a later one.
      if ((await readShape(client)) !== shapeAsMade) return;
      await client.query(emptied);
      free.push(name);
    });
  };
  return { url, giveBack };
}

async function create(server: string): Promise<string> {
  const name = newName();
  await withClient(`${server}postgres`, async (client) => {
    // One of the processes that run tests makes it, and the others wait for it.
    await client.query('select pg_advisory_lock(1)');
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 0) {
      const url = `${server}${template}`;
      await client.query(`create database "${template}"`);
      await (await openJournal(openPostgres(url), Date.now)).close();
      // Each journal that is made of it gets a name of its own.
      await withClient(url, async (made) => void (await made.query('truncate generations')));
    }
    await client.query(`create database "${name}" template "${template}"`);
  });
  if (shapeAsMade === undefined)
    await withClient(`${server}${name}`, async (client) => {
      shapeAsMade = await readShape(client);
    });
  return name;
}

/** The address of a PostgreSQL database in which nothing is, for this test only. */
export async function emptyPostgres(): Promise<string> {
  const server = await address();
  const name = newName();
  const run = (order: string) =>
    withClient(`${server}postgres`, async (client) => void (await client.query(`${order} "${name}"`)));
  await run('create database');
  onTestFinished(() => run('drop database'));
  return `${server}${name}`;
}

const newName = (): string => `${inject('databases')}_${newId().replaceAll('-', '$')}`;

async function address(): Promise<string> {
  const response = await fetch(inject('postgres'));
  const said = await response.text();
  if (!response.ok) throw new Error(said);
  return said;
}

async function withClient(url: string, does: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await does(client);
  } finally {
    await client.end();
  }
}
