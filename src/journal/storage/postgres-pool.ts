/** The pool of connections that the journal's statements go through, each of which says when the database is away. */

import {
  Kysely,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import pg from 'pg';
import { createSemaphore } from '../../semaphore.ts';
import type { Database } from '../database.ts';
import type { Tables } from '../tables.ts';
import { JournalUnavailable } from '../unavailable.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import { configFor, isAway, isFull, isSilence } from './postgres-connection.ts';
import { storable } from './storable.ts';

export function openPool(
  url: string,
  settings: readonly string[],
  config: pg.PoolConfig & { readonly max: number },
  breaker: CircuitBreaker,
  written: (milliseconds: number) => void = () => undefined,
): Database {
  const pool = new pg.Pool({ ...configFor(url, settings), ...config });
  // Work that waits for one of our own connections waits here, before the pool counts it as a connection that fails:
  // much to do is no sign that the database is away.
  const take = createSemaphore(config.max);
  // A connection that breaks while nobody uses it: the pool has dropped it, and the next one who needs one connects anew.
  pool.on('error', () => undefined);
  // One that breaks between two queries of a transaction: the next query says so.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const guarded: PostgresPool = {
    connect: async () => {
      const giveBack = await take();
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
  breaker: CircuitBreaker,
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
