import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Supervised } from './supervised.ts';

/** The folder of a journal, which can be left without room. */
export interface Disk {
  /** The means for a full disk on this machine. */
  readonly how: 'ENOSPC' | 'EFBIG';
  readonly fill: (bot: Supervised) => void;
  readonly free: (bot: Supervised) => void;
  readonly remove: () => void;
}

const size = 48 * 1_024 * 1_024;

/**
 * A small file system of its own (tmpfs) at this folder, which can really be full; that takes the right to mount. Without it
 * the bot may write no file beyond the size that its journal has (`prlimit`), which everybody may order for their own processes.
 */
export function openDisk(folder: string): Disk {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'none', folder], {
      stdio: 'ignore',
    });
  } catch {
    return {
      how: 'EFBIG',
      fill: (bot) => {
        const files = ['journal.sqlite', 'journal.sqlite-wal'].map((name) => join(folder, name));
        bot.limitFiles(Math.max(0, ...files.map((file) => (existsSync(file) ? statSync(file).size : 0))));
      },
      free: (bot) => bot.limitFiles(undefined),
      remove: () => undefined,
    };
  }
  const filler = join(folder, 'filler');
  return {
    how: 'ENOSPC',
    fill: () => {
      const file = openSync(filler, 'w');
      try {
        for (let bytes = 1_048_576; bytes >= 4_096; ) {
          try {
            if (writeSync(file, Buffer.alloc(bytes)) === 0) bytes /= 2;
          } catch {
            bytes /= 2;
          }
        }
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove: () => void execFileSync('umount', ['-l', folder]),
  };
}
