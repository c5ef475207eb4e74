import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { days, flows, live, type When } from '../bad-days.ts';

/** By flow, when it was told on each of the days. */
const seen = new Map<string, string[]>();
/** By day, what the log said. */
const said = new Map<string, Set<string>>();

describe.each(Object.keys(days))('on a day on which %s', (day) => {
  test.each(Object.entries(flows))('%s is told when it is over, once', async (name, flow) => {
    const lived = await live(day, flow);
    expect(lived.count, lived.read()).toBeGreaterThan(0);
    expect(lived.count, lived.read()).toBeLessThanOrEqual(lived.times);
    seen.set(name, [...(seen.get(name) ?? []), inWords(lived.when)]);
    said.set(day, (said.get(day) ?? new Set()).union(new Set(lived.said)));
  });
});

/**
 * The page says the latest at which something was told and all that was ever logged: at which moment a socket is cut decides
 * about both, so a day may be better than the page and never worse.
 */
test('nobody is told later, and nothing else is logged, than the documentation says', async () => {
  const names = Object.keys(days);
  const page = await readFile(new URL(pageAt, import.meta.url), 'utf8').catch(() => '');
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const cellsOf = (name: string) =>
    page
      .split('\n')
      .find((line) => line.startsWith(`| ${name} |`))
      ?.slice(2, -2)
      .split(' | ')
      .slice(1) ?? [];
  const table = [
    row(['', ...names]),
    row(['---', ...names.map(() => '---')]),
    ...Array.from(seen, ([name, whens]) => {
      const written = cellsOf(name);
      return row([name, ...whens.map((when, index) => later(when, written[index] ?? when))]);
    }),
  ].join('\n');
  const log = [
    row(['', 'the log, at `warn` and above']),
    row(['---', '---']),
    ...names.map((day) => {
      const written = cellsOf(day)[0]?.slice(1, -1).split('*; *') ?? [];
      const lines = (said.get(day) ?? new Set()).union(new Set(written));
      return row([
        day,
        [...lines]
          .toSorted()
          .map((one) => `*${one}*`)
          .join('; '),
      ]);
    }),
  ].join('\n');
  await expect(`${introduction}${table}\n\n${aboutTheLog}${log}\n`).toMatchFileSnapshot(pageAt);
});

const pageAt = '../../docs/slack-on-a-bad-day.md';

/** Of two cells the one that promises less: "at once", then minutes, then "never". */
const later = (one: string, other: string): string => {
  const rank = (cell: string) =>
    cell === 'at once' ? 0 : Number(/\d+/.exec(cell)?.[0] ?? Number.POSITIVE_INFINITY);
  return rank(one) > rank(other) ? one : other;
};

const inWords = (when: When): string => (typeof when === 'number' ? `≤ ${when} min after` : when);

const introduction = `# Slack on a bad day

What people see when Slack does not do what it is asked. Each cell is one conversation with the real bot: somebody does something, Slack
answers every message with this fault for three minutes, then all is well again. *At once*: the person was told while it lasted, in
another way or because the message arrived although its answer was lost. *≤ 1 min after*: so long after its end, at most. On the days of
the sockets, all of them are cut or renewed at the moment at which somebody does something; what Slack could not deliver it says at once
to the person, who does it again. In all of them nothing is lost and nothing is told twice. A private answer that may have been delivered
is sent once more as a direct message, which says so. A test (\`test/long/bad-days.test.ts\`) lives through all of it and compares this page.

`;

const aboutTheLog = `What the log says meanwhile. Each line has Slack's code and, where something waits, the pause until the next try.

`;
