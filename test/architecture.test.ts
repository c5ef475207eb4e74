import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Arrows run one way. A folder may import itself, what stands here, and the files beside main.ts that are named. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  api: ['caller.ts', 'fair-queue.ts', 'secrets.ts'],
  auth: [],
  journal: ['caller.ts', 'fair-queue.ts'],
  handlers: ['api', 'duration.ts', 'in-turns.ts', 'marks.ts', 'secrets.ts'],
  action: [
    ...['handlers', 'api', 'auth', 'journal'],
    ...['caller.ts', 'in-turns.ts', 'log.ts', 'marks.ts', 'secrets.ts'],
  ],
  config: ['api', 'auth', 'bot', 'duration.ts', 'problem.ts'],
  bot: [
    ...['action', 'handlers', 'auth', 'journal'],
    ...['caller.ts', 'fair-queue.ts', 'log.ts', 'marks.ts', 'problem.ts'],
  ],
};

interface Import {
  readonly file: string;
  readonly from: string;
}

const files = globSync('src/**/*.ts', { exclude: (name) => name.endsWith('.test.ts') });
const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, from = '']) => ({
    file,
    from,
  })),
);

/** `src/bot/render.ts` belongs to `bot`; `src/main.ts` is its own room. */
const roomOf = (file: string): string => file.split('/')[1] ?? '';

describe('imports', () => {
  test('are found at all', () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  test.each(Object.entries(allowed))('of %s run only as the design says', (room, rooms) => {
    const strays = imports.filter(({ file, from }) => {
      // The bot's version stands in none of the rooms.
      if (roomOf(file) !== room || !from.startsWith('.') || from.endsWith('/package.json')) return false;
      const target = roomOf(normalize(join(dirname(file), from)));
      return target !== room && !rooms.includes(target);
    });
    expect(strays).toEqual([]);
  });

  test('of @slack/* stand in bot and nowhere else', () => {
    const strays = imports.filter(({ file, from }) => from.startsWith('@slack/') && roomOf(file) !== 'bot');
    expect(strays).toEqual([]);
  });

  test('never reach into the sandbox or the tests', () => {
    expect(imports.filter(({ from }) => /sandbox|test\//.test(from))).toEqual([]);
  });

  test('of every room are written down here', () => {
    const rooms = new Set(files.map(roomOf).filter((room) => !room.endsWith('.ts')));
    expect([...rooms].sort()).toEqual(Object.keys(allowed).sort());
  });
});
