import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

/**
 * The rooms of the way of an action, each of which may import itself and those before it. `actions.ts`, which puts the
 * stages together, stands above them all.
 */
const floors = [
  ...[
    'base',
    'limits',
    'wording',
    'authority',
    'target',
    'showing',
    'outbox',
    'history',
    'ground',
    'lock',
    'holding',
    'given',
  ],
  ...[
    'lookup',
    'approval',
    'planned',
    'change',
    'due',
    'timed',
    'taking',
    'plan',
    'forms',
    'intake',
    'ask',
    'home',
    'watch',
    'workflow',
    'background',
    'actions.ts',
  ],
];

/** Arrows run one way. A folder may import itself, what stands here, and the files that are named. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  api: ['caller.ts', 'dial.ts', 'fair-queue.ts', 'fence.ts', 'graphemes.ts', 'secrets.ts'],
  auth: [],
  journal: [
    'caller.ts',
    'circuit-breaker.ts',
    'codec.ts',
    'dial.ts',
    'fence.ts',
    'graphemes.ts',
    'semaphore.ts',
    'stored-text.ts',
  ],
  // A line and the policy share the parser of hours, and a command declares its effects before it is known in full.
  handlers: [
    ...['api', 'auth/hours.ts', 'auth/request.ts'],
    ...['codec.ts', 'duration.ts', 'graphemes.ts', 'marks.ts', 'secrets.ts', 'stored-text.ts'],
  ],
  action: [
    ...['handlers', 'api', 'auth', 'journal'],
    ...[
      'caller.ts',
      'certain-time.ts',
      'codec.ts',
      'fence.ts',
      'graphemes.ts',
      'telemetry/log.ts',
      'telemetry/events',
      'marks.ts',
      'secrets.ts',
      'semaphore.ts',
    ],
  ],
  config: ['api', 'auth', 'block-page', 'bot', 'telemetry', 'duration.ts', 'meant.ts', 'problem.ts'],
  // Metrics and logs name the other parts by their interfaces, take the figures of the journal, and share the guard of
  // the ports.
  telemetry: [
    ...['bot/connection/open-sockets.ts', 'journal/actions/reference.ts', 'journal/audit/record.ts'],
    ...['journal/figures.ts', 'dial.ts', 'own-files.ts', 'problem.ts', 'secrets.ts'],
  ],
  // The supervisor starts, watches and ends the process.
  process: ['config/secret.ts'],
  // The block page knows neither Slack nor the appliances, only requests. It shares the guard of the ports with the bot.
  'block-page': [
    ...['action/ask/site-requests.ts', 'action/ask/request-state.ts'],
    ...['auth/asking/self-service.ts', 'bot/connection/open-sockets.ts'],
    ...['bot/connection/strangers.ts', 'handlers/language/domain.ts', 'handlers/wording/quantities.ts'],
    ...['handlers/text.ts', 'telemetry/log.ts', 'telemetry/events', 'graphemes.ts', 'marks.ts'],
    ...['problem.ts', 'rate-limit.ts', 'secrets.ts'],
  ],
  bot: [
    ...['action', 'handlers', 'auth', 'journal'],
    ...[
      'caller.ts',
      'circuit-breaker.ts',
      'dial.ts',
      'fair-queue.ts',
      'graphemes.ts',
      'telemetry/log.ts',
      'telemetry/events',
      'marks.ts',
      'problem.ts',
      'rate-limit.ts',
      'semaphore.ts',
    ],
  ],
};

interface Import {
  readonly file: string;
  readonly from: string;
}

const importsIn = (files: readonly string[]): readonly Import[] =>
  files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, from = '']) => ({
      file,
      from,
    })),
  );

const files = globSync('src/**/*.ts', { exclude: (name) => name.endsWith('.test.ts') });
const imports = importsIn(files);
const targetOf = ({ file, from }: Import): string => normalize(join(dirname(file), from));

/** `src/bot/rendering/render.ts` belongs to `bot`; `src/main.ts` is its own room. */
const roomOf = (file: string): string => file.split('/')[1] ?? '';

describe('imports', () => {
  test('are found at all', () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  test.each(Object.entries(allowed))('from %s run only as the design says', (room, rooms) => {
    const strays = imports.filter(({ file, from }) => {
      // The bot's version stands in none of the rooms.
      if (roomOf(file) !== room || !from.startsWith('.') || from.endsWith('/package.json')) return false;
      const target = targetOf({ file, from });
      const known = [roomOf(target), dirname(target), target].map((one) => one.replace(/^src\//, ''));
      return roomOf(target) !== room && !known.some((one) => rooms.includes(one));
    });
    expect(strays).toEqual([]);
  });

  test('from @slack/* stand in bot and nowhere else', () => {
    const strays = imports.filter(({ file, from }) => from.startsWith('@slack/') && roomOf(file) !== 'bot');
    expect(strays).toEqual([]);
  });

  test('never reach into the sandbox or the tests', () => {
    expect(imports.filter(({ from }) => /sandbox|test\//.test(from))).toEqual([]);
  });

  test('are allowed or denied for every room in this file', () => {
    const rooms = new Set(files.map(roomOf).filter((room) => !room.endsWith('.ts')));
    expect([...rooms].sort()).toEqual(Object.keys(allowed).sort());
  });

  test('inside src/action run from stage to stage, and never back', () => {
    const floorOf = (file: string) => floors.indexOf(file.split('/')[2] ?? '');
    const inAction = imports.filter(
      (one) =>
        roomOf(one.file) === 'action' && roomOf(targetOf(one)) === 'action' && one.from.startsWith('.'),
    );
    expect(inAction.filter(({ file }) => floorOf(file) === -1)).toEqual([]);
    expect(inAction.filter((one) => floorOf(targetOf(one)) > floorOf(one.file))).toEqual([]);
  });

  test('form no circle, nor in the sandbox, the packages and the tools', () => {
    const all = importsIn(
      globSync('{src,sandbox,packages,cli,bench,tools}/**/*.{ts,tsx}', {
        exclude: (name) => name === 'node_modules' || name.endsWith('.d.ts'),
      }),
    );
    const known = new Set(all.map(({ file }) => file));
    /** Our own files that a file imports, types included. */
    const importedBy = Map.groupBy(
      all.filter((one) => one.from.startsWith('.') && known.has(targetOf(one))),
      ({ file }) => file,
    );
    const done = new Set<string>();
    const circles: string[] = [];
    for (const file of importedBy.keys()) follow(file, []);
    expect(known).toContain('sandbox/workspace/page/blocks/Blocks.tsx');
    expect(circles).toEqual([]);

    function follow(file: string, way: readonly string[]): void {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' → '));
      else if (!done.has(file)) {
        for (const one of importedBy.get(file) ?? []) follow(targetOf(one), [...way, file]);
        done.add(file);
      }
    }
  });
});

describe('the source', () => {
  test('has no two exported types of one name', () => {
    const declared = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)].map(
        ([, name]) => ({
          name,
          file,
        }),
      ),
    );
    const twice = [...Map.groupBy(declared, ({ name }) => name)].filter(([, all]) => all.length > 1);
    expect(declared.length).toBeGreaterThan(500);
    expect(twice).toEqual([]);
  });
});
