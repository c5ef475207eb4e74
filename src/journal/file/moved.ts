import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The mark in a data folder whose journal has gone to a PostgreSQL. What was under way still stands in the folder as it was:
 * whoever went on with it would do and say all of that a second time.
 */
export interface Moved {
  /** The database, without user and password. */
  readonly to: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Beside the journal and named after it, so that it is as private, and is seen by whoever looks for the journal. */
export const movedFile = (folder: string): string => join(folder, 'journal.sqlite.moved');

/** On disk when it returns. */
export function markMoved(folder: string, moved: Moved): void {
  writeFileSync(movedFile(folder), `${JSON.stringify(moved)}\n`, { mode: 0o600, flush: true });
}

/** Undefined where the folder's journal is its own. A mark that cannot be understood is one all the same. */
export function readMoved(folder: string): Partial<Moved> | undefined {
  let text: string;
  try {
    text = readFileSync(movedFile(folder), 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { to, at }: Partial<Moved> = JSON.parse(text) ?? {};
    return { ...(typeof to === 'string' && { to }), ...(typeof at === 'number' && { at }) };
  } catch {
    return {};
  }
}
