import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { currentCaller } from '../../caller.ts';
import { createSemaphore } from '../../semaphore.ts';
import type { Batch, Database, Store } from '../database.ts';
import { newId } from '../id.ts';
import { migrate } from '../migrate.ts';
import { JournalUnavailable } from '../unavailable.ts';
import {
  addressFor,
  connectAlone,
  createConnectionBreaker,
  isAway,
  openPool,
  type Settings,
  signOf,
  timeoutFor,
} from './postgres-connection.ts';
import { addedIn, columnsOf, isEmpty, storable } from './storable.ts';

/** Connections of each kind; the work of one replica seldom takes more than two. */
const connections = 5;
/** So many are open at once while it starts: those of both kinds, the one that holds locks, and the one that makes the tables. */
export const mostConnections = 2 * connections + 2;

/**
 * Opens the journal that replicas share. `url` is a secret. Nothing is connected before it is needed. `replica`: whose
 * sessions they are, so that whoever evicts it can end them.
 */
export function openPostgres(url: string, replica?: string, written?: (milliseconds: number) => void): Store {
  return openFor(url, timeoutFor.statement, replica, written);
}

/** The same for whoever goes through the whole of it, which may take minutes of millions of actions: no statement is given up. */
export const openPostgresPatiently = (url: string): Store => openFor(url, undefined);

