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
    'requests',
    'outbox',
    'history',
    'ground',
    'lock',
    'wishes',
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
  api: ['caller.ts', 'fair-queue.ts', 'fence.ts', 'secrets.ts'],
  auth: [],
  journal: ['caller.ts', 'fair-queue.ts', 'fence.ts', 'semaphore.ts'],
  // Hours are read the same in a line and in the policy.
  handlers: ['api', 'auth/hours.ts', 'duration.ts', 'marks.ts', 'secrets.ts'],
  action: [
    ...['handlers', 'api', 'auth', 'journal'],
    ...[
      'caller.ts',
      'fair-queue.ts',
      'fence.ts',
      'telemetry/log.ts',
      'telemetry/events',
      'marks.ts',
      'secrets.ts',
      'semaphore.ts',
    ],
  ],
  config: ['api', 'auth', 'block-page', 'bot', 'telemetry', 'duration.ts', 'problem.ts'],
  // What the bot tells of itself: it knows the parts by what they hand it, of the journal what its figures are, and of
  // the bot what keeps strangers off a port.
  telemetry: [
    ...['bot/connection/open-sockets.ts', 'journal/actions/reference.ts', 'journal/audit/record.ts'],
    ...['journal/figures.ts', 'own-files.ts', 'problem.ts', 'secrets.ts'],
  ],
  // What watches and ends the process.
  process: ['config/secret.ts'],
  // It knows requests, and neither Slack nor the appliances: of the bot it has only what keeps strangers off a port.
  'block-page': [
    ...['action/ask/site-requests.ts', 'action/requests/request-state.ts'],
    ...['auth/asking/self-service.ts', 'bot/connection/open-sockets.ts'],
    ...['bot/connection/strangers.ts', 'handlers/language/domain.ts', 'handlers/wording/quantities.ts'],
    ...['handlers/text.ts', 'telemetry/log.ts', 'telemetry/events', 'marks.ts', 'problem.ts', 'secrets.ts'],
  ],
  bot: [
    ...['action', 'handlers', 'auth', 'journal'],
    ...[
      'caller.ts',
      'fair-queue.ts',
      'telemetry/log.ts',
      'telemetry/events',
      'marks.ts',
      'problem.ts',
      'semaphore.ts',
    ],
  ],
};

interface Import {
  readonly file: string;
  readonly from: string;
}

const files = globSync('src/**/*.ts', { exclude: (name) => name.endsWith('.test.ts') });
const textOf = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const imports: readonly Import[] = [...textOf].flatMap(([file, text]) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, from = '']) => ({ file, from })),
);
/** Of a file, the files of ours that it imports, types included. */
const importedBy = Map.groupBy(
  imports.filter(({ from }) => from.startsWith('.')),
  ({ file }) => file,
);
const targetOf = ({ file, from }: Import): string => normalize(join(dirname(file), from));

/** `src/bot/rendering/render.ts` belongs to `bot`; `src/main.ts` is its own room. */
const roomOf = (file: string): string => file.split('/')[1] ?? '';

describe('imports', () => {
  test('are found at all', () => {
    expect(imports.length).toBeGreaterThan(100);
  });

  test.each(Object.entries(allowed))('of %s run only as the design says', (room, rooms) => {
    const strays = imports.filter(({ file, from }) => {
      // The bot's version stands in none of the rooms.
      if (roomOf(file) !== room || !from.startsWith('.') || from.endsWith('/package.json')) return false;
      const target = targetOf({ file, from });
      const known = [roomOf(target), dirname(target), target].map((one) => one.replace(/^src\//, ''));
      return roomOf(target) !== room && !known.some((one) => rooms.includes(one));
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

  test('inside of src/action run from stage to stage, and never back', () => {
    const floorOf = (file: string) => floors.indexOf(file.split('/')[2] ?? '');
    const inAction = imports.filter(
      (one) =>
        roomOf(one.file) === 'action' && roomOf(targetOf(one)) === 'action' && one.from.startsWith('.'),
    );
    expect(inAction.filter(({ file }) => floorOf(file) === -1)).toEqual([]);
    expect(inAction.filter((one) => floorOf(targetOf(one)) > floorOf(one.file))).toEqual([]);
  });

  test('form no circle', () => {
    const done = new Set<string>();
    const circles: string[] = [];
    for (const file of files) follow(file, []);
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
    const declared = [...textOf].flatMap(([file, text]) =>
      [...text.matchAll(/^export (?:abstract )?(?:class|interface|type) (\w+)/gm)].map(([, name]) => ({
        name,
        file,
      })),
    );
    const twice = [...Map.groupBy(declared, ({ name }) => name)].filter(([, all]) => all.length > 1);
    expect(declared.length).toBeGreaterThan(500);
    expect(twice).toEqual([]);
  });
});
