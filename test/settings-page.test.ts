import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config/config.ts';
import { CannotStart } from '../src/problem.ts';

const page = readFileSync('docs/settings.md', 'utf8');
/** The first cell of a row, and those that its meaning says are read as well. */
const described = new Set(
  [...page.matchAll(/^\| `([A-Z_]+)`/gm), ...page.matchAll(/Also `([a-z_]+)`/g)].map(([, name = '']) => name),
);

/** Variables of npm, Node and systemd that say who started the process. No person sets them. */
const notSettings = [
  ...['npm_lifecycle_event', 'NODE_RUN_SCRIPT_NAME'],
  ...['NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'],
];

/** The names that a start asks the environment for, with and without each of the ways to be set up. */
function askedFor(): ReadonlySet<string> {
  const asked = new Set<string>();
  const heard = (given: Readonly<Record<string, string>>) =>
    new Proxy(given, {
      get: (all, name) => {
        if (typeof name === 'string') asked.add(name);
        return Reflect.get(all, name);
      },
    });
  for (const given of [
    {},
    { SLACK_SIGNING_SECRET: 'x', BLOCK_PAGE_PORT: '8080', HTTPS_PROXY: 'http://proxy:3128' },
    { APPLIANCE_BOT_CONFIG: 'appliance-bot.example.yml' },
  ]) {
    try {
      readConfig(heard(given));
    } catch (error) {
      if (!(error instanceof CannotStart)) throw error;
    }
  }
  return asked;
}

/** The variables that other code reads, such as tools. */
function written(): ReadonlySet<string> {
  const source = globSync('{src,bin,tools,cli}/**/*.{ts,js}', {
    exclude: (name) => name.endsWith('.test.ts'),
  })
    .map((file) => readFileSync(file, 'utf8'))
    // Examples in a page read no variable.
    .map((text) => text.replace(/`[^`]*`/g, ''))
    .join('\n');
  const read = [...source.matchAll(/\b(?:env|environment)\.([A-Za-z_]+)/g)].map(([, name = '']) => name);
  const taken = [
    ...source.matchAll(/\{([^{}]*)\}(?:: Environment|\s*=\s*(?:process\.env|environment)\b)/g),
  ].flatMap(([, names = '']) => [...names.matchAll(/(?:^|,)\s*([A-Za-z_]+)/g)].map(([, name = '']) => name));
  return new Set([...read, ...taken]);
}

/** The author of a policy file names the variables that it refers to. */
const namesIn = (file: string): readonly string[] =>
  [...file.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name = '']) => name);

test('docs/settings.md lists every variable that is read, and no other', () => {
  const inExample = namesIn(readFileSync('appliance-bot.example.yml', 'utf8'));
  const read = [...askedFor(), ...written()].filter(
    (name) =>
      /^[A-Z_]{3,}$|^(?:https|no)_proxy$/.test(name) && ![...notSettings, ...inExample].includes(name),
  );
  expect(read.length).toBeGreaterThan(20);
  const missing = [...new Set(read)].filter((name) => !described.has(name));
  expect(missing.map((name) => `Add to docs/settings.md what it is: ${name}`)).toEqual([]);
  expect([...described].filter((name) => !read.includes(name))).toEqual([]);
});
