import { parseArgs } from 'node:util';
import { breakages } from './breakages.ts';
import { openScratch } from './scratch.ts';
import { type Outcome, runTests } from './tests.ts';

/**
 * Breaks the bot in a copy of the checkout, rule by rule, and runs the tests that must see it. Prints a table, and ends with 1 if one
 * is not seen, or if a test fails where nothing is broken.
 */
const { values } = parseArgs({
  options: {
    /** Only breakages with these words in their names; may be given several times. */
    only: { type: 'string', multiple: true },
    /** So often each, for tests that might see it by chance. */
    times: { type: 'string', default: '1' },
    /** Only tells what there is. */
    list: { type: 'boolean', default: false },
  },
});
const say = (words: string) => process.stdout.write(`${words}\n`);
const wanted = breakages.filter(({ name }) => values.only?.some((words) => name.includes(words)) ?? true);
const times = Number(values.times);

if (values.list) for (const { name, rule } of wanted) say(`${name}: ${rule}`);
else process.exit((await breakAll()) ? 0 : 1);

async function breakAll(): Promise<boolean> {
  const began = performance.now();
  const seconds = (since: number) => `${((performance.now() - since) / 1_000).toFixed(0)} s`;
  const scratch = openScratch();
  // A signal leaves nothing behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      scratch.remove();
      process.exit(1);
    });
  let isFine = wanted.length > 0;
  const rows: string[] = [];
  try {
    const all = new Map(
      wanted.flatMap(({ seenBy }) => seenBy).map((one) => [`${one.file} ${one.test}`, one]),
    );
    const whole = await runTests(scratch.folder, [...all.values()]);
    for (const { named, was, why } of whole.filter((one) => one.was !== 'passed')) {
      isFine = false;
      say(`✗ ${was} although nothing is broken: ${named.file}, ${named.test}: ${why}`);
    }
    say(`${whole.length} tests where nothing is broken: ${seconds(began)}`);
    for (const { name, edits, seenBy } of wanted) {
      for (let time = 0; time < times; time += 1) {
        const since = performance.now();
        const outcomes = await tryOut(edits, seenBy);
        const isSeen = outcomes.every(({ was }) => was === 'failed');
        isFine &&= isSeen;
        say(`${isSeen ? '✓' : '✗'} ${name}, ${seconds(since)}`);
        for (const { named, was, why } of outcomes)
          say(`    ${was}: ${named.file}, ${named.test}\n      ${why}`);
        const seen = outcomes.map(({ named, was }) =>
          was === 'failed' ? `${named.file}: ${named.test}` : `**NOT SEEN** by ${named.file}: ${named.test}`,
        );
        rows.push(`| ${name} | ${seen.join('; ')} |`);
      }
    }
  } finally {
    scratch.remove();
  }
  say(`\n| breakage | seen by |\n|---|---|\n${rows.join('\n')}\n\n${rows.length} in ${seconds(began)}`);
  return isFine;

  async function tryOut(
    edits: (typeof wanted)[number]['edits'],
    seenBy: (typeof wanted)[number]['seenBy'],
  ): Promise<readonly Outcome[]> {
    try {
      const mend = scratch.breakBy(edits);
      try {
        return await runTests(scratch.folder, seenBy);
      } finally {
        mend();
      }
    } catch (error) {
      return seenBy.map((named) => ({ named, was: 'missing', why: String(error) }));
    }
  }
}
