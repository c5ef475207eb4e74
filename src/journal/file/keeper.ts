import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, type DatabaseSync } from 'node:sqlite';
import { type JournalTrouble, JournalUnavailable } from '../unavailable.ts';
import { roomIn } from './room.ts';
import { indexOf, logOf, type OpenFiles, openFiles } from './same-file.ts';
import { troubleIn } from './sqlite-error.ts';

/** A connection to a database that can be closed and opened again, where its file was made anew. */
export interface Reopenable {
  readonly raw: () => DatabaseSync;
  readonly close: () => void;
  readonly open: () => void;
}

/** Knows what state the file of an embedded journal is in, and lets nobody at it while it is in none to be used. */
export interface FileKeeper {
  /** All connections of this process to the file belong to it. */
  readonly opened: (connection: Reopenable) => void;
  /** To be asked before a statement. @throws JournalUnavailable */
  readonly admit: () => void;
  readonly isUsable: () => boolean;
  /** For how many milliseconds a statement may wait from now on for a lock that another process has. */
  readonly patience: () => number;
  /** What to throw where SQLite threw this. */
  readonly explain: (error: unknown) => unknown;
  /** From now on it is known which file this is, and noticed when its path leads to another one or to none. */
  readonly remember: () => void;
  /** Looks whether it still is that file. */
  readonly look: () => void;
  /** It was found to be damaged: nobody uses it any more. */
  readonly condemn: (found: string) => void;
  /**
   * Before it is tried whether the file can be used again: makes one that was deleted anew, of what is still open, and does
   * not try a disk that was full and is. To be called when nobody uses a connection. @throws JournalUnavailable
   */
  readonly recover: () => Promise<void>;
  /** Closes what is open in the end, by `close`; saves before what would be lost with it. */
  readonly leave: (close: () => Promise<void>) => Promise<void>;
}

/** For so long a lock is waited for, in milliseconds: a backup or a look at the journal is over by then. */
const lockPatience = 1_000;

/** In bytes: a log has room of its own for a row or two, and would be full again with the next. */
const worthTrying = 1_024 * 1_024;
/** Between two attempts to write a large journal anew, in milliseconds. */
const mendingPause = 10_000;

export function createFileKeeper(file: string, patience: number = lockPatience): FileKeeper {
  const connections: Reopenable[] = [];
  let files: OpenFiles | undefined;
  let trouble: JournalUnavailable | undefined;
  let impatientUntil = Number.NEGATIVE_INFINITY;
  let wasFull = false;
  let nextMending = Number.NEGATIVE_INFINITY;

  /** What is damaged or replaced stays so, whatever else is found. */
  function note(kind: JournalTrouble, cause: unknown): JournalUnavailable {
    if (trouble === undefined || trouble.trouble === 'deleted') trouble = new JournalUnavailable(cause, kind);
    return trouble;
  }

  function look(): void {
    const fate = files?.fate();
    if (fate === undefined || trouble?.trouble === fate) return;
    note(fate, new Error(`${file} is no longer the file that was opened`));
  }

  function admit(): void {
    if (trouble !== undefined) throw new JournalUnavailable(trouble.cause, trouble.trouble);
  }

  function explain(error: unknown): unknown {
    const kind = troubleIn(error);
    if (kind === undefined) return error;
    // Everybody else in the line would wait as long for the same lock, one after the other.
    if (kind === 'locked') impatientUntil = performance.now() + patience;
    if (kind === 'corrupt') return note(kind, error);
    wasFull ||= kind === 'full';
    look();
    return trouble ?? new JournalUnavailable(error, kind);
  }

  return {
    opened: (connection) => {
      connections.push(connection);
    },
    ...{ look, admit, explain },
    isUsable: () => trouble === undefined,
    patience: () => (performance.now() < impatientUntil ? 0 : patience),
    remember: () => {
      files = openFiles(file);
    },
    condemn: (found) => {
      note('corrupt', new Error(found));
    },
    recover: async () => {
      await mend();
      if (wasFull && (await roomIn(dirname(file))).free < worthTrying) {
        throw new JournalUnavailable(new Error('There is no space left on the disk'), 'full');
      }
      wasFull = false;
    },
    leave: async (close) => {
      try {
        await mend();
        const [first] = connections;
        if (trouble?.trouble === 'replaced' && first !== undefined) {
          const at = new Date().toISOString().replaceAll(':', '');
          await copyInto(`${file}.replaced-${at}`, first.raw());
        }
      } finally {
        await close();
        // SQLite leaves its log where the database is another one, and whoever opens that next would take it for its own.
        if (trouble?.trouble === 'replaced') files?.removeRest();
      }
    },
  };

  async function mend(): Promise<void> {
    look();
    const [first] = connections;
    if (trouble?.trouble !== 'deleted' || first === undefined) return;
    const isTooSoon = performance.now() < nextMending;
    if (isTooSoon) throw new JournalUnavailable(trouble.cause, trouble.trouble);
    nextMending = performance.now() + mendingPause;
    const copy = `${file}.new`;
    await copyInto(copy, first.raw());
    // Page by page as the old one: were the process to end here, the log that may still stand beside it would fit.
    renameSync(copy, file);
    for (const connection of connections) connection.close();
    files?.removeRest();
    for (const connection of connections) connection.open();
    files = openFiles(file);
    trouble = undefined;
    nextMending = Number.NEGATIVE_INFINITY;
  }
}

/** While others wait for nothing: it does not hold the event loop. */
async function copyInto(path: string, from: DatabaseSync): Promise<void> {
  for (const old of [path, logOf(path), indexOf(path)]) rmSync(old, { force: true });
  // Lines and names of people stand in it.
  const copy = openSync(path, 'wx', 0o600);
  try {
    await backup(from, path, { rate: 1_000 });
    fsyncSync(copy);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(copy);
  }
}
