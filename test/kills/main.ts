import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bulkKinds } from './bulk-kinds.ts';
import { killEverywhere } from './everywhere.ts';
import { emergencies, kinds } from './kinds.ts';
import { blowNames } from './random/blows.ts';
import { killAtRandom } from './random/random.ts';
import { isFine, randomTable } from './random/report.ts';
import { storeNames } from './random/round.ts';
import { tableOf } from './table.ts';

/** Kills real processes, prints what became of it, and ends with 1 if anything should not be. */
const { values } = parseArgs({
  options: {
    /** Only kinds with these words in their names. */
    kind: { type: 'string' },
    /** Only every so manieth boundary. */
    every: { type: 'string', default: '1' },
    /** Freezes it for a while instead. */
    freeze: { type: 'boolean', default: false },
    /** The number of concurrent processes. */
    at: { type: 'string', default: '4' },
    /** Not at every boundary, but so often, half of it on each kind of store, at random moments while many people use it. */
    random: { type: 'string' },
    /** The seed of those moments and of people's actions; random by default. */
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    /** Other blows beside kills, all by default: freeze, disk full, database away, clock; kill for nothing. */
    only: { type: 'string', multiple: true },
    /** Only on this kind of store: sqlite or postgres. */
    store: { type: 'string' },
  },
});
const say = (words: string) => process.stdout.write(`${words}\n`);
process.exit((await (values.random === undefined ? everywhere() : atRandom(Number(values.random)))) ? 0 : 1);

async function everywhere(): Promise<boolean> {
  const wanted = [...kinds, ...bulkKinds, ...emergencies].filter(({ name }) =>
    name.includes(values.kind ?? ''),
  );
  const cache = mkdtempSync(join(tmpdir(), 'kills-cache-'));
  process.on('exit', () => rmSync(cache, { recursive: true, force: true }));
  let isRight = true;
  const rows = await killEverywhere({
    hit: values.freeze ? 'freeze' : 'kill',
    ...{ kinds: wanted, every: Number(values.every), atOnce: Number(values.at), cache },
    onCount: (boundaries) => say(`${boundaries} boundaries of ${wanted.length} kinds of command`),
    complain: (words) => {
      isRight = false;
      say(`✗ ${words}`);
    },
  });
  say(tableOf(wanted.map((kind) => [kind.name, rows.get(kind)])));
  return isRight;
}

async function atRandom(kills: number): Promise<boolean> {
  const seed = Number(values.seed);
  const strangers = [
    ...[values.store ?? []].flat().filter((name) => storeNames.every((one) => one !== name)),
    ...(values.only ?? []).filter((name) => blowNames.every((one) => one !== name)),
    ...[kills, seed].filter((number) => !Number.isSafeInteger(number)),
  ];
  if (strangers.length > 0) {
    say(
      `Not understood: ${strangers.join(', ')}. --store: ${storeNames.join(', ')}; --only: ${blowNames.join(', ')}.`,
    );
    return false;
  }
  say(`seed ${seed}`);
  // A signal unmounts folders and ends processes before this one ends.
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const store = storeNames.find((name) => name === values.store);
  const only = values.only && blowNames.filter((name) => values.only?.includes(name));
  const tallies = await killAtRandom({ kills, seed, store, only, say, signal: stopping.signal });
  say(randomTable(tallies));
  return !stopping.signal.aborted && tallies.every(({ rounds }) => rounds.every(isFine));
}
