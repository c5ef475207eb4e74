import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, newReplica, openJournal } from '../src/journal/journal.ts';
import { createGroupCommit } from '../src/journal/storage/group-commit.ts';
import { openPostgres } from '../src/journal/storage/postgres.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { takePostgres } from './stores.ts';
import { unsynced } from './unsynced.ts';

/** The journal that all processes of a scenario share. */
interface LivesJournal {
  /** For one more of them, or for somebody who only looks. */
  readonly open: () => Promise<Journal>;
  /** Ends the dead process's connections, with the locks that they held. */
  readonly die: (journal: Journal) => void;
  /** Lets so many milliseconds pass, in which a dead process shows no heartbeat. */
  readonly wait: (milliseconds: number) => void;
  readonly end: () => Promise<void>;
}

export type OpenLivesJournal = (now: () => number) => Promise<LivesJournal>;

/** In a file: no earlier process can be alive. */
export const inFile: OpenLivesJournal = async (now) => {
  const folder = mkdtempSync(join(tmpdir(), 'lives-'));
  const file = join(folder, 'journal.sqlite');
  writeFileSync(file, await emptyJournal());
  // Lives that stand for two replicas are in one process here: one would block the other in the middle of its transaction.
  const commits = createGroupCommit();
  const dead: Journal[] = [];
  return ofAll({
    open: () => {
      // Its tables are there (`emptyJournal`), and lives are many.
      const store = {
        ...openSqlite(file, (_, parts) => unsynced(file, { ...parts, commits })),
        migrate: async () => undefined,
      };
      return openJournal(store, now);
    },
    wait: () => undefined,
    // Its unfinished work never ends: the journal closes with the scenario, and nothing waits for it.
    die: (journal) => void dead.push(journal),
    end: async () => {
      for (const journal of dead) void journal.close().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  });
};

/** In a PostgreSQL, where each process is a replica: a dead one is evicted first. */
export const inPostgres: OpenLivesJournal = async (now) => {
  const { url, giveBack } = await takePostgres();
  let waited = 0;
  return ofAll({
    open: async () => {
      const replica = newReplica();
      const elapsed = () => performance.now() + waited;
      const journal = await openJournal(openPostgres(url, replica), now, replica, undefined, elapsed);
      await journal.heartbeat();
      return journal;
    },
    wait: (milliseconds) => {
      waited += milliseconds;
    },
    die: (journal) => void journal.close().catch(() => undefined),
    end: giveBack,
  });
};

/** Closes every opened journal at the end. */
function ofAll({ open, wait, die, end }: LivesJournal): LivesJournal {
  const journals = new Set<Journal>();
  return {
    wait,
    die: (journal) => {
      if (journals.delete(journal)) die(journal);
    },
    open: async () => {
      const journal = await open();
      journals.add(journal);
      return journal;
    },
    end: async () => {
      for (const journal of journals) await journal.close();
      await end();
    },
  };
}

let empty: Buffer | undefined;

/** A journal's file with its tables, which take longer to make than to copy. */
export async function emptyJournal(): Promise<Buffer> {
  if (empty !== undefined) return empty;
  const folder = mkdtempSync(join(tmpdir(), 'lives-'));
  const file = join(folder, 'journal.sqlite');
  await (await openJournal(openSqlite(file, unsynced), Date.now)).close();
  empty = readFileSync(file);
  rmSync(folder, { recursive: true, force: true });
  return empty;
}
