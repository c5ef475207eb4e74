import { DatabaseSync } from 'node:sqlite';

/** A data folder belongs to one process: two would each take the other's running actions for the remains of a crash. */
export interface Lock {
  readonly release: () => void;
}

/** SQLITE_BUSY. */
const busy = 5;

/**
 * Takes a file's lock and holds it until it is released or the process ends, however it ends: the operating system
 * keeps it, by way of SQLite. Undefined when another process holds it.
 */
export function takeLock(file: string): Lock | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === busy) return undefined;
    throw error;
  }
  return { release: () => database.close() };
}
