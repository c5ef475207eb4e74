import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { broken } from './apply.ts';
import type { Edit } from './breakage.ts';

/** A copy of the checkout, as it is at this moment, in which the source can be broken. */
export interface Scratch {
  readonly folder: string;
  /** Breaks it; resolves to what makes it whole again. */
  readonly breakBy: (edits: readonly Edit[]) => () => void;
  readonly remove: () => void;
}

export function openScratch(): Scratch {
  const folder = mkdtempSync(join(tmpdir(), 'breakages-'));
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 ** 2,
  });
  // A file that was just deleted is still listed.
  for (const file of listed.split('\0').filter((name) => name !== '' && existsSync(name))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(file, join(folder, file));
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return {
    folder,
    breakBy: (edits) => {
      const before = new Map<string, string>();
      for (const edit of edits) {
        const path = join(folder, edit.file);
        const text = readFileSync(path, 'utf8');
        if (!before.has(path)) before.set(path, text);
        writeFileSync(path, broken(text, edit));
      }
      return () => {
        for (const [path, text] of before) writeFileSync(path, text);
      };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