function openFor(
  url: string,
  timeout: number | undefined,
  replica?: string,
  written?: (milliseconds: number) => void,
): Store {
  const breaker = createConnectionBreaker(url);
  const timed: Settings = { statement_timeout: `'${timeout ?? 0}'` };
  const config = { max: connections, ...(timeout !== undefined && { query_timeout: timeoutFor.answer }) };
  const open = (settings: Settings) => openPool(addressFor(url, replica), settings, config, breaker, written);
  // Where a role does without, what must outlive a power cut does not; whoever asks for more gets it.
  const synced = `replace(current_setting('synchronous_commit'), 'off', 'on')`;
  const durable = open({ ...timed, synchronous_commit: synced });
  const quick = open({ ...timed, synchronous_commit: `'off'` });
  const locks = openLocks(() => connectAlone(addressFor(url, replica), breaker));
  return {
    durable,
    quick,
    isShared: true,
    among: (keys) => {
      // Of nothing there is no type, and nothing is among it.
      if (keys.length === 0) return sql`(null)`;
      const type = typeof keys[0] === 'number' ? sql`::bigint` : sql``;
      return sql`(select value${type} from json_array_elements_text(${JSON.stringify(keys.map(storable))}::json))`;
    },
    // Kysely gives the query back as what it was.
    claiming: <Query>(query: Query & Parameters<Store['claiming']>[0]) =>
      query.forUpdate().skipLocked() as Query,
    exclusively: locks.exclusively,
    write: (level, batch) => patientlyWritten(level === 'durable' ? durable : quick, batch),
    inTurn: async (transaction, key) => {
      const name = sql`concat(${sql.raw(ofSchema)}, ${key}::text)`;
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(transaction);
    },
    probe: async () => {
      await durable.transaction().execute(async (transaction) => {
        const row = { id: newId(), started_at: 0, beats: 0 };
        await transaction.insertInto('replicas').values(row).execute();
        await transaction.deleteFrom('replicas').where('id', '=', row.id).execute();
      });
    },
    clock: sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`,
    evict: async (other, beats) => {
      // Its role is ours, so that it takes no right of its own; sessions of earlier versions cannot be told from ours. One
      // that has locked nothing stands in nobody's way: by it a replica that wakes finds out at once what became of its work.
      await sql`with gone as (delete from replicas where id = ${other} and beats = ${beats} returning id)
        select pg_terminate_backend(pid) from gone, pg_stat_activity
        where pid <> pg_backend_pid() and datname = current_database() and usename = session_user
          and right(application_name, ${signOf(other).length}::int) = ${signOf(other)}
          and exists (select from pg_locks where pg_locks.pid = pg_stat_activity.pid)`.execute(quick);
    },
    migrate: async () => {
      // A table of millions takes its time, and whoever is second waits for the first.
      const patient = openPool(url, { statement_timeout: `'0'` }, { max: 1 }, breaker);
      try {
        await migrate(patient);
      } finally {
        await patient.destroy();
      }
    },
    close: async () => {
      await locks.close();
      await quick.destroy();
      await durable.destroy();
    },
  };
}

/** How often a batch is written again that the server gave up for another one, each of which waited for the other. */
const deadlocks = 3;

async function patientlyWritten<Row>(
  database: Database,
  batch: Batch<Row>,
): Promise<readonly Row[] | undefined> {
  for (let left = deadlocks; ; left -= 1) {
    try {
      return await writeBatch(database, batch);
    } catch (error) {
      if (left === 0 || codeOf(error) !== deadlockDetected) throw error;
    }
  }
}

/** SQLSTATE. */
const deadlockDetected = '40P01';
const invalidText = '22P02';
/** What the server logs where a batch does not hold: there is no other way out of one statement. */
const doesNotHold = 'a batch does not hold';

/**
 * In one statement, where a transaction would be four or five trips to the server. What is only added beside one change is added
 * where that has hit; a batch of more fails as a whole.
 */
async function writeBatch<Row>(database: Database, batch: Batch<Row>): Promise<readonly Row[] | undefined> {
  const { swap = [], sweep = [] } = batch;
  if (isEmpty(batch)) return [];
  const required = [
    ...(batch.if ?? []).map(({ query, hits }) => ({ query: sql`${query} for share`, hits })),
    ...swap.map(({ query, hits }) => ({ query: sql`${query}`, hits })),
  ];
  const nameOf = (number: number) => sql.ref(`required_${number}`);
  const isAllThere = sql.join(
    required.map(({ hits }, number) =>
      hits === undefined
        ? sql`exists (table ${nameOf(number)})`
        : sql`(select count(*) from ${nameOf(number)}) = ${hits}::bigint`,
    ),
    sql` and `,
  );
  const condition = required.length === 0 ? sql`` : sql` where ${isAllThere}`;
  const parts = [
    ...required.map(({ query }, number) => sql`${nameOf(number)} as materialized (${query})`),
    ...sweep.map((query, number) => sql`${sql.ref(`swept_${number}`)} as (${query})`),
    ...addedIn(batch).map(([name, rows]) => {
      const table = sql.table(name);
      const columns = columnsOf(rows);
      // One parameter, so that the statement is the same for any number of rows.
      const list = JSON.stringify(rows, (_, value) => storable(value));
      return sql`${sql.ref(`added_to_${name}`)} as (
        insert into ${table} (${sql.join(columns.map((column) => sql.ref(column)))})
        select ${sql.join(columns.map((column) => sql.ref(`added.${column}`)))}
        from json_populate_recordset(null::${table}, ${list}::json) as added${condition})`;
    }),
  ];
  const returned = swap.map((_, number) => {
    const name = nameOf(number + required.length - swap.length);
    return sql`select to_json(swapped) as row from ${name} as swapped`;
  });
  // Where it is a matter of course that one thing alone does not hold, nothing fails.
  const mayFail = required.length > 1 || sweep.length > 0 || swap.some(({ hits }) => hits !== undefined);
  const holds =
    required.length === 0
      ? sql`true`
      : mayFail
        ? sql`(case when ${isAllThere} then '1' else ${doesNotHold} end)::int = 1`
        : isAllThere;
  const rows = returned.length === 0 ? sql`select null::json as row` : sql.join(returned, sql` union all `);
  const all = sql<{ holds: boolean; row: Row | null }>`with ${sql.join(parts)}
    select holds, row from (select ${holds} as holds) as checked left join (${rows}) as swapped on true`;
  try {
    const { rows: found } = await all.execute(database);
    if (found[0]?.holds !== true) return undefined;
    return found.flatMap(({ row }) => (row === null ? [] : [row]));
  } catch (error) {
    if (codeOf(error) === invalidText && String(error).includes(doesNotHold)) return undefined;
    throw error;
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

/** Locks that hold for all replicas together: advisory locks of the PostgreSQL, held by a connection of their own. */

/** How long a connection may take to end, in milliseconds. */
const closeTimeout = 500;
/** How often a lock that others have is tried again, in milliseconds. */
const retry = { least: 20, most: 250 } as const;
/**
 * So long those of one process take turns with a lock before those of others get one, and so long they leave it then, in
 * milliseconds: whoever asks again and again meets a lock that is free.
 */
const among = { own: 2_000, others: retry.most + 50 } as const;

/**
 * What stands before the key of a lock, as SQL: locks are the database's, and journals in two of its schemas are nothing to each other. In
 * the usual one it is nothing, as in earlier versions.
 */
const ofSchema = `nullif(current_schema(), 'public') || '/'`;

/** A connection that holds locks. */
interface Session {
  readonly ask: (does: 'pg_try_advisory_lock' | 'pg_advisory_unlock', key: string) => Promise<boolean>;
  /** Whatever it holds is free with it. */
  readonly drop: () => Promise<void>;
}

/**
 * Locks that the server gives back when the connection ends, however this process does. All of them are held by one
 * connection, which asks for them again and again instead of waiting there: as many appliances as one likes take no more.
 */
function openLocks(connect: () => Promise<pg.Client>): Pick<Store, 'exclusively' | 'close'> {
  /** The connection takes one question at a time. */
  const asking = createSemaphore();
  const mutex = createSemaphore();
  /** Since when those of this process have had a key, one after the other, and how many want it. */
  const turns = new Map<string, { since: number | undefined; wanting: number }>();
  let session: Promise<Session> | undefined;

  function current(): Promise<Session> {
    if (session !== undefined) return session;
    const opened = connect().then((client): Session => {
      client.once('end', gone);
      let ended: Promise<void> | undefined;
      return {
        ask: async (does, key) => {
          const end = await asking.acquire();
          try {
            const { rows } = await client.query(
              `select ${does}(hashtextextended(concat(${ofSchema}, $1::text), 0)) as is_done`,
              [key],
            );
            return rows[0].is_done === true;
          } finally {
            end();
          }
        },
        drop: async () => {
          gone();
          // Once, for all who had waited for an answer on it. A server that has fallen silent does not close the connection.
          ended ??= client.end().catch(() => undefined);
          await Promise.race([ended, sleep(closeTimeout, undefined, { ref: false })]);
        },
      };
    });
    session = opened;
    const gone = () => {
      if (session === opened) session = undefined;
    };
    opened.catch(gone);
    return opened;
  }

  async function take(key: string, until: number): Promise<Session | undefined> {
    for (let pause: number = retry.least; ; pause = Math.min(2 * pause, retry.most)) {
      const holder = await current();
      try {
        if (await holder.ask('pg_try_advisory_lock', key)) return holder;
      } catch (error) {
        void holder.drop();
        throw isAway(error) ? new JournalUnavailable(error) : error;
      }
      const left = until - performance.now();
      if (left <= 0) return undefined;
      await sleep(Math.min(left, pause));
    }
  }

  async function exclusively<Value>(key: string, timeout: number, task: () => Promise<Value>) {
    const until = performance.now() + timeout;
    const turn = turns.get(key) ?? { since: undefined, wanting: 0 };
    turns.set(key, turn);
    turn.wanting += 1;
    try {
      // First among ourselves: the server would give a lock twice to the one connection.
      const release = await mutex.acquire(key, currentCaller(), timeout);
      if (release === undefined) return undefined;
      if (turn.since !== undefined && performance.now() - turn.since > among.own) {
        await sleep(among.others);
        turn.since = undefined;
      }
      const holder = await take(key, until).catch((error: unknown) => {
        release();
        throw error;
      });
      if (holder === undefined) {
        release();
        return undefined;
      }
      turn.since ??= performance.now();
      try {
        return { value: await task() };
      } finally {
        // What the task has come to counts, whatever becomes of the lock, and does not wait for it.
        const released = holder.ask('pg_advisory_unlock', key).catch(() => holder.drop());
        void released.then(release);
      }
    } finally {
      turn.wanting -= 1;
      if (turn.wanting === 0) turns.delete(key);
    }
  }

  return {
    exclusively,
    close: async () => {
      const holder = await session?.catch(() => undefined);
      await holder?.drop();
    },
  };
}
