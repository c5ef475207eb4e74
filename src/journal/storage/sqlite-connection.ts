import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
  type TransactionSettings,
} from 'kysely';
import type { Database } from '../database.ts';
import { createFileKeeper, type FileKeeper, type Reopenable } from '../file/keeper.ts';
import { troubleIn } from '../file/sqlite-error.ts';
import type { Tables } from '../tables.ts';
import { type Committing, createGroupCommit, type GroupCommit } from './group-commit.ts';
import { storable } from './storable.ts';

/** What a commit outlives: a crash of the process, or a power cut too, for which it waits until it is on disk. */
export type Survives = 'crash' | 'power_cut';

/** One connection to the file. What is done on those that share their commits is done one after the other. */
export function openDatabase(
  file: string,
  survives: Survives,
  commits: GroupCommit = createGroupCommit(),
  keeper: FileKeeper = createFileKeeper(file),
  pragmas = pragmasFor(survives),
): Database {
  return new Kysely<Tables>({ dialect: new Dialect({ file, survives, commits, keeper, pragmas }) });
}

/** So long another process is waited for while the connection opens, in milliseconds; nobody has asked for anything yet. */
const openTimeout = 5_000;

/**
 * A checkpoint waits for the disk while everybody waits for it. One comes when it is calm (`whenCalm`), and where it never is,
 * when the log is long (`isLogLong`); SQLite's own, at some 80 MB, is for when neither could be. A larger one would make every commit slower: what is written
 * where something stood before is sooner on the disk than what the file has to grow for. For other processes nobody waits
 * inside of SQLite (`PatientConnection`).
 */
export const pragmasFor = (survives: Survives): string => `
  pragma journal_mode = wal;
  pragma synchronous = ${survives === 'power_cut' ? 'full' : 'normal'};
  pragma foreign_keys = on;
  pragma wal_autocheckpoint = 20000;
  pragma busy_timeout = 0;`;

interface ConnectionParts {
  readonly file: string;
  readonly survives: Survives;
  readonly commits: GroupCommit;
  readonly keeper: FileKeeper;
  readonly pragmas: string;
}

class Dialect extends SqliteDialect {
  readonly #parts: ConnectionParts;

  constructor(parts: ConnectionParts) {
    // Opened by its driver.
    super({ database: () => Promise.reject(new Error('The driver opens the connection')) });
    this.#parts = parts;
  }

  override createDriver(): SqliteDriver {
    return new Driver(this.#parts, createConnection(this.#parts));
  }

  override createAdapter(): SqliteAdapter {
    return new Adapter();
  }
}

/** Kysely would let the next one begin only when the one before has heard that it is committed. */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * A transaction is open across several turns of the event loop. SQLite would have anything else that writes wait for
 * it, and the event loop with it, so that the transaction could not go on: hence whoever is next waits here.
 */
class Driver extends SqliteDriver {
  readonly #parts: ConnectionParts;
  readonly #connection: Connection;
  #patient: DatabaseConnection | undefined;
  #end: (() => Promise<void>) | undefined;
  /** Whether the transaction that is open is all that the commit would bring so far. */
  #isAlone = false;

  constructor(parts: ConnectionParts, connection: Connection) {
    // With the first query: what was never used is closed by Kysely as if it had not been opened.
    super({ database: async () => connection.connect() });
    this.#parts = parts;
    this.#connection = connection;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#end = await this.#parts.commits.take(this.#connection);
    this.#patient ??= new PatientConnection(await super.acquireConnection(), this.#parts);
    return this.#patient;
  }

  override async releaseConnection(): Promise<void> {
    try {
      await this.#end?.();
    } catch (error) {
      throw this.#parts.keeper.explain(error);
    }
  }

