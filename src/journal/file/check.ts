import { execFile } from 'node:child_process';
import { setPriority } from 'node:os';

/** More than this is not looked through while somebody waits for it. In bytes: some ten milliseconds. */
export const smallEnough = 16 * 1_024 * 1_024;

/** For how long a look through a journal may take, in milliseconds: some gigabytes on a slow disk. */
const timeout = 30 * 60_000;

/**
 * Looks a journal through while others use it, in a process of its own and behind everything else: SQLite reads all of it in
 * one go, and a thread of ours would keep its memory. Resolves to what is damaged; undefined where nothing is.
 * Rejects where it could not be looked at.
 */
export function findDamage(file: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const program = `(${look})(${JSON.stringify(file)})`;
    const child = execFile(process.execPath, ['--eval', program], { timeout, env: {} }, (error, found) => {
      if (error === null) resolve(found.trim() || undefined);
      else reject(error);
    });
    child.unref();
    try {
      if (child.pid !== undefined) setPriority(child.pid, 19);
    } catch {
      // It has ended already, or this system knows no priorities.
    }
  });
}

/** Runs there, with nothing of this file. Prints what is damaged. */
function look(file: string): void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const damaged = new Set([11, 26]);
  try {
    const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
    const rows = database.prepare('pragma quick_check(1)').all();
    const found = rows.map((row) => String(row.quick_check)).filter((one) => one !== 'ok');
    process.stdout.write(found.join('; '));
  } catch (error) {
    const code = Number(Object(error).errcode);
    // SQLITE_CORRUPT, SQLITE_NOTADB.
    if (!damaged.has(code & 0xff)) throw error;
    process.stdout.write(String(Object(error).message));
  }
}
