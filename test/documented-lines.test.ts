import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readCommandLine, worldFor } from '../sandbox/command-line.ts';
import { perform } from '../sandbox/exec.ts';
import { match } from '../src/handlers/registry.ts';
import { asSlackSends } from './commands.ts';

/** Lines that README and docs tell people to type. Lines added later are tried, too. */
const root = new URL('../', import.meta.url);
const pages = ['.', 'docs'].flatMap((folder) =>
  readdirSync(new URL(`${folder}/`, root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`.replace('./', '')),
);
const found = (pattern: RegExp) =>
  pages.flatMap((page) =>
    [...readFileSync(new URL(page, root), 'utf8').matchAll(pattern)].map(
      ([, line = '']) => [page, line] as const,
    ),
  );

const days = ['2028-02-29T23:59:30Z', '2036-11-02T05:30:00Z'].map(Date.parse);

describe('a command line from the pages', () => {
  const lines = found(/^ *npm run sandbox -- (exec .+)$/gm);

  test('stands in the README', () => expect(lines.map(([page]) => page)).toContain('README.md'));

  test.each(lines)('in %s succeeds today and on any other day: %s', async (_, line) => {
    const given = readCommandLine(shellWords(line));
    if (given === 'help' || given.script === undefined) throw new Error(`${line} opens the page`);
    for (const from of [Date.now(), ...days]) {
      const ahead = from - Date.now();
      const options = { ...worldFor(given), world: { now: () => Date.now() + ahead } };
      const { conversation, succeeded, note } = await perform(given.script, options);
      expect({ succeeded, note }, conversation).toEqual({ succeeded: true, note: undefined });
    }
  });
});

describe('a line for Slack from the pages', () => {
  // In a sentence, or in a block of its own.
  const lines = [/`\/appliance ([^`]+)`/g, /^\/appliance (.+)$/gm]
    .flatMap((shown) => found(shown))
    .filter(([, line]) => !/[…<[]/.test(line));

  test('stands in README and docs', () => expect(lines.length).toBeGreaterThan(20));

  test.each(lines)('in %s is understood: %s', (_, line) => {
    // The bot asks for arguments that only a form takes.
    expect(match(asSlackSends(line)).kind).toMatch(/^(?:command|missing)$/);
  });
});

/** As a shell reads them; none of our lines needs more than quotes. */
function shellWords(line: string): readonly string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
}
