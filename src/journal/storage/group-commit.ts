import { createSemaphore } from '../../semaphore.ts';

/** At once with the lock that writers take turns with, or only when something is written. */
export type BeginMode = 'begin immediate' | 'begin';

/** What a commit outlives: a crash of the process, or a power cut too, for which it waits until it is on disk. */
export type Survives = 'crash' | 'power_cut';

/** A connection to the file, as far as its commits go. */
export interface Committing {
  /** What the next commit outlives. To be called between two transactions. */
  readonly survive: (what: Survives) => void;
  readonly run: (
    order: BeginMode | 'commit' | 'rollback' | `${'savepoint' | 'release' | 'rollback to'} one`,
  ) => void;
  /** Whether the database itself says that a transaction is open: some failures end one. */
  readonly isOpen: () => boolean;
}

/**
 * One after the other, and everybody's writes of the same turn of the event loop in one commit: what it costs, with the disk
 * above all, is paid once. Nobody hears that something was written, nor what was read meanwhile, before it is committed.
 *
 * Ours, because no library shares a commit among transactions that know nothing of each other.
 */
export interface GroupCommit {
  /**
   * Resolves when it is this one's turn on a connection, to what ends it, which resolves when what it did is committed.
   * Without a connection nothing is left open on any.
   */
  readonly take: (connection?: Committing) => Promise<() => Promise<void>>;
  /**
   * To be called before something is written. True where nothing was written before it that others wait for. What must outlive a
   * power cut shares no commit with what was written before it and need not.
   */
  readonly open: (connection: Committing, survives: Survives, begin?: BeginMode) => boolean;
  /** To be called when a statement has failed. */
  readonly failed: (error: unknown) => void;
  /** Nothing more is written in it: the next write begins anew. */
  readonly abandon: () => void;
  /** Commits what is open on this connection. */
  readonly close: (connection: Committing) => void;
}

interface Group {
  readonly connection: Committing;
  readonly survives: Survives;
  readonly committed: PromiseWithResolvers<void>;
}

/** `written`: told of each commit, how many milliseconds it took. */
export function createGroupCommit(written: (milliseconds: number) => void = () => undefined): GroupCommit {
  const turns = createSemaphore();
  let group: Group | undefined;
  let isTaken = false;
  /** The turn of the event loop in which it was opened is over. */
  let isDue = false;

  return {
    take: async (connection) => {
      const end = await turns.acquire();
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

    open: (connection, survives, begin = 'begin immediate') => {
      if (group?.survives === 'crash' && survives === 'power_cut') commit();
      if (group !== undefined) return false;
      connection.survive(survives);
      connection.run(begin);
      const opened: Group = { connection, survives, committed: Promise.withResolvers() };
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
