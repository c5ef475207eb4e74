import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Circumstance, circumstances } from './circumstances.ts';
import { type Outcome, runIn } from './run.ts';
import { allTests, touchingSandboxOrTime } from './selection.ts';
import { MissingTool } from './stage.ts';
import { type Row, tableOf } from './table.ts';

/**
 * Runs the tests on other days, in other zones, and as other users would. Prints one table, and ends with 1 if anything
 * failed or could not be tried; what only lacks a tool is named there. Browser tests and the long ones are not among them.
 */
const { values, positionals } = parseArgs({
  /** Only test files with these words in their paths. */
  allowPositionals: true,
  options: {
    /** Only the circumstance of this name; may be given several times. */
    only: { type: 'string', multiple: true },
    /** Only tells what there is. */
    list: { type: 'boolean', default: false },
  },
});
const strangers = values.only?.filter((name) => circumstances.every((one) => one.name !== name)) ?? [];
const wanted = circumstances.filter(({ name }) => values.only?.includes(name) ?? true);
const isWanted = (file: string) =>
  positionals.length === 0 || positionals.some((words) => file.includes(words));
const all = allTests().filter(isWanted);
const ofTime = touchingSandboxOrTime().filter(isWanted);
const say = (words: string) => process.stdout.write(`${words}\n`);
const rows: Row[] = [];
let isFine = true;
const stopping = new AbortController();

if (strangers.length > 0) {
  process.stderr.write(`There is no circumstance ${strangers.join(', ')}. --list tells what there is.\n`);
  process.exit(2);
}
if (values.list) {
  for (const { name, faked, isOfTime } of wanted)
    say(`${name.padEnd(16)} ${isOfTime ? ofTime.length : all.length} files  ${faked}`);
} else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  for (const one of wanted) if (!stopping.signal.aborted) await tryOut(one);
  say(`\n${tableOf(rows)}`);
}
process.exitCode = isFine ? 0 : 1;

async function tryOut(circumstance: Circumstance): Promise<void> {
  const { name, faked, isOfTime, stage } = circumstance;
  const began = performance.now();
  const folder = mkdtempSync(join(tmpdir(), 'any-day-'));
  let outcome: Outcome | string;
  try {
    outcome = await runIn(stage(folder), circumstance, isOfTime ? ofTime : all, stopping.signal);
    isFine &&= outcome.failed === 0 && outcome.passed > 0;
  } catch (error) {
    outcome = error instanceof Error ? error.message : String(error);
    isFine &&= error instanceof MissingTool;
  }
  // A stopped process may still be writing.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  const seconds = (performance.now() - began) / 1_000;
  rows.push({ name, faked, seconds, outcome });
  say(
    `${name}: ${typeof outcome === 'string' ? `not run: ${outcome}` : `${outcome.passed} passed, ${outcome.failed} failed`} in ${seconds.toFixed()} s`,
  );
  if (typeof outcome !== 'string') for (const failure of outcome.failures) say(`  ✗ ${failure}`);
}
