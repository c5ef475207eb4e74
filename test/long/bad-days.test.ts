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

test('the table in the documentation says what was lived through', async () => {
  const names = Object.keys(days);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const table = [
    row(['', ...names]),
    row(['---', ...names.map(() => '---')]),
    ...Array.from(seen, ([name, when]) => row([name, ...when])),
  ].join('\n');
  const log = [
    row(['', 'the log, at `warn` and above']),
    row(['---', '---']),
    ...names.map((day) =>
      row([
        day,
        [...(said.get(day) ?? [])]
          .toSorted()
          .map((one) => `*${one}*`)
          .join('; ') || 'nothing',
      ]),
    ),
  ].join('\n');
  await expect(`${introduction}${table}\n\n${aboutTheLog}${log}\n`).toMatchFileSnapshot(
    '../../docs/slack-on-a-bad-day.md',
  );
});

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
