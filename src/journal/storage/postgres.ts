import { setTimeout as sleep } from 'node:timers/promises';
import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely';
import pg from 'pg';
import type { Added, Database, ReturningUpdate, Store } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { Tables } from '../tables.ts';
import { JournalUnavailable } from '../unavailable.ts';
import { withoutAddress } from './address.ts';
import { createMutex } from './mutex.ts';
import { createSerialQueue } from './serial-queue.ts';
import { storable } from './storable.ts';

/** Milliseconds: nobody waits for the database longer than this. */
const patienceFor = { connection: 2_000, statement: 5_000, answer: 5_500 } as const;
/** How long everybody is refused at once after it could not be reached, in milliseconds. */
const cooldown = 1_000;
/** Connections of each kind; the work of one replica seldom takes more than two. */
const connections = 5;
/** How long a connection may take to end, in milliseconds. */
const closeTimeout = 500;
/** How often a lock that others have is tried again, in milliseconds. */
const retry = { least: 20, most: 250 } as const;

/**
 * What each of our sessions asks of the server. Sessions of a machine that is gone end within half a minute, and what they
 * have locked is free again.
 */
const sessionSettings = [
  'tcp_keepalives_idle=10',
  'tcp_keepalives_interval=5',
  'tcp_keepalives_count=2',
  'idle_in_transaction_session_timeout=10000',
];

/** Opens the journal that replicas share. `url` is a secret. Nothing is connected before it is needed. */
export function openPostgres(url: string): Store {
  const breaker = createBreaker(url);
  const timed = [`statement_timeout=${patienceFor.statement}`];
  const open = (settings: readonly string[], more: pg.PoolConfig = {}) =>
    openPool(url, settings, { max: connections, query_timeout: patienceFor.answer, ...more }, breaker);
  const durable = open(timed);
  const quick = open([...timed, 'synchronous_commit=off']);
  const locks = openLocks(() => connectAlone(url, breaker));
  return {
    durable,
    quick,
    isShared: true,
    among: (ids) =>
      sql<number>`(select value::bigint from json_array_elements_text(${JSON.stringify(ids)}::json))`,
    // Kysely gives the query back as what it was.
    claiming: <Query>(query: Query & Parameters<Store['claiming']>[0]) =>
      query.forUpdate().skipLocked() as Query,
    exclusively: locks.exclusively,
    changeAndAdd,
    inTurn: async (transaction, key) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
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

/** Refuses at once while the database is known to be away, so that a line of calls does not wait for it one by one. */
interface Breaker {
  /** Of those who come after the respite, one tries; the others are refused until it has got through. */
  readonly connect: <Client>(connect: () => Promise<Client>) => Promise<Client>;
  readonly trip: (cause: unknown) => void;
}

function createBreaker(url: string): Breaker {
  let failure: { readonly cause: unknown; readonly until: number } | undefined;
  let isTrying = false;
  const trip = (cause: unknown) => {
    failure = { cause, until: performance.now() + cooldown };
  };
  return {
    trip,
    connect: async (connect) => {
      const isTrial = failure !== undefined;
      if (failure !== undefined && (isTrying || performance.now() < failure.until)) {
        throw new JournalUnavailable(failure.cause);
      }
      if (isTrial) isTrying = true;
      try {
        const client = await connect();
        failure = undefined;
        return client;
      } catch (thrown) {
        const error = withoutAddress(thrown, url);
        trip(error);
        throw new JournalUnavailable(error);
      } finally {
        if (isTrial) isTrying = false;
      }
    },
  };
}

/** Hands out so many places; whoever comes when all are taken waits for one. Resolves to what gives it back. */
function createPlaces(count: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let free = count;
  const giveBack = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return async () => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return giveBack;
  };
}

function openPool(
  url: string,
  settings: readonly string[],
  config: pg.PoolConfig,
  breaker: Breaker,
): Database {
  const pool = new pg.Pool({ ...configFor(url, settings), ...config });
  // Work that waits for one of our own connections waits here, before the pool counts it as a connection that fails:
  // much to do is no sign that the database is away.
  const take = createPlaces(config.max ?? connections);
  // A connection that breaks while nobody uses it: the pool has dropped it, and the next one who needs one connects anew.
  pool.on('error', () => undefined);
  // One that breaks between two queries of a transaction: the next query says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const guarded: PostgresPool = {
    connect: async () => {
      const giveBack = await take();
      try {
        return guard(await breaker.connect(() => pool.connect()), breaker, giveBack);
      } catch (error) {
        giveBack();
        throw error;
      }
    },
    end: () => pool.end(),
    options: {},
  };
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: guarded }) });
}

