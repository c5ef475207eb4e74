import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { currentCaller } from '../../caller.ts';
import { createSemaphore } from '../../semaphore.ts';
import type { Store } from '../database.ts';
import { smallEnough } from '../file/check.ts';
import { createFileKeeper } from '../file/keeper.ts';
import { createLogMover } from '../file/log-mover.ts';
import { type FileNotices, usualWatching, type Watching, watchJournalFile } from '../file/watch.ts';
import { migrate } from '../migrate.ts';
import { createGroupCommit } from './group-commit.ts';
import { openFile } from './sqlite-connection.ts';
import { storable } from './storable.ts';

/** The embedded journal. */
export interface SqliteStore extends Store {
  /** Looks after the file from now on, which must have its tables. @throws JournalUnavailable where it is damaged */
  readonly watch: (notices: FileNotices, watching?: Partial<Watching>) => Promise<void>;
}

/** Opens the embedded journal in a file. */
export function openSqlite(
  file: string,
  open: typeof openFile = openFile,
  written?: (milliseconds: number) => void,
): SqliteStore {
  /** Those who wait take turns: ten orders of one person do not stand before one of somebody else. */
  const mutex = createSemaphore();
  const keeper = createFileKeeper(file);
  const mover = createLogMover(file, keeper.isUsable);
  const commits = createGroupCommit((milliseconds) => {
    written?.(milliseconds);
    mover.committed();
  });
  const opened = open(file, { commits, keeper });
  const { durable, quick } = opened;
  const alone = async <Value>(task: () => Value | Promise<Value>): Promise<Value> => {
    const end = await commits.take();
    try {
      return await task();
    } finally {
      await end();
    }
  };
  let stopWatching = () => {};
  return {
    durable,
    quick,
    isShared: false,
    among: (keys) => sql`(select value from json_each(${JSON.stringify(keys.map(storable))}))`,
    // One process, and one of its transactions at a time.
    claiming: (query) => query,
    exclusively: async (key, timeout, task) => {
      const release = await mutex.acquire(key, currentCaller(), timeout);
      if (release === undefined) return undefined;
      try {
        return { value: await task() };
      } finally {
        release();
      }
    },
    write: opened.write,
    inTurn: async () => undefined,
    probe: async () => {
      await alone(async () => {
        await mover.rests();
        await keeper.recover();
      });
      await quick.transaction().execute(async (transaction) => {
        // Nobody sees it. A row that changes in its place would say nothing of whether there is room for another one.
        const row = { id: ' '.repeat(worthWriting), started_at: 0, beats: 0 };
        await transaction.insertInto('replicas').values(row).execute();
        await transaction.deleteFrom('replicas').where('id', '=', row.id).execute();
      });
    },
    clock: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
    // What a process has locked is free with its end.
    evict: async (replica, beats) => {
      await quick.deleteFrom('replicas').where('id', '=', replica).where('beats', '=', beats).execute();
    },
    migrate: () => migrate(durable),
    watch: async (notices, watching) => {
      if (statSync(file).size <= smallEnough) {
        const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(quick);
        const damage = rows.map((row) => row.quick_check).filter((found) => found !== 'ok');
        if (damage.length > 0) keeper.condemn(damage.join('; '));
      }
      keeper.admit();
      keeper.remember();
      mover.opened();
      stopWatching = watchJournalFile(file, keeper, notices, { ...usualWatching, ...watching });
    },
    close: async () => {
      stopWatching();
      await mover.end();
      await keeper.leave(opened.close);
    },
  };
}

/** So many bytes can be written, or there is no room to go on with. */
const worthWriting = 64 * 1_024;
