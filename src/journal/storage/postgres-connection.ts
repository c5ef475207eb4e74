/** A connection to the PostgreSQL: what it asks of the server, how long anybody waits for it, and what shows that it is away. */

import type { Socket } from 'node:net';
import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { createCircuitBreaker } from '../../circuit-breaker.ts';
import { dial } from '../../dial.ts';
import { createSemaphore } from '../../semaphore.ts';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';
import { JournalUnavailable } from '../unavailable.ts';
import { storable } from './storable.ts';

/** Milliseconds: nobody waits for the database longer than this. */
export const timeoutFor = { connection: 2_000, statement: 5_000, answer: 5_500 } as const;

/** Settings of a session by their names, each as SQL. */
export type Settings = Readonly<Record<string, string>>;

/**
 * What each of our sessions asks of the server, whatever was set for the role, the database or the server. Sessions of a machine
 * that is gone end within half a minute, and what they have locked is free again.
 */
const sessionSettings: Settings = {
  tcp_keepalives_idle: `'10'`,
  tcp_keepalives_interval: `'5'`,
  tcp_keepalives_count: `'2'`,
  idle_in_transaction_session_timeout: `'10000'`,
  // The session that holds the locks of appliances is idle for as long as an order takes.
  idle_session_timeout: `'0'`,
  transaction_timeout: `'0'`,
  lock_timeout: `'0'`,
  default_transaction_isolation: `'read committed'`,
  standard_conforming_strings: `'on'`,
  // The names of types that the tables are compared by would be others.
  quote_all_identifiers: `'off'`,
};

const application = 'appliance-bot';

/** How the names of a replica's sessions end. PostgreSQL keeps 63 bytes of a name, and the end of a replica's is its own. */
export const signOf = (replica: string): string => ` ${replica.slice(-44)}`;

/** The same address, by which a replica's sessions are told from those of others. */
export function addressFor(url: string, replica: string | undefined): string {
  if (replica === undefined) return url;
  const address = new URL(url);
  const name = address.searchParams.get('application_name') ?? application;
  address.searchParams.set('application_name', `${name.slice(0, 18)}${signOf(replica)}`);
  return address.href;
}

export function configFor(url: string): pg.ClientConfig {
  const address = new URL(url);
  // What `pg` makes of these today; a later version is to look at no certificate with some of them.
  const isWeaker = /^(?:prefer|require|verify-ca)$/.test(address.searchParams.get('sslmode') ?? '');
  if (isWeaker && !address.searchParams.has('uselibpqcompat'))
    address.searchParams.set('sslmode', 'verify-full');
  if (!address.searchParams.has('application_name'))
    address.searchParams.set('application_name', application);
  return {
    connectionString: address.href,
    connectionTimeoutMillis: timeoutFor.connection,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: {
      // Moments and counts, which fit into a number; by itself `pg` hands them out as text. For our connections only.
      getTypeParser: (id: number, format?: 'text' | 'binary') =>
        id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format as 'text'),
    },
  };
}

/** In milliseconds. The pool gives up a connection a moment later, and would not say what became of the addresses. */
const dialingTimeout = timeoutFor.connection - 50;

/** A connection that is opened as all of the bot's are. `pg` would leave it to Node, which gives up an address after 250 ms. */
export class DialedClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    const dialed = this.#dial();
    if (callback === undefined) return dialed.then(() => super.connect());
    dialed.then(() => super.connect(callback), callback);
    return undefined;
  }

  async #dial(): Promise<void> {
    const { host, port } = this;
    // That is a socket in the file system.
    if (host.startsWith('/')) return;
    const socket = await dial({ host, port }, { timeout: dialingTimeout });
    // It begins with a stream that is not connected, and connects it.
    Object.assign(this.connection, { stream: connecting(socket) });
  }
}

/** For whoever connects what is connected already. */
function connecting(socket: Socket): Socket {
  const connect = () => {
    process.nextTick(() => socket.emit('connect'));
    return socket;
  };
  return Object.assign(socket, { connect });
}

/**
 * Makes a new connection one of our sessions. By a statement: PgBouncer refuses a connection whose first packet asks for more than
 * a name. A setting that this version of the server does not know is left out, and one that the address names is the address's.
 */
async function beginSession(client: pg.ClientBase, url: string, settings: Settings): Promise<void> {
  const options = new URL(url).searchParams.getAll('options').join(' ');
  const named = new Set(
    Array.from(options.matchAll(/(?:-c\s*|--)([\w-]+)/g), ([, name = '']) =>
      name.replaceAll('-', '_').toLowerCase(),
    ),
  );
  const asked = Object.entries({ ...sessionSettings, ...settings }).filter(([name]) => !named.has(name));
  const values = asked.map(([name, value]) => `('${name}', ${value})`).join(', ');
  const text = `select set_config(name, value, false) from (values ${values}) as asked (name, value)
    where current_setting(name, true) is not null`;
  await client.query({ text, query_timeout: timeoutFor.connection } as pg.QueryConfig);
}

/** Refuses at once while the database is known to be away, so that a line of calls does not wait for it one by one. */
export interface ConnectionBreaker {
  /** Of those who come after the cooldown, one tries; the others are refused until it has got through. */
  readonly connect: <Client>(connect: () => Promise<Client>) => Promise<Client>;
  readonly trip: (cause: unknown) => void;
}

/** How long everybody is refused at once after it could not be reached, in milliseconds. */
const cooldown = 1_000;

