import { rmSync, statSync } from 'node:fs';

/** A file that was deleted or replaced is still there for whoever has it open, and nobody else will ever find it. */
export interface OpenFiles {
  /** What has become of them, by what their paths lead to now; undefined where they are the ones that were opened. */
  readonly fate: () => 'deleted' | 'replaced' | undefined;
  /** When they are closed: takes away what of them still stands beside the path. */
  readonly removeRest: () => void;
}

/** What SQLite keeps beside a database for as long as somebody has it open: its log, and an index of that. */
export const logOf = (database: string): string => `${database}-wal`;
export const indexOf = (database: string): string => `${database}-shm`;

/** Remembers which files these are. To be called when the database has been opened and read. */
export function openFiles(database: string): OpenFiles {
  const paths = [database, logOf(database), indexOf(database)] as const;
  const [ours, ourLog, ourIndex] = paths.map(idOf);
  return {
    fate: () => {
      const [now, log, index] = paths.map(idOf);
      if (now !== undefined && now !== ours) return 'replaced';
      // Without its log the database is not what was written, and without the index nobody else finds the log's end.
      const isWhole = now === ours && log === ourLog && index === ourIndex;
      return isWhole ? undefined : 'deleted';
    },
    removeRest: () => {
      for (const [path, id] of [
        [logOf(database), ourLog],
        [indexOf(database), ourIndex],
      ] as const)
        if (id !== undefined && idOf(path) === id) rmSync(path);
    },
  };
}

/** Device and inode; undefined where nothing is. */
function idOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}
