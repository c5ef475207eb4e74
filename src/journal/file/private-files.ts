import { chmodSync, closeSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Lines and names of people stand in a journal: for nobody else on the machine to read. */
const ownerOnly = 0o600;
const forOthers = 0o077;

/** Ours in a data folder, with what SQLite puts beside them and copies that were made there. */
const ours = /^(?:journal|lock)\.sqlite/;

export interface Privacy {
  /** The folder's mode, such as `755`, where others may look into it. */
  readonly openFolder: string | undefined;
  /** Files that others could read until now. */
  readonly tightened: readonly string[];
}

/**
 * Sees that nobody else can read the files of a data folder, whoever made the folder and however. To be called before
 * they are opened: what SQLite adds later gets the mode of what is there.
 * @throws where a file belongs to somebody else
 */
export function keepPrivate(folder: string): Privacy {
  for (const name of ['journal.sqlite', 'lock.sqlite'])
    closeSync(openSync(join(folder, name), 'a', ownerOnly));
  const open = readdirSync(folder)
    .filter((name) => ours.test(name))
    .filter((name) => (statSync(join(folder, name)).mode & forOthers) !== 0);
  for (const name of open) chmodSync(join(folder, name), ownerOnly);
  const mode = statSync(folder).mode & 0o777;
  return { openFolder: (mode & forOthers) === 0 ? undefined : mode.toString(8), tightened: open };
}
