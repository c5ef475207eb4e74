import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { JournalRow } from './testimony.ts';

/** Reads a journal that others write, as an auditor with nothing but the database's own client would. */
export interface JournalWitness {
  /** The actions of this phrase, with these words in their lines, that may be on their way to the appliance; undefined where it cannot be asked now. */
  readonly intents: (phrase: string, words: string) => Promise<readonly string[] | undefined>;
  readonly rows: () => Promise<readonly JournalRow[]>;
  /** How often it was taken for one that was restored. */
  readonly restores: () => Promise<number>;
  /** Unfinished or unsent work, in words. */
  readonly left: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

type Row = Readonly<Record<string, unknown>>;
type Ask = (query: string) => Promise<readonly Row[]>;

/** Milliseconds for naming the intents, because an order waits for it. */
const timeout = 400;

export function witnessOfFile(file: string): JournalWitness {
  let open: DatabaseSync | undefined;
  const ask: Ask = async (query) => {
    if (!existsSync(file)) return [];
    open ??= new DatabaseSync(file, { readOnly: true, timeout });
    return open.prepare(query).all();
  };
  return witness(ask, async () => open?.close());
}

export function witnessOfDatabase(url: string): JournalWitness {
  const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 2_000 });
  // Its server is taken away on purpose.
  pool.on('error', () => undefined);
  const ask: Ask = async (query) => (await pool.query<Row>(query)).rows;
  return witness(ask, () => pool.end());
}

function witness(ask: Ask, close: () => Promise<void>): JournalWitness {
  return {
    close,
    intents: async (phrase, words) => {
      const asked = ask(
        `select id from actions where state in ('running', 'unknown')
           and phrase like '${phrase}%' and line like '%${words}%'`,
      ).then(
        (rows) => rows.map(({ id }) => String(id)),
        () => undefined,
      );
      return Promise.race([asked, sleep(timeout, undefined, { ref: false })]);
    },
    rows: async () =>
      (
        await ask(
          `select id, line, phrase, person, state, effect, card, undoes,
             (select count(*) from timed_changes where action = actions.id and timed_changes.state = 'over') as ends
           from actions`,
        )
      ).map((row) => ({
        ...{
          id: String(row.id),
          line: String(row.line),
          person: String(row.person),
          state: String(row.state),
        },
        ...{ phrase: textOf(row.phrase), effect: textOf(row.effect) },
        ...{ card: textOf(row.card), undoes: textOf(row.undoes), ends: Number(row.ends) },
      })),
    restores: async () => (await ask('select number from generations')).length - 1,
    left: async () => {
      const rows = await ask(
        `select 'the action ' || line || ' is ' || state as words from actions
           where state in ('asked', 'approved', 'running') or held_by is not null
         union all select 'not said yet: ' || kind || ', ' || tries || ' tries, the next at ' || next_try_at from outbox
         union all select 'a delivery is held' from deliveries where held_by is not null
         union all select 'not compiled yet: ' || what || ', ' || tries || ' tries, the next at ' || next_try_at
           || coalesce(', held by ' || held_by, '') || coalesce(', ' || last_problem, '') from pending_applies
         union all select 'not told to another system: ' || event || ', ' || tries || ' tries, the next at ' || next_try_at from webhooks
         union all select 'a timed change is ' || state from timed_changes where state <> 'over' or reported = 0`,
      );
      return rows.map(({ words }) => String(words));
    },
  };
}

const textOf = (value: unknown): string | null => (value === null ? null : String(value));
