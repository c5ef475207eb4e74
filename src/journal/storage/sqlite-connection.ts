import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
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
  type TransactionSettings,
} from 'kysely';
import type { Batch, Condition, Database, Store } from '../database.ts';
import { createFileKeeper, type FileKeeper, type Reopenable } from '../file/keeper.ts';
import { troubleIn } from '../file/sqlite-error.ts';
import type { Tables } from '../tables.ts';
import {
  type BeginMode,
  type Committing,
  createGroupCommit,
  type GroupCommit,
  type Survives,
} from './group-commit.ts';
import { addedIn, columnsOf, isEmpty, storable } from './storable.ts';

/** So long another process is waited for while the connection opens, in milliseconds; nobody has asked for anything yet. */
const openTimeout = 5_000;

/**
 * A thread of its own moves the log (`LogMover`); SQLite's own checkpoint, at some 80 MB, is for when that one cannot. For other
 * processes nobody waits inside of SQLite (`PatientConnection`).
 */
export const pragmas = `
  pragma journal_mode = wal;
  pragma foreign_keys = on;
  pragma wal_autocheckpoint = 20000;
  pragma busy_timeout = 0;`;

/** SQLite's word for what a commit waits for. */
export const synchronous = { crash: 'normal', power_cut: 'full' } as const satisfies Record<Survives, string>;

interface FileParts {
  readonly commits?: GroupCommit;
  readonly keeper?: FileKeeper;
  /** Without, a commit outlives no power cut at all. */
  readonly isSynced?: boolean;
}

/** One connection to the file. What is done on those that share their commits is done one after the other. */
export type SqliteFile = Pick<Store, 'durable' | 'quick' | 'write' | 'close'>;

export function openFile(
  file: string,
  { commits = createGroupCommit(), keeper = createFileKeeper(file), isSynced = true }: FileParts = {},
): SqliteFile {
  const connection = createConnection({ file, commits, keeper, isSynced });
  const on = (survives: Survives): Parts => ({ connection, commits, keeper, survives });
  const databaseOn = (parts: Parts) => new Kysely<Tables>({ dialect: new Dialect(parts) });
  const parts = { durable: on('power_cut'), quick: on('crash') };
  const [durable, quick] = [databaseOn(parts.durable), databaseOn(parts.quick)];
  let writing: SqliteDatabase | undefined;
  return {
    durable,
    quick,
    write: (level, batch) => {
      writing ??= connection.connect('crash');
      return write(parts[level], batch);
    },
    close: async () => {
      await quick.destroy();
      await durable.destroy();
      writing?.close();
    },
  };
}

/** The same, where all that is written is written alike. */
export const openDatabase = (file: string, survives: Survives): Database =>
  openFile(file)[survives === 'crash' ? 'quick' : 'durable'];

interface Parts {
  readonly connection: Connection;
  readonly commits: GroupCommit;
  readonly keeper: FileKeeper;
  readonly survives: Survives;
}

