import { sql } from 'kysely';
import type { Store } from '../database.ts';
import { migrate } from '../migrate.ts';
import type { Tables } from '../tables.ts';
import { createMutex } from './mutex.ts';
import { createSerialQueue, type SerialQueue } from './serial-queue.ts';
import { openDatabase } from './sqlite-connection.ts';

/** Opens the embedded journal in a file. */
export function openSqlite(file: string, open: typeof openDatabase = openDatabase): Store {
  const all = createSerialQueue();
  const mutex = createMutex();
  let usedAt = performance.now();
  const serialQueue: SerialQueue = {
    take: (key) => {
      usedAt = performance.now();
      return all.take(key);
    },
  };
  const durable = open(file, 'power_cut', serialQueue);
  const quick = open(file, 'crash', serialQueue);
  const stopTidying = whenCalm(
    () => usedAt,
    () => sql`pragma wal_checkpoint(passive)`.execute(quick),
  );
  return {
    durable,
    quick,
    isShared: false,
    among: (ids) => sql<number>`(select value from json_each(${JSON.stringify(ids)}))`,
    // One process, and one of its transactions at a time.
    claiming: (query) => query,
    exclusively: async (key, timeout, task) => {
      const release = await mutex.acquire(key, timeout);
      if (release === undefined) return undefined;
      try {
        return { value: await task() };
      } finally {
        release();
      }
    },
    changeAndAdd: (database, change, added) =>
      database.transaction().execute(async (transaction) => {
        const changed = await change(transaction).executeTakeFirst();
        if (changed === undefined) return undefined;
        for (const [table, rows] of Object.entries(added)) {
          // The tables and their rows belong together (`Added`).
          await transaction
            .insertInto(table as keyof Tables)
            .values(rows)
            .execute();
        }
        return changed;
      }),
    inTurn: async () => undefined,
    migrate: () => migrate(durable),
    close: async () => {
      stopTidying();
      await quick.destroy();
      await durable.destroy();
    },
  };
}

/** So long nobody has used the journal, in milliseconds. */
const calm = 250;

/** Does something every time when the journal was used and is not any more. Returns what ends that. */
function whenCalm(usedAt: () => number, tidy: () => Promise<unknown>): () => void {
  let tidiedAt = 0;
  const timer = setInterval(() => {
    if (usedAt() <= tidiedAt || performance.now() - usedAt() < calm) return;
    const done = () => {
      // What it does itself is no use of the journal.
      tidiedAt = usedAt();
    };
    // What could not be done now is done the next time, or by whoever fills the log.
    tidy().then(done, done);
  }, calm);
  timer.unref();
  return () => clearInterval(timer);
}
