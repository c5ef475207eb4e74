import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Journal, newReplica, openJournal } from '../src/journal/journal.ts';
import { createGroupCommit } from '../src/journal/storage/group-commit.ts';
import { openPostgres } from '../src/journal/storage/postgres.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { takePostgres } from './stores.ts';
import { unsynced } from './unsynced.ts';

/** Where all lives of a story keep their journal. */
interface LivesJournal {
  /** For one more of them, or for somebody who only looks. */
  readonly open: () => Promise<Journal>;
  /** Whose this was has died: what it was connected by is gone, with the locks that it held. */
  readonly die: (journal: Journal) => void;
  /** So many milliseconds go by in which whoever has died shows no heartbeat. */
  readonly wait: (milliseconds: number) => void;
  readonly end: () => Promise<void>;
}

export type OpenLivesJournal = (now: () => number) => Promise<LivesJournal>;

/** In a file: of those who have lived before, nobody can be alive. */
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
        ...openSqlite(file, (_, survives) => unsynced(file, survives, commits)),
        migrate: async () => undefined,
      };
      return openJournal(store, now);
    },
    wait: () => undefined,
    // What it was in the midst of never ends: it is closed with its story, for which nobody waits.
    die: (journal) => void dead.push(journal),
    end: async () => {
      for (const journal of dead) void journal.close().catch(() => undefined);
      rmSync(folder, { recursive: true, force: true });
    },
  });
};

/** In a PostgreSQL, where each of them is a replica: whoever has died is missed first. */
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

/** Closes what was opened when it ends. */
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