class Dialect extends SqliteDialect {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    // Opened by its driver.
    super({ database: () => Promise.reject(new Error('The driver opens the connection')) });
    this.#parts = parts;
  }

  override createDriver(): SqliteDriver {
    return new Driver(this.#parts);
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
  readonly #parts: Parts;
  #patient: DatabaseConnection | undefined;
  #end: (() => Promise<void>) | undefined;
  /** Whether the transaction that is open is all that the commit would bring so far. */
  #isAlone = false;

  constructor(parts: Parts) {
    // With the first query: what was never used is closed by Kysely as if it had not been opened.
    super({ database: async () => parts.connection.connect(parts.survives) });
    this.#parts = parts;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#end = await this.#parts.commits.take(this.#parts.connection);
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
    this.#isAlone = await patiently(this.#parts, () => enter(this.#parts, begin));
  }

  override async commitTransaction(): Promise<void> {
    if (!this.#isAlone) this.#parts.connection.run('release one');
  }

  override async rollbackTransaction(): Promise<void> {
    leave(this.#parts, this.#isAlone);
  }

  override async destroy(): Promise<void> {
    this.#parts.commits.close(this.#parts.connection);
    await super.destroy();
  }
}

/** Begins a transaction, or a part of what others have begun. Whether it is all that the commit would bring so far. */
function enter({ commits, connection, survives }: Parts, begin: BeginMode): boolean {
  const isAlone = commits.open(connection, survives, begin);
  if (!isAlone) connection.run('savepoint one');
  return isAlone;
}

/** Takes back what was written since. */
function leave({ commits, connection }: Parts, isAlone: boolean): void {
  // Some failures have ended it already, with all that others have written: on a disk that is full, SQLite does so.
  if (!connection.isOpen()) return;
  if (isAlone) commits.abandon();
  else {
    connection.run('rollback to one');
    connection.run('release one');
  }
}

/** In one turn of the event loop, so that nobody comes between what is read and what is written. */
async function write<Row>(parts: Parts, batch: Batch<Row>): Promise<readonly Row[] | undefined> {
  const { commits, connection, keeper } = parts;
  if (isEmpty(batch)) return [];
  const statements = statementsIn(batch);
  const end = await commits.take(connection);
  try {
    return await patiently(parts, () => {
      const prepare = connection.prepareFor(parts.survives);
      // There is nothing to take back of it.
      if (isOne(statements)) return run<Row>(prepare, statements);
      const isAlone = enter(parts, 'begin immediate');
      try {
        const written = run<Row>(prepare, statements);
        if (written === undefined) leave(parts, isAlone);
        else if (!isAlone) connection.run('release one');
        return written;
      } catch (error) {
        leave(parts, isAlone);
        throw error;
      }
    });
  } finally {
    await end().catch((error: unknown) => {
      throw keeper.explain(error);
    });
  }
}

/**
 * Waits for a lock that another process has, while others go on: SQLite itself would wait in the middle of everything. What
 * cannot be used is told as `JournalUnavailable`.
 */
async function patiently<Value>(
  { keeper, survives }: Parts,
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
  readonly #parts: Parts;

  constructor(connection: DatabaseConnection, parts: Parts) {
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

interface CompiledCondition {
  readonly query: CompiledQuery;
  readonly hits: number | undefined;
}

interface Statements {
  readonly if: readonly CompiledCondition[];
  readonly swap: readonly CompiledCondition[];
  readonly sweep: readonly CompiledQuery[];
  readonly add: readonly Pick<CompiledQuery, 'sql' | 'parameters'>[];
}

/** So many rows are added by one statement, of which there is one for each number of rows. */
const together = 20;

function statementsIn(batch: Batch<unknown>): Statements {
  const compiled = (conditions: readonly Condition<unknown>[] = []) =>
    conditions.map(({ query, hits }) => ({ query: query.compile(), hits }));
  return {
    if: compiled(batch.if),
    swap: compiled(batch.swap),
    sweep: (batch.sweep ?? []).map((query) => query.compile()),
    add: addedIn(batch).flatMap(([table, rows]) => {
      const columns = columnsOf(rows);
      const names = columns.map((column) => `"${column}"`).join(', ');
      const places = `(${columns.map(() => '?').join(', ')})`;
      return Array.from({ length: Math.ceil(rows.length / together) }, (_, index) => {
        const some = rows.slice(index * together, (index + 1) * together);
        return {
          sql: `insert into "${table}" (${names}) values ${some.map(() => places).join(', ')}`,
          parameters: some.flatMap((row) => columns.map((column) => Reflect.get(row, column) ?? null)),
        };
      });
    }),
  };
}

const isOne = ({ if: conditions, swap, sweep, add }: Statements): boolean =>
  conditions.length + swap.length + sweep.length + add.length === 1 &&
  swap.every(({ hits }) => hits === undefined);

/** What the swaps return; undefined where something does not hold, and then what was written is to be taken back. */
function run<Row>(prepare: Prepare, statements: Statements): readonly Row[] | undefined {
  const holding = ({ query, hits }: CompiledCondition): readonly Row[] | undefined => {
    const rows = prepare(query.sql).all(query.parameters) as Row[];
    return rows.length === hits || (hits === undefined && rows.length > 0) ? rows : undefined;
  };
  if (!statements.if.every(holding)) return undefined;
  const swapped: Row[] = [];
  for (const condition of statements.swap) {
    const rows = holding(condition);
    if (rows === undefined) return undefined;
    swapped.push(...rows);
  }
  for (const { sql, parameters } of [...statements.sweep, ...statements.add]) prepare(sql).run(parameters);
  return swapped;
}

type Prepare = SqliteDatabase['prepare'];

interface Prepared {
  readonly statement: StatementSync;
  readonly reader: boolean;
  readonly writes: boolean;
}

interface Connection extends Reopenable, Committing {
  /** For one of those who use it; it closes with the last of them. */
  readonly connect: (survives: Survives) => SqliteDatabase;
  readonly prepareFor: (survives: Survives) => Prepare;
}

/** `node:sqlite` as Kysely's SQLite dialect wants it, which is written for better-sqlite3, and as its commits are made. */
function createConnection({
  file,
  commits,
  keeper,
  isSynced,
}: Required<FileParts> & { readonly file: string }): Connection {
  let sqlite: DatabaseSync | undefined;
  let users = 0;
  let survives: Survives | undefined;
  // The bot's queries are a fixed, small set, so each is prepared once.
  const prepared = new Map<string, Prepared>();
  const raw = () => {
    if (sqlite === undefined) throw new Error('The connection is not open');
    return sqlite;
  };

  const preparedOf = (text: string): Prepared => {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = raw().prepare(text);
    const made: Prepared = {
      statement,
      reader: statement.columns().length > 0,
      writes: /^\s*(?:insert|update|delete|with|create|alter|drop)/i.test(text),
    };
    prepared.set(text, made);
    return made;
  };

  const prepareFor =
    (level: Survives): Prepare =>
    (text) => {
      const { statement, reader, writes } = preparedOf(text);
      const on =
        <Result>(does: (...values: SQLInputValue[]) => Result) =>
        (parameters: readonly unknown[]): Result => {
          if (writes) commits.open(connection, level);
          try {
            return does(...bindable(parameters));
          } catch (error) {
            commits.failed(error);
            throw error;
          }
        };
      return {
        reader,
        all: on((...values) => statement.all(...values)),
        run: on((...values) => statement.run(...values)),
        iterate: on((...values) => statement.iterate(...values)),
      };
    };

  const connection: Connection = {
    raw,
    open: () => {
      sqlite = new DatabaseSync(file, { timeout: openTimeout });
      sqlite.exec(pragmas);
      survives = undefined;
      connection.survive('crash');
    },
    close: () => {
      prepared.clear();
      raw().close();
    },
    survive: (what) => {
      if (what === survives) return;
      raw().exec(`pragma synchronous = ${isSynced ? synchronous[what] : 'off'}`);
      survives = what;
    },
    run: (order) => {
      try {
        preparedOf(order).statement.run();
      } catch (error) {
        commits.failed(error);
        throw error;
      }
    },
    isOpen: () => sqlite?.isTransaction ?? false,
    prepareFor,
    connect: (level) => {
      users += 1;
      if (users === 1) {
        try {
          connection.open();
        } catch (error) {
          users = 0;
          throw keeper.explain(error);
        }
        keeper.opened(connection);
      }
      const close = () => {
        users -= 1;
        if (users === 0) connection.close();
      };
      return { close, prepare: prepareFor(level) };
    },
  };
  return connection;
}

// Kysely only passes on what the typed queries bind; its interface says `unknown`.
const bindable = (parameters: readonly unknown[]): readonly SQLInputValue[] =>
  parameters.map(storable) as SQLInputValue[];
