import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { type Generated, Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import { Migrator } from 'kysely/migration';
import { migrations } from './migrations/index.ts';
import type { State } from './states.ts';

/** One row an action. Times are milliseconds since the epoch; columns that end in `_json` hold JSON text. */
export interface ActionsTable {
  id: string;
  state: State;
  /** What a button carries. New with every preview, so a click on an older preview finds nothing. */
  token: string | null;
  created_at: number;
  changed_at: number;
  expires_at: number | null;
  team: string;
  channel: string;
  person: string;
  line: string;
  /** The phrase of the matched command, or null when the line matched none. */
  phrase: string | null;
  /** What that command may do to an appliance, kept here because a command can be renamed while an action is under way. */
  effect: string | null;
  appliance: string | null;
  args_json: string;
  preview_json: string | null;
  /** Where its card stands: the message's timestamp in `channel`. */
  card: string | null;
  outcome_json: string | null;
  /** Who clicked last. */
  decided_by: string | null;
  /** Whose yes it waits for, where the asker's own is not enough. */
  consent_json: string | null;
}

/** Who has approved what: one yes of one human to one question, which is known by the token of its buttons. */
export interface ApprovalsTable {
  id: Generated<number>;
  action: string;
  question: string;
  human: string;
  person: string;
  at: number;
}

/** What a later click, form or page needs. The ids of this table and the next grow, and say what came first. */
export interface KeptTable {
  id: Generated<number>;
  token: string;
  kind: 'offer' | 'form' | 'result';
  content_json: string;
  person: string | null;
  channel: string;
  action: string | null;
  until: number;
  taken_by: string | null;
  taken_at: number | null;
}

/** The applies that appliances are owed. */
export interface OwedTable {
  id: Generated<number>;
  state: 'owed' | 'applying';
  appliance: string;
  what: string;
  action: string;
  since: number;
  attempts: number;
  last_problem: string | null;
}

/** What an action has switched on for a time, and the bot must end (`leases.ts`). */
export interface LeasesTable {
  id: Generated<number>;
  state: 'on' | 'ending' | 'over';
  action: string;
  appliance: string;
  channel: string;
  person: string;
  reason: string;
  started_at: number;
  ends_at: number;
  /** When that end was set. */
  set_at: number;
  /** The end of which everybody has been reminded. */
  reminded: number | null;
  /** The message in which they were. */
  reminder: string | null;
  extensions_json: string;
  /** 0 or 1. */
  seen: number;
  orders: number;
  failures: number;
  last_problem: string | null;
  next_at: number;
  claimed_until: number;
  ended_json: string | null;
  report: string | null;
  /** 0 or 1. */
  reported: number;
}

/** When the policy was read again and was another one, or could not be taken. */
export interface ReloadsTable {
  id: Generated<number>;
  at: number;
  outcome: 'taken' | 'refused';
  told_json: string;
}

export interface Tables {
  actions: ActionsTable;
  kept: KeptTable;
  owed: OwedTable;
  approvals: ApprovalsTable;
  leases: LeasesTable;
  reloads: ReloadsTable;
}

export type Database = Kysely<Tables>;

/** What a commit outlives: a crash of the process, or a power cut too, for which it waits until it is on disk. */
export type Survives = 'crash' | 'power_cut';

/** Opens the embedded journal. */
export function openDatabase(file: string, survives: Survives): Database {
  const sqlite = new DatabaseSync(file, { timeout: 5_000 });
  const synchronous = survives === 'power_cut' ? 'full' : 'normal';
  sqlite.exec(`pragma journal_mode = wal; pragma synchronous = ${synchronous}; pragma foreign_keys = on;`);
  // A checkpoint waits for the disk while everybody waits for it. By default one comes with every hundred commands or
  // so; with a log of at most some 40 MB it is one in a thousand.
  sqlite.exec('pragma wal_autocheckpoint = 10000');
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database: forKysely(sqlite) }) });
}

/** Brings the tables up to date. */
export async function migrate(database: Database): Promise<void> {
  const { error } = await new Migrator({
    db: database,
    provider: { getMigrations: async () => migrations },
  }).migrateToLatest();
  if (error !== undefined) throw error;
}

/** Kysely's SQLite dialect is written for better-sqlite3; `node:sqlite` differs in how parameters are passed. */
function forKysely(sqlite: DatabaseSync): SqliteDatabase {
  // The bot's queries are a fixed, small set, so each is prepared once.
  const prepared = new Map<string, SqliteStatement>();
  const prepare = (sql: string): SqliteStatement => {
    const statement = sqlite.prepare(sql);
    return {
      reader: statement.columns().length > 0,
      all: (parameters) => statement.all(...bindable(parameters)),
      run: (parameters) => statement.run(...bindable(parameters)),
      iterate: (parameters) => statement.iterate(...bindable(parameters)),
    };
  };
  return {
    close: () => sqlite.close(),
    prepare: (sql) => {
      const statement = prepared.get(sql) ?? prepare(sql);
      prepared.set(sql, statement);
      return statement;
    },
  };
}

// Kysely only passes on what the typed queries bind; its interface says `unknown`.
const bindable = (parameters: readonly unknown[]): readonly SQLInputValue[] => parameters as SQLInputValue[];
