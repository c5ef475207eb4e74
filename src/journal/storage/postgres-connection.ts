/** A connection to the PostgreSQL: what it asks of the server, how long anybody waits for it, and what shows that it is away. */

import pg from 'pg';
import type { CircuitBreaker } from './circuit-breaker.ts';

/** Milliseconds: nobody waits for the database longer than this. */
export const timeoutFor = { connection: 2_000, statement: 5_000, answer: 5_500 } as const;

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

export function configFor(url: string, settings: readonly string[]): pg.ClientConfig {
  const address = new URL(url);
  const options = [...sessionSettings, ...settings].map((setting) => `-c ${setting}`);
  // What the address asks for itself comes last, and counts.
  address.searchParams.set('options', [...options, ...address.searchParams.getAll('options')].join(' '));
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

export async function connectAlone(url: string, breaker: CircuitBreaker): Promise<pg.Client> {
  const client = new pg.Client({
    ...configFor(url, [`statement_timeout=${timeoutFor.statement}`]),
    query_timeout: timeoutFor.answer,
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

export const isSilence = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

/** SQLSTATE disk_full. */
export const isFull = (error: unknown): boolean =>
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