function configFor(url: string, settings: readonly string[]): pg.ClientConfig {
  const address = new URL(url);
  const options = [...sessionSettings, ...settings].map((setting) => `-c ${setting}`);
  // What the address asks for itself comes last, and counts.
  address.searchParams.set('options', [...options, ...address.searchParams.getAll('options')].join(' '));
  return {
    connectionString: address.href,
    application_name: 'appliance-bot',
    connectionTimeoutMillis: patienceFor.connection,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      // Moments and counts, which fit into a number; by itself `pg` hands them out as text. For our connections only.
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format as 'text'),
    },
  };
}

function guard(client: pg.PoolClient, breaker: Breaker, giveBack: () => void): PostgresPoolClient {
  let isBroken = false;
  async function query(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<unknown>> {
    try {
      const asked = { name: nameFor(text), text, values: values.map(storable) };
      const { command, rowCount, rows } = await client.query(asked);
      // Kysely reads the count for what changes rows, where there is one.
      return { command, rowCount: rowCount ?? 0, rows } as PostgresQueryResult<unknown>;
    } catch (error) {
      if (!isAway(error)) throw error;
      // An answer that did not come may come yet, to the question of somebody else.
      isBroken = true;
      if (isSilence(error)) breaker.trip(error);
      throw new JournalUnavailable(error);
    }
  }
  return {
    // The journal streams nothing, so that no cursor comes here.
    query: query as PostgresPoolClient['query'],
    release: () => {
      client.release(isBroken);
      giveBack();
    },
  };
}

/** The names of prepared statements by their text, of which there is a fixed, small set. */
const names = new Map<string, string>();

/**
 * A statement with a name is understood and planned once a connection. One that hands out all the columns has none: when a
 * newer replica adds a column, the server would refuse it from then on.
 */
function nameFor(text: string): string | undefined {
  if (/(?:select|returning) \*|^(?:begin|commit|rollback|alter|create|drop)/i.test(text)) return undefined;
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return name;
}

const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/**
 * By SQLSTATE: 08 the connection, 53 no room or no memory, 57P0x shutting down, 57014 took too long, 25006 a standby that is
 * no primary yet, 25P03 we were silent in a transaction. What the network or the client says has no such code.
 */
function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isSilence(error) || /Connection terminated|not queryable|Connection ended/.test(error.message))
    return true;
  if ('syscall' in error) return true;
  const code = 'code' in error ? String(error.code) : '';
  return /^(?:08...|53...|57P0.|57014|25006|25P03|E[A-Z_]+)$/.test(code);
}

async function connectAlone(url: string, breaker: Breaker): Promise<pg.Client> {
  const client = new pg.Client({
    ...configFor(url, [`statement_timeout=${patienceFor.statement}`]),
    query_timeout: patienceFor.answer,
  });
  client.on('error', () => undefined);
  await breaker.connect(async () => {
    try {
      await client.connect();
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  });
  return client;
}

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
  const serialQueue = createSerialQueue();
  const mutex = createMutex();
  let session: Promise<Session> | undefined;

  function current(): Promise<Session> {
    if (session !== undefined) return session;
    const opened = connect().then((client): Session => {
      client.once('end', gone);
      return {
        ask: async (does, key) => {
          const end = await serialQueue.take('session');
          try {
            const { rows } = await client.query(`select ${does}(hashtextextended($1, 0)) as is_done`, [key]);
            return rows[0].is_done === true;
          } finally {
            end();
          }
        },
        drop: async () => {
          gone();
          // A server that has fallen silent says no farewell.
          const ended = client.end().catch(() => undefined);
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

  return {
    exclusively: async (key, timeout, task) => {
      const until = performance.now() + timeout;
      // First among ourselves: the server would give a lock twice to the one connection.
      const release = await mutex.acquire(key, timeout);
      if (release === undefined) return undefined;
      const holder = await take(key, until).catch((error: unknown) => {
        release();
        throw error;
      });
      if (holder === undefined) {
        release();
        return undefined;
      }
      try {
        return { value: await task() };
      } finally {
        // What the task has come to counts, whatever becomes of the lock, and does not wait for it.
        const released = holder.ask('pg_advisory_unlock', key).catch(() => holder.drop());
        void released.then(release);
      }
    },
    close: async () => {
      const holder = await session?.catch(() => undefined);
      await holder?.drop();
    },
  };
}
