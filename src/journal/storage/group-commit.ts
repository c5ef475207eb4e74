import { createSerialQueue } from './serial-queue.ts';

/** At once with the lock that writers take turns with, or only when something is written. */
type Begin = 'begin immediate' | 'begin';

/** A connection to the file, as far as its commits go. */
export interface Committing {
  readonly run: (
    order: Begin | 'commit' | 'rollback' | `${'savepoint' | 'release' | 'rollback to'} one`,
  ) => void;
  /** Whether the database itself says that a transaction is open: some failures end one. */
  readonly isOpen: () => boolean;
}

/**
 * One after the other, and everybody's writes of the same turn of the event loop in one commit: what it costs, with the disk
 * above all, is paid once. Nobody hears that something was written, nor what was read meanwhile, before it is committed.
 */
export interface GroupCommit {
  /**
   * Resolves when it is this one's turn on a connection, to what ends it, which resolves when what it did is committed.
   * Without a connection nothing is left open on any.
   */
  readonly take: (connection?: Committing) => Promise<() => Promise<void>>;
  /** To be called before something is written. True where nothing was written before it that others wait for. */
  readonly open: (connection: Committing, begin?: Begin) => boolean;
  /** To be called when a statement has failed. */
  readonly failed: (error: unknown) => void;
  /** Nothing more is written in it: the next write begins anew. */
  readonly abandon: () => void;
  /** Commits what is open on this connection. */
  readonly close: (connection: Committing) => void;
  /** When it was last used: milliseconds of a clock that only grows. */
  readonly usedAt: () => number;
}

interface Group {
  readonly connection: Committing;
  readonly committed: PromiseWithResolvers<void>;
}

/** `written`: told of each commit, how many milliseconds it took. */
export function createGroupCommit(written: (milliseconds: number) => void = () => undefined): GroupCommit {
  const turns = createSerialQueue();
  let usedAt = performance.now();
  let group: Group | undefined;
  let isTaken = false;
  /** The turn of the event loop in which it was opened is over. */
  let isDue = false;

  return {
    take: async (connection) => {
      usedAt = performance.now();
      const end = await turns.take('connection');
      isTaken = true;
      // Two connections cannot write at the same time.
      if (group !== undefined && group.connection !== connection) commit();
      return async () => {
        const joined = group;
        isTaken = false;
        if (isDue) commit();
        end();
        await joined?.committed.promise;
      };
    },

    open: (connection, begin = 'begin immediate') => {
      if (group !== undefined) return false;
      connection.run(begin);
      const opened: Group = { connection, committed: Promise.withResolvers() };
      // Whoever waits for it hears of a failure; it may be that nobody does any more.
      opened.committed.promise.catch(() => undefined);
      group = opened;
      isDue = false;
      setImmediate(() => {
        if (group !== opened) return;
        isDue = true;
        if (!isTaken) commit();
      });
      return true;
    },

    failed: (error) => {
      if (group === undefined || group.connection.isOpen()) return;
      group.committed.reject(error);
      group = undefined;
    },

    abandon: () => {
      group?.connection.run('rollback');
      group?.committed.resolve();
      group = undefined;
    },

    close: (connection) => {
      if (group?.connection === connection) commit();
    },

    usedAt: () => usedAt,
  };

  function commit(): void {
    if (group === undefined) return;
    const { connection, committed } = group;
    group = undefined;
    isDue = false;
    const began = performance.now();
    try {
      connection.run('commit');
      committed.resolve();
      written(performance.now() - began);
    } catch (error) {
      if (connection.isOpen()) connection.run('rollback');
      committed.reject(error);
    }
  }
}
