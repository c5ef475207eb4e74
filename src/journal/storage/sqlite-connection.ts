import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import {
  type DatabaseConnection,
  Kysely,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from 'kysely';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';
import { createSerialQueue, type SerialQueue } from './serial-queue.ts';
import { storable } from './storable.ts';

/** What a commit outlives: a crash of the process, or a power cut too, for which it waits until it is on disk. */
export type Survives = 'crash' | 'power_cut';

/** One connection to the file. What is done on those that share their turns is done one after the other. */
export function openDatabase(
  file: string,
  survives: Survives,
  serialQueue: SerialQueue = createSerialQueue(),
): Database {
  // With the first query: what was never used is closed by Kysely as if it had not been opened.
  const connect = async () => {
    const sqlite = new DatabaseSync(file, { timeout: 5_000 });
    sqlite.exec(pragmasFor(survives));
    return forKysely(sqlite);
  };
  return new Kysely<Tables>({ dialect: new Dialect(connect, serialQueue) });
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
  readonly #turns: SerialQueue;

  constructor(connect: () => Promise<SqliteDatabase>, serialQueue: SerialQueue) {
    super({ database: connect });
    this.#connect = connect;
    this.#turns = serialQueue;
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
  readonly #turns: SerialQueue;
  #end: (() => void) | undefined;

  constructor(connect: () => Promise<SqliteDatabase>, serialQueue: SerialQueue) {
    super({ database: connect });
    this.#turns = serialQueue;
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
