/**
 * What keeps a PostgreSQL from holding the journal, looked for before anything is written there: much of it would show only later, line by
 * line, and at random.
 */

import type pg from 'pg';
import { JournalUnavailable } from '../unavailable.ts';
import { mostConnections } from './postgres.ts';
import { configFor, DialedClient, isAway, timeoutFor, withoutAddress } from './postgres-connection.ts';

/** The first version that has all that the journal asks for. */
const oldest = 12;

/**
 * Half a sentence that goes on from the name of the database, with what to do; undefined where nothing is in the way.
 * `isBeside`: bots may be running on it, whose connections are proof for as many. Sets nothing on any connection: behind a pooler, it
 * would be set for somebody else. @throws JournalUnavailable where nobody can connect
 */
export async function obstacleIn(url: string, isBeside = false): Promise<string | undefined> {
  const clients: pg.Client[] = [];
  const connect = async () => {
    const client = new DialedClient({ ...configFor(url), query_timeout: timeoutFor.connection });
    client.on('error', () => undefined);
    clients.push(client);
    await client.connect();
    return client;
  };
  try {
    const first = await connect().catch((thrown: unknown) => {
      if (hasRefusedOptions(url, thrown)) return refusedOptions;
      const error = withoutAddress(thrown, url);
      if (isAboutCertificate(error)) return notTrusted(error);
      throw new JournalUnavailable(error);
    });
    if (typeof first === 'string') return first;
    const server = await factsOf(first).catch((error: unknown) => {
      throw isAway(error) ? new JournalUnavailable(error) : error;
    });
    return server.obstacle ?? (await obstacleInSessions(first, isBeside ? server.sessions : 0, connect));
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  }
}

/** SQLSTATE protocol_violation: PgBouncer refuses a first packet with what it does not pass on. */
const hasRefusedOptions = (url: string, error: unknown): boolean =>
  new URL(url).searchParams.has('options') &&
  error instanceof Error &&
  'code' in error &&
  error.code === '08P01';

const refusedOptions =
  'is behind a pooler that refuses options: remove options from DATABASE_URL and set them for the role with ALTER ROLE … SET, or name options in ignore_startup_parameters of PgBouncer';

/** By the codes of Node and OpenSSL: DEPTH_ZERO_SELF_SIGNED_CERT, UNABLE_TO_GET_ISSUER_CERT_LOCALLY, ERR_TLS_CERT_ALTNAME_INVALID. */
const isAboutCertificate = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && /CERT|LEAF_SIGNATURE/.test(String(error.code));

/** What Node adds behind a semicolon is about how Node is called. */
const notTrusted = ({ message }: Error): string =>
  `shows a certificate that is not trusted (${message.split(';', 1)[0]}): name the file of its CA in DATABASE_URL with sslmode=verify-full&sslrootcert=/path/ca.pem, and the host as the certificate does`;

interface Facts {
  readonly version: number;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly path: string;
  readonly schema: string | null;
  readonly mayCreate: boolean | null;
  readonly owner: string | null;
  readonly mayWrite: boolean | null;
  readonly role: string;
  readonly sessions: number;
}

async function factsOf(
  client: pg.Client,
): Promise<{ readonly obstacle: string | undefined; readonly sessions: number }> {
  // By itself: an earlier one would not understand the rest.
  const version = await client.query<{ server_version: string }>('show server_version');
  const called = version.rows[0]?.server_version ?? '';
  if (Number.parseInt(called, 10) < oldest) {
    return {
      obstacle: `is PostgreSQL ${called}, which is too old: use PostgreSQL ${oldest} or later`,
      sessions: 0,
    };
  }
  const { rows } = await client.query<Facts>(`
    select current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby",
      current_setting('transaction_read_only') = 'on' as "isReadOnly", current_setting('search_path') as path,
      current_schema() as schema, has_schema_privilege(current_schema(), 'create') as "mayCreate",
      (select pg_get_userbyid(relowner) from pg_class where oid = actions) as owner,
      has_table_privilege(actions, 'select') and has_table_privilege(actions, 'insert')
        and has_table_privilege(actions, 'update') and has_table_privilege(actions, 'delete') as "mayWrite",
      current_user as role,
      (select count(*)::int from pg_stat_activity
        where datname = current_database() and usename = session_user and pid <> pg_backend_pid()) as sessions
    from (select to_regclass('actions') as actions) as journal`);
  const [facts] = rows;
  return facts === undefined
    ? { obstacle: undefined, sessions: 0 }
    : { obstacle: obstacleAmong(facts), sessions: facts.sessions };
}

function obstacleAmong({ encoding, schema, role, owner, ...is }: Facts): string | undefined {
  if (encoding !== 'UTF8')
    return `has the encoding ${encoding}, which cannot hold what people type and appliances answer: create another one with createdb -E UTF8 -T template0, and restore a pg_dump of this one there if it has a journal`;
  if (is.isStandby) return 'is a standby, which cannot be written: let DATABASE_URL point to the primary';
  if (is.isReadOnly)
    return `cannot be written, because default_transaction_read_only is on: turn it off with ALTER ROLE "${role}" SET default_transaction_read_only = off, or for the database`;
  if (schema === null)
    return `has no schema of those in the search_path of its user (${is.path}): create one, or change it with ALTER ROLE "${role}" SET search_path = public`;
  if (owner === null && !is.mayCreate)
    return `is empty, and its user may not create tables there: make the user its owner, or GRANT CREATE ON SCHEMA "${schema}" TO "${role}"`;
  if (is.mayWrite === false)
    return `has a journal that belongs to the role "${owner}", and its user may not write to it: connect as "${owner}", or use REASSIGN OWNED BY "${owner}" TO "${role}"`;
  return undefined;
}

/** Whether the server gives as many connections as a replica needs, and each of them a session of its own. */
async function obstacleInSessions(
  first: pg.Client,
  others: number,
  connect: () => Promise<pg.Client>,
): Promise<string | undefined> {
  // With one alone, nobody sees whether it is shared.
  const wanted = Math.max(2, mostConnections - others);
  const opened = await Promise.allSettled(Array.from({ length: wanted - 1 }, connect));
  const clients = [first, ...opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))];
  const refused = opened.find((one) => one.status === 'rejected');
  if (refused !== undefined) return tooFew(clients.length, refused.reason);
  const seen = new Set<number>();
  for (const [index, client] of clients.entries()) {
    let process: number;
    try {
      // A pooler hands out the connection that was used last, or the next one in turn: one of both shows between two statements.
      process = await processOf(client);
      if ((await processOf(client)) !== process || seen.has(process)) return shared;
    } catch (error) {
      // A pooler lets everybody in, and keeps them waiting for a connection to the server.
      return tooFew(index, error);
    }
    seen.add(process);
  }
  return undefined;
}

async function processOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid ?? 0;
}

const shared =
  'is behind a pooler that shares sessions between its clients, which loses locks and settings: set pool_mode = session for it in PgBouncer, or let DATABASE_URL point to PostgreSQL itself';

const tooFew = (count: number, reason: unknown): string =>
  `gives its user only ${count} connections now (${reason instanceof Error ? reason.message : String(reason)}), and each replica needs ${mostConnections}: raise CONNECTION LIMIT of the role or the database, max_connections of the server, or default_pool_size and max_client_conn of PgBouncer`;
