import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  type DatabaseConnection,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
  sql,
} from 'kysely';
import { type Database, migrate, type Store } from './database.ts';
import { storable } from './storable.ts';
import type { Tables } from './tables.ts';
import { createTurns, type Turns } from './turns.ts';

/** What a commit outlives: a crash of the process, or a power cut too, for which it waits until it is on disk. */
export type Survives = 'crash' | 'power_cut';

/** Opens the embedded journal in a file. */
export function openSqlite(file: string, open: typeof openDatabase = openDatabase): Store {
  const all = createTurns();
  let usedAt = performance.now();
  const turns: Turns = {
    ...all,
    take: (key) => {
      usedAt = performance.now();
      return all.take(key);
    },
  };
  const durable = open(file, 'power_cut', turns);
  const quick = open(file, 'crash', turns);
  const stopTidying = whenCalm(
    () => usedAt,
    () => sql`pragma wal_checkpoint(passive)`.execute(quick),
  );
  return {
    durable,
    quick,
    isShared: false,
    among: (ids) => sql<number>`(select value from json_each(${JSON.stringify(ids)}))`,
    // One process, and one of its transactions at a time.
    claiming: (query) => query,
    exclusively: async (key, patience, task) => {
      const end = await turns.takeWithin(`exclusively ${key}`, patience);
      if (end === undefined) return undefined;
      try {
        return { value: await task() };
      } finally {
        end();
      }
    },
    changeAndAdd: (database, change, added) =>
      database.transaction().execute(async (transaction) => {
        const changed = await change(transaction).executeTakeFirst();
        if (changed === undefined) return undefined;
        for (const [table, rows] of Object.entries(added)) {
          // The tables and their rows belong together (`Added`).
          await transaction
            .insertInto(table as keyof Tables)
            .values(rows)
            .execute();
        }
        return changed;
      }),
    inTurn: async () => undefined,
    migrate: () => migrate(durable),
    close: async () => {
      stopTidying();
      await quick.destroy();
      await durable.destroy();
    },
  };
}

/** So long nobody has used the journal, in milliseconds. */
const calm = 250;

/** Does something every time when the journal was used and is not any more. Returns what ends that. */
function whenCalm(usedAt: () => number, tidy: () => Promise<unknown>): () => void {
  let tidiedAt = 0;
  const timer = setInterval(() => {
    if (usedAt() <= tidiedAt || performance.now() - usedAt() < calm) return;
    const done = () => {
      // What it does itself is no use of the journal.
      tidiedAt = usedAt();
    };
    // What could not be done now is done the next time, or by whoever fills the log.
    tidy().then(done, done);
  }, calm);
  timer.unref();
  return () => clearInterval(timer);
}

/** One connection to the file. What is done on those that share their turns is done one after the other. */
export function openDatabase(file: string, survives: Survives, turns: Turns = createTurns()): Database {
  // With the first query: what was never used is closed by Kysely as if it had not been opened.
  const connect = async () => {
    const sqlite = new DatabaseSync(file, { timeout: 5_000 });
    sqlite.exec(pragmasFor(survives));
    return forKysely(sqlite);
  };
  return new Kysely<Tables>({ dialect: new Dialect(connect, turns) });
}

/**
 * A checkpoint waits for the disk while everybody waits for it. One comes when it is calm (`whenCalm`); only where it never
 * is, the log grows to some 80 MB, and whoever is next waits. A larger one would make every commit slower: what is written
 * where something stood before is sooner on the disk than what the file has to grow for.
 */
export const pragmasFor = (survives: Survives): string => `
  pragma journal_mode = wal;
  pragma synchronous = ${survives === 'power_cut' ? 'full' : 'normal'};
  pragma foreign_keys = on;
  pragma wal_autocheckpoint = 20000;`;

class Dialect extends SqliteDialect {
  readonly #connect: () => Promise<SqliteDatabase>;
  readonly #turns: Turns;

  constructor(connect: () => Promise<SqliteDatabase>, turns: Turns) {
    super({ database: connect });
    this.#connect = connect;
    this.#turns = turns;
  }

  override createDriver(): SqliteDriver {
    return new Driver(this.#connect, this.#turns);
  }
}

/**
 * A transaction is open across several turns of the event loop. SQLite would have anything else that writes wait for
 * it, and the event loop with it, so that the transaction could not go on: hence whoever is next waits here.
 */
class Driver extends SqliteDriver {
  readonly #turns: Turns;
  #end: (() => void) | undefined;

  constructor(connect: () => Promise<SqliteDatabase>, turns: Turns) {
    super({ database: connect });
    this.#turns = turns;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const end = await this.#turns.take('connection');
    this.#end = end;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection();
    this.#end?.();
  }
}

/** Kysely's SQLite dialect is written for better-sqlite3; `node:sqlite` differs in how parameters are passed. */
function forKysely(sqlite: DatabaseSync): SqliteDatabase {
  // The bot's queries are a fixed, small set, so each is prepared once.
  const prepared = new Map<string, SqliteStatement>();
  const prepare = (text: string): SqliteStatement => {
    const statement = sqlite.prepare(text);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...bindable(parameters)),
      run: (parameters) => statement.run(...bindable(parameters)),
      iterate: (parameters) => statement.iterate(...bindable(parameters)),
    };
  };
  return {
    close: () => sqlite.close(),
    prepare: (text) => {
      const statement = prepared.get(text) ?? prepare(text);
      prepared.set(text, statement);
      return statement;
    },
  };
}

// Kysely only passes on what the typed queries bind; its interface says `unknown`.
const bindable = (parameters: readonly unknown[]): readonly SQLInputValue[] =>
  parameters.map(storable) as SQLInputValue[];
