/** Locks that hold for all replicas together: advisory locks of the PostgreSQL, held by a connection of their own. */

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Store } from '../database.ts';
import { JournalUnavailable } from '../unavailable.ts';
import { createMutex } from './mutex.ts';
import { isAway } from './postgres-connection.ts';
import { createSerialQueue } from './serial-queue.ts';

/** How long a connection may take to end, in milliseconds. */
const closeTimeout = 500;
/** How often a lock that others have is tried again, in milliseconds. */
const retry = { least: 20, most: 250 } as const;

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
export function openLocks(connect: () => Promise<pg.Client>): Pick<Store, 'exclusively' | 'close'> {
  const serialQueue = createSerialQueue();
  const mutex = createMutex();
  let session: Promise<Session> | undefined;

  function current(): Promise<Session> {
    if (session !== undefined) return session;
    const opened = connect().then((client): Session => {
      client.once('end', gone);
      let ended: Promise<void> | undefined;
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
