import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Verdict, violationsOf } from './ends.ts';
import { type Kind, kinds } from './kinds.ts';
import { type Boundary, type Counts, tellReally } from './real.ts';
import { type Row, tableOf } from './table.ts';

/**
 * Kills a real process at every boundary of every kind of command, starts it again, and looks whether all came to its end,
 * once. Prints what became of it, and ends with 1 if anything did not.
 */
const { values } = parseArgs({
  options: {
    /** Only kinds with these words in their names. */
    kind: { type: 'string' },
    /** Only every so manieth boundary. */
    every: { type: 'string', default: '1' },
    /** So many at once. */
    at: { type: 'string', default: '4' },
  },
});
const every = Number(values.every);
const wanted = kinds.filter(({ name }) => name.includes(values.kind ?? ''));
const cache = mkdtempSync(join(tmpdir(), 'kills-cache-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));
const rows = new Map<Kind, Row>();
let isFine = true;

/** Told at once: a run takes minutes. */
function complain(about: string, verdict: Verdict): void {
  for (const words of violationsOf(verdict)) {
    isFine = false;
    process.stdout.write(`✗ ${about}: ${words}\n`);
  }
}

/** What begins and ends when nobody is killed says how many boundaries there are. */
const jobs: (readonly [Kind, Boundary])[] = [];
await each(wanted, async (kind) => {
  const { began, counts, verdict } = await tellReally(kind, undefined, { cache });
  rows.set(kind, {
    killed: 0,
    again: 0,
    ended: {},
    executedTwice: 0,
    withoutEnd: 0,
    toldTwice: 0,
    untold: 0,
    wrong: 0,
  });
  complain(`${kind.name}, never killed`, verdict);
  jobs.push(
    ...boundaries(began, counts).flatMap((one, index) => (index % every === 0 ? [[kind, one] as const] : [])),
  );
});
process.stdout.write(`${jobs.length} boundaries of ${wanted.length} kinds of command\n`);
await each(jobs, async ([kind, boundary]) => {
  const row = rows.get(kind);
  if (row === undefined) return;
  const { verdict, again, isKilled } = await tellReally(kind, boundary, { cache });
  // What happens at the same time happens in another order every time, and the last of it may not come again.
  if (!isKilled) return;
  row.killed += 1;
  row.again += again > 0 ? 1 : 0;
  const state = verdict.state ?? 'nothing';
  row.ended[state] = (row.ended[state] ?? 0) + 1;
  for (const what of ['executedTwice', 'withoutEnd', 'toldTwice', 'untold', 'wrong'] as const) {
    row[what] += verdict[what].length > 0 ? 1 : 0;
  }
  complain(`${kind.name}, killed ${wordsFor(boundary)}`, verdict);
});
process.stdout.write(`${tableOf(wanted.map((kind) => [kind.name, rows.get(kind)]))}\n`);
process.exit(isFine ? 0 : 1);

/** Those of the story itself; how a start goes is the same in all of them. */
function boundaries(began: Counts, counts: Counts): readonly Boundary[] {
  const from = (at: Boundary['at']) =>
    Array.from({ length: counts[at] - began[at] }, (_, index) => began[at] + index + 1);
  return [
    ...from('journal').map((number) => ({ at: 'journal', number }) as const),
    ...(['slack', 'appliance'] as const).flatMap((at) =>
      from(at).flatMap((number) => (['before', 'after'] as const).map((when) => ({ at, number, when }))),
    ),
  ];
}

function wordsFor(boundary: Boundary): string {
  if (boundary.at === 'journal') return `after write ${boundary.number}`;
  const what = boundary.at === 'slack' ? 'Slack call' : 'request to an appliance';
  return boundary.when === 'before'
    ? `before ${what} ${boundary.number} is done`
    : `when ${what} ${boundary.number} is done and not answered`;
}

async function each<One>(all: readonly One[], does: (one: One) => Promise<void>): Promise<void> {
  const left = all.values();
  const turn = async () => {
    for (const one of left) await does(one);
  };
  await Promise.all(Array.from({ length: Number(values.at) }, turn));
}
