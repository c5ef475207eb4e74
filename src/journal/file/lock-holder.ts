import { readFileSync, statSync } from 'node:fs';
import { shortened } from '../../graphemes.ts';
import { indexOf } from './same-file.ts';

/** Some other process that holds a lock. */
export interface LockHolder {
  readonly pid: number;
  /** Its program and what that was given first: the rest may hold secrets. Undefined where that is not ours to know. */
  readonly command: string | undefined;
}

/**
 * Which other processes keep a database from being written to, as far as the operating system tells: Linux does, in
 * `/proc/locks`. None where nobody knows.
 */
export function lockHolders(database: string): readonly LockHolder[] {
  try {
    const files = new Set([database, indexOf(database)].flatMap(fileAsInLocks));
    const pids = readFileSync('/proc/locks', 'utf8')
      .split('\n')
      .flatMap((line) => {
        // 1: POSIX  ADVISORY  WRITE 4711 fd:00:1234 120 120
        const [, , , kind, pid, file = ''] = line.trim().split(/\s+/);
        return kind === 'WRITE' && files.has(file) ? [Number(pid)] : [];
      });
    return [...new Set(pids)]
      .filter((pid) => pid > 0 && pid !== process.pid)
      .map((pid) => ({ pid, command: commandOf(pid) }));
  } catch {
    return [];
  }
}

/** As `/proc/locks` names a file: its device in hexadecimal, and its inode. */
function fileAsInLocks(path: string): readonly string[] {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (found === undefined) return [];
  const { dev, ino } = found;
  // The C library's way to put both numbers of a device into one.
  const major = ((dev >> 8n) & 0xfffn) | ((dev >> 32n) & 0xfffff000n);
  const minor = (dev & 0xffn) | ((dev >> 12n) & 0xffffff00n);
  const hex = (number: bigint) => number.toString(16).padStart(2, '0');
  return [`${hex(major)}:${hex(minor)}:${ino}`];
}

function commandOf(pid: number): string | undefined {
  try {
    const [program, first] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return shortened([program, first].join(' ').trim(), 200);
  } catch {
    return undefined;
  }
}
