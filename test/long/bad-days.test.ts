import { describe, expect, test } from 'vitest';
import { days, flows, live } from '../bad-days.ts';

/** By flow, when it was told on each of the days. */
const seen = new Map<string, string[]>();

describe.each(Object.keys(days))('on a day on which %s', (day) => {
  test.each(Object.entries(flows))('%s is told when it is over, once', async (name, flow) => {
    const { during, after, read } = await live(day, flow);
    expect(after, read()).toBe(1);
    seen.set(name, [...(seen.get(name) ?? []), during > 0 ? 'at once' : 'after it']);
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
  await expect(`${introduction}${table}\n`).toMatchFileSnapshot('../../docs/slack-on-a-bad-day.md');
});

const introduction = `# Slack on a bad day

What people see when Slack does not do what it is asked. Each cell is one conversation with the real bot: something is done, Slack
answers every message with this fault for three minutes, then all is well again. Nothing is lost and nothing is told twice. *At once*
means that the person was told while it lasted, by another way or because the message arrived although its answer was lost; *after it*
means within a minute of its end. A private answer that may have been delivered is sent once more as a direct message, which says so.
A test (\`test/long/bad-days.test.ts\`) lives through all of it and compares this page.

The log has a line for every message that waits (*A message waits until it is taken*), with Slack's code and the pause until the next try.

`;
