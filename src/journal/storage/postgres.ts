import { sql } from 'kysely';
import type { Added, Database, ReturningUpdate, Store } from '../database.ts';
import { newId } from '../id.ts';
import { migrate } from '../migrate.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { addressFor, connectAlone, signOf, timeoutFor } from './postgres-connection.ts';
import { openLocks } from './postgres-locks.ts';
import { openPool } from './postgres-pool.ts';
import { storable } from './storable.ts';

/** Connections of each kind; the work of one replica seldom takes more than two. */
const connections = 5;

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
  const breaker = createCircuitBreaker(url);
  const timed = [`statement_timeout=${timeout ?? 0}`];
  const config = { max: connections, ...(timeout !== undefined && { query_timeout: timeoutFor.answer }) };
  const open = (settings: readonly string[]) =>
    openPool(addressFor(url, replica), settings, config, breaker, written);
  const durable = open(timed);
  const quick = open([...timed, 'synchronous_commit=off']);
  const locks = openLocks(() => connectAlone(addressFor(url, replica), breaker));
  return {
    durable,
    quick,
    isShared: true,
    among: (keys) => {
      // Of nothing there is no type, and nothing is among it.
      if (keys.length === 0) return sql`(null)`;
      const type = typeof keys[0] === 'number' ? sql`::bigint` : sql``;
      return sql`(select value${type} from json_array_elements_text(${JSON.stringify(keys)}::json))`;
    },
    // Kysely gives the query back as what it was.
    claiming: <Query>(query: Query & Parameters<Store['claiming']>[0]) =>
      query.forUpdate().skipLocked() as Query,
    exclusively: locks.exclusively,
    changeAndAdd,
    inTurn: async (transaction, key) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
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
        where pid <> pg_backend_pid() and datname = current_database() and usename = current_user
          and right(application_name, ${signOf(other).length}::int) = ${signOf(other)}
          and exists (select from pg_locks where pg_locks.pid = pg_stat_activity.pid)`.execute(quick);
    },
    migrate: async () => {
      // A table of millions takes its time, and whoever is second waits for the first.
      const patient = openPool(url, ['statement_timeout=0'], { max: 1 }, breaker);
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

/** In one statement, where a transaction would be four or five trips to the server. */
async function changeAndAdd<Row>(
  database: Database,
  change: (database: Database) => ReturningUpdate<Row>,
  added: Added,
): Promise<Row | undefined> {
  const insertions = Object.entries(added).map(([name, rows]) => {
    const table = sql.table(name);
    const columns = Object.keys(rows[0] ?? {});
    // One parameter, so that the statement is the same for any number of rows.
    const list = JSON.stringify(rows, (_, value) => storable(value));
    return sql`, ${sql.ref(`added_to_${name}`)} as (
      insert into ${table} (${sql.join(columns.map((column) => sql.ref(column)))})
      select ${sql.join(columns.map((column) => sql.ref(`added.${column}`)))}
      from changed, json_populate_recordset(null::${table}, ${list}::json) as added)`;
  });
  const all = sql<Row>`with changed as (${change(database)})${sql.join(insertions, sql``)} table changed`;
  const { rows } = await all.execute(database);
  return rows[0];
}