  /** Whoever writes has to wait for other processes before it begins, and not in the middle: what it has read would be old. */
  override async beginTransaction(
    _: DatabaseConnection,
    { isolationLevel }: TransactionSettings = {},
  ): Promise<void> {
    // Only what looks at a moment names a level.
    const begin = isolationLevel === undefined ? 'begin immediate' : 'begin';
    const { commits } = this.#parts;
    this.#isAlone = await patiently(this.#parts, () => commits.open(this.#connection, begin));
    if (!this.#isAlone) this.#connection.run('savepoint one');
  }

  override async commitTransaction(): Promise<void> {
    if (!this.#isAlone) this.#connection.run('release one');
  }

  override async rollbackTransaction(): Promise<void> {
    // Some failures have ended it already, with all that others have written: on a disk that is full, SQLite does so.
    if (!this.#connection.isOpen()) return;
    if (this.#isAlone) return this.#parts.commits.abandon();
    this.#connection.run('rollback to one');
    this.#connection.run('release one');
  }

  override async destroy(): Promise<void> {
    this.#parts.commits.close(this.#connection);
    await super.destroy();
  }
}

/**
 * Waits for a lock that another process has, while others go on: SQLite itself would wait in the middle of everything. What
 * cannot be used is told as `JournalUnavailable`.
 */
async function patiently<Value>(
  { keeper, survives }: ConnectionParts,
  use: () => Value | Promise<Value>,
): Promise<Value> {
  // What an order is written down with before it leaves is nothing where nobody will ever find it.
  if (survives === 'power_cut') keeper.look();
  keeper.admit();
  const until = performance.now() + keeper.patience();
  for (let pause = 1; ; pause = Math.min(2 * pause, 50)) {
    try {
      return await use();
    } catch (error) {
      if (troubleIn(error) !== 'locked' || performance.now() > until) throw keeper.explain(error);
      await sleep(pause);
    }
  }
}

class PatientConnection implements DatabaseConnection {
  readonly #connection: DatabaseConnection;
  readonly #parts: ConnectionParts;

  constructor(connection: DatabaseConnection, parts: ConnectionParts) {
    this.#connection = connection;
    this.#parts = parts;
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return patiently(this.#parts, () => this.#connection.executeQuery<Row>(query));
  }

  streamQuery<Row>(query: CompiledQuery, size: number): AsyncIterableIterator<QueryResult<Row>> {
    return this.#connection.streamQuery<Row>(query, size);
  }
}

interface Connection extends Reopenable, Committing {
  readonly connect: () => SqliteDatabase;
}

/** `node:sqlite` as Kysely's SQLite dialect wants it, which is written for better-sqlite3, and as its commits are made. */
function createConnection({ file, commits, keeper, pragmas }: ConnectionParts): Connection {
  let sqlite: DatabaseSync | undefined;
  // The bot's queries are a fixed, small set, so each is prepared once.
  const prepared = new Map<string, SqliteStatement>();
  const raw = () => {
    if (sqlite === undefined) throw new Error('The connection is not open');
    return sqlite;
  };

  const prepare = (text: string): SqliteStatement => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = raw().prepare(text);
    const writes = /^\s*(?:insert|update|delete|with|create|alter|drop)/i.test(text);
    const on =
      <Result>(does: (...values: SQLInputValue[]) => Result) =>
      (parameters: readonly unknown[]): Result => {
        if (writes) commits.open(connection);
        try {
          return does(...bindable(parameters));
        } catch (error) {
          commits.failed(error);
          throw error;
        }
      };
    const made: SqliteStatement = {
      reader: statement.columns().length > 0,
      all: on((...values) => statement.all(...values)),
      run: on((...values) => statement.run(...values)),
      iterate: on((...values) => statement.iterate(...values)),
    };
    prepared.set(text, made);
    return made;
  };

  const connection: Connection = {
    raw,
    open: () => {
      sqlite = new DatabaseSync(file, { timeout: openTimeout });
      sqlite.exec(pragmas);
    },
    close: () => {
      prepared.clear();
      raw().close();
    },
    run: (order) => {
      prepare(order).run([]);
    },
    isOpen: () => sqlite?.isTransaction ?? false,
    connect: () => {
      try {
        connection.open();
      } catch (error) {
        throw keeper.explain(error);
      }
      keeper.opened(connection);
      return { close: connection.close, prepare };
    },
  };
  return connection;
}

// Kysely only passes on what the typed queries bind; its interface says `unknown`.
const bindable = (parameters: readonly unknown[]): readonly SQLInputValue[] =>
  parameters.map(storable) as SQLInputValue[];
