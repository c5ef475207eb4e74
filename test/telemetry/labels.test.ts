import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { operations } from '../../src/api/operations.ts';
import { allEvents as events } from '../../src/telemetry/all-events.ts';
import { hostile, poison } from '../hostile.ts';
import { watched } from './watched.ts';

const edge = /^(?:\d+(?:\.\d+)?|\+Inf)$/;

/** All that a label may ever say. Whatever is not here could be anything, and a metric with it could grow without end. */
const values: Readonly<Record<string, (value: string) => boolean>> = {
  event: (value) => events.some(({ id }) => id === value),
  level: (value) => ['debug', 'info', 'warn', 'error', 'fatal'].includes(value),
  effect: (value) => ['read', 'write', 'destructive', 'unknown', 'none'].includes(value),
  outcome: (value) =>
    ['ok', 'done', 'failed', 'unknown', 'refused', 'cancelled', 'expired'].includes(value) ||
    ['given', 'denied', 'withdrawn'].includes(value) ||
    errorCodes.includes(value),
  appliance: (value) => ['hq', 'branch-2'].includes(value),
  phase: (value) =>
    ['understanding', 'preview', 'confirmation', 'approval', 'planned', 'recheck'].includes(value) ||
    ['order', 'verification', 'telling'].includes(value),
  area: (value) => [...operations.keys()].some((name) => name.startsWith(`${value}.`)),
  operation: (value) => [...operations.keys()].some((name) => name === value),
  state: (value) => ['asked', 'waiting', 'planned', 'approved', 'running'].includes(value),
  version: (value) => value === packageJson.version,
  policy: (value) => /^[0-9a-f]{6,16}$/.test(value),
  le: (value) => edge.test(value),
};

/** The error codes of src/api/errors.ts and src/api/errors.ts, by hand: a new one makes a new series. */
const errorCodes: readonly string[] = [
  ...[
    'unreachable',
    'timeout',
    'connection_lost',
    'unreadable',
    'http_status',
    'redirected',
    'too_large',
    'not_json',
  ],
  ...['empty', 'unexpected_reply', 'refused', 'not_served', 'defective_build', 'upload_failed', 'aborted'],
  ...['not_available', 'not_configured', 'bad_argument', 'withheld'],
];

test('no label ever shows a person, a place, a site, or a number', async () => {
  const bot = await watched({ branches: 1 });
  poison(bot.appliance.state, hostile);
  const typed = [
    ...['categorize secret-site.example.net', 'why secret-site.example.net', 'rdp sessions', 'acl objects'],
    ...['acl object disable google_sni', 'category add secret-site.example.net to shopping --until 18:00'],
    ...[
      'block secret-site.example.net',
      'frobnicate <@U0ALICE001> "} 1\n',
      'status --on all',
      'audit',
      'help',
    ],
    ...['rdp disconnect 4711', 'sql users', 'show A-1', 'whoami', 'temporary', 'ask secret-site.example.net'],
    'plan acl object disable google_sni; rdp disconnect 12',
  ];
  for (const line of typed) for (const by of ['alice', 'dana']) await bot.type(`/appliance ${line}`, by);
  for (const [operation, kind] of [
    ['GET /rdpproxy/sessions', 'status'],
    ['GET /categories/query/<domain>', 'reset'],
  ] as const) {
    const known = bot.appliance.operations.find((one) =>
      one.startsWith(operation.split('<')[0] ?? operation),
    );
    if (known !== undefined)
      bot.appliance.faults.set(known, kind === 'status' ? { kind, status: 503 } : { kind, happens: false });
  }
  for (const line of ['rdp sessions', 'categorize secret-site.example.net'])
    await bot.type(`/appliance ${line}`, 'dana');

  const wrong = [...(await bot.metrics()).values()].flatMap(({ samples }) =>
    samples.flatMap(({ name, labels }) =>
      Object.entries(labels)
        .filter(([label, value]) => values[label]?.(value) !== true)
        .map(([label, value]) => `${name}{${label}=${JSON.stringify(value)}}`),
    ),
  );
  expect(wrong).toEqual([]);

  const text = await bot.metricsText();
  const { people, channels } = namesIn(bot);
  const actions = (await bot.bot.journal.recent(100)).map(({ id }) => id);
  expect(actions.length).toBeGreaterThan(30);
  for (const one of [
    ...people,
    ...channels,
    ...actions,
    'secret-site',
    'google_sni',
    'alice',
    'helpdesk',
    'bob.miller',
  ])
    expect(text).not.toContain(one);
});

function namesIn({ workspace }: Pick<Awaited<ReturnType<typeof watched>>, 'workspace'>) {
  const people = workspace.people.map(({ id }) => id);
  const channels = workspace.snapshot(people[0] ?? '').channels.map(({ id }) => id);
  return { people, channels };
}