export function createConnectionBreaker(url: string): ConnectionBreaker {
  const { pass, answered, failed } = createCircuitBreaker({
    enough: 1,
    pauses: { first: cooldown, longest: cooldown },
    probing: Number.POSITIVE_INFINITY,
    now: () => performance.now(),
  });
  let cause: unknown;
  const trip = (error: unknown) => {
    cause = error;
    failed();
  };
  return {
    trip,
    connect: async (connect) => {
      if (!pass()) throw new JournalUnavailable(cause);
      try {
        const client = await connect();
        answered();
        return client;
      } catch (thrown) {
        const error = withoutAddress(thrown, url);
        trip(error);
        throw new JournalUnavailable(error);
      }
    },
  };
}

export async function connectAlone(url: string, breaker: ConnectionBreaker): Promise<pg.Client> {
  const client = new DialedClient({ ...configFor(url), query_timeout: timeoutFor.answer });
  client.on('error', () => undefined);
  await breaker.connect(async () => {
    try {
      await client.connect();
      await beginSession(client, url, { statement_timeout: `'${timeoutFor.statement}'` });
    } catch (error) {
      client.end().catch(() => undefined);
      throw error;
    }
  });
  return client;
}

const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** SQLSTATE disk_full. */
const isFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '53100';

/**
 * By SQLSTATE: 08 the connection, 53 no room or no memory, 57P0x shutting down, 57014 took too long, 25006 a standby that is
 * no primary yet, 25P03 we were silent in a transaction. What the network or the client says has no such code.
 */
export function isAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (isSilence(error) || /Connection terminated|not queryable|Connection ended/.test(error.message))
    return true;
  if ('syscall' in error) return true;
  const code = 'code' in error ? String(error.code) : '';
  return /^(?:08...|53...|57P0.|57014|25006|25P03|E[A-Z_]+)$/.test(code);
}

/** The pool of connections that the journal's statements go through, each of which says when the database is away. */

export function openPool(
  url: string,
  settings: Settings,
  config: pg.PoolConfig & { readonly max: number },
  breaker: ConnectionBreaker,
  written: (milliseconds: number) => void = () => undefined,
): Database {
  const onConnect = (client: pg.ClientBase) => beginSession(client, url, settings);
  const pool = new pg.Pool({ ...configFor(url), ...config, onConnect, Client: DialedClient });
  // Work that waits for one of our own connections waits here, before the pool counts it as a connection that fails:
  // much to do is no sign that the database is away.
  const { acquire } = createSemaphore(config.max);
  // A connection that breaks while nobody uses it: the pool has dropped it, and the next one who needs one connects anew.
  pool.on('error', () => undefined);
  // One that breaks between two queries of a transaction: the next query says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const guarded: PostgresPool = {
    connect: async () => {
      const giveBack = await acquire();
      try {
        return guard(await breaker.connect(() => pool.connect()), breaker, giveBack, written);
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

/** `written`: told of each commit, also of a statement that is one by itself, how many milliseconds it took. */
function guard(
  client: pg.PoolClient,
  breaker: ConnectionBreaker,
  giveBack: () => void,
  written: (milliseconds: number) => void,
): PostgresPoolClient {
  let isBroken = false;
  let isInTransaction = false;
  const isCommit = (text: string) =>
    /^commit/i.test(text) || (!isInTransaction && /^(?:insert|update|delete|with)/i.test(text));
  async function query(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<unknown>> {
    try {
      const asked = { name: nameFor(text), text, values: values.map(storable) };
      const began = performance.now();
      const { command, rowCount, rows } = await client.query(asked);
      if (isCommit(text)) written(performance.now() - began);
      if (/^(?:begin|start|commit|rollback)/i.test(text)) isInTransaction = /^(?:begin|start)/i.test(text);
      // Kysely reads the count for what changes rows, where there is one.
      return { command, rowCount: rowCount ?? 0, rows } as PostgresQueryResult<unknown>;
    } catch (error) {
      if (!isAway(error)) throw error;
      // An answer that did not come may come yet, to the question of somebody else.
      isBroken = true;
      if (isSilence(error)) breaker.trip(error);
      throw new JournalUnavailable(error, isFull(error) ? 'full' : 'away');
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

/** The address of a database is a secret, and what a password breaks in it must not be taken for a host and shown. */

/** Whether a sign of the password can have been taken for the end of the host: then nobody knows what is which. */
function isCertain(url: string): boolean {
  const rest = url.slice(url.indexOf('://') + 3);
  const authority = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  return !rest.slice(authority.length).includes('@') && !rest.includes('#');
}

/** What went wrong with the network, by Node's code. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'the host name lookup failed',
  ECONNREFUSED: 'connection refused',
  ETIMEDOUT: 'timed out',
  ECONNRESET: 'the connection was reset',
  EHOSTUNREACH: 'the host is unreachable',
  ENETUNREACH: 'the network is unreachable',
};

/** An error of a connection, with nothing in it that the address was taken apart to, unless that is certain. */
export function withoutAddress(error: unknown, url: string): unknown {
  if (isCertain(url) || !(error instanceof Error)) return error;
  const code = 'code' in error ? String(error.code) : '';
  const reason = reasons[code] ?? 'unreachable';
  const safe = new Error(
    `${reason} (check that @, /, ?, # and % in the password are written as %40, %2F, %3F, %23 and %25)`,
  );
  return Object.assign(safe, code === '' ? {} : { code });
}
