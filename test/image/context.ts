import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

/** Copies what a build would be sent of a folder, by its `.dockerignore`. */
export function copyContext(from: string, to: string): void {
  const rules = readFileSync(join(from, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ keeps: line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  copy('');

  function copy(folder: string): void {
    for (const entry of readdirSync(join(from, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const isSent = isKept(path);
      if (entry.isDirectory()) {
        if (isSent || rules.some(({ keeps, pattern }) => keeps && pattern.startsWith(`${path}/`))) copy(path);
      } else if (isSent) {
        cpSync(join(from, path), join(to, path), { verbatimSymlinks: true });
      }
    }
  }

  /** The last rule that is about a path, or a folder that it is in, decides. */
  function isKept(path: string): boolean {
    const parts = path.split('/');
    const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = rules.findLast(({ pattern }) => paths.some((one) => matchesGlob(one, pattern)));
    return last?.keeps ?? true;
  }
}
