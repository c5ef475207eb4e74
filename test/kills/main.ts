import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killEverywhere } from './everywhere.ts';
import { emergencies, kinds } from './kinds.ts';
import { tableOf } from './table.ts';

/** Kills a real process everywhere, prints what became of it, and ends with 1 if anything should not be. */
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
const wanted = [...kinds, ...emergencies].filter(({ name }) => name.includes(values.kind ?? ''));
const cache = mkdtempSync(join(tmpdir(), 'kills-cache-'));
process.on('exit', () => rmSync(cache, { recursive: true, force: true }));
let isFine = true;

const rows = await killEverywhere({
  ...{ kinds: wanted, every: Number(values.every), atOnce: Number(values.at), cache },
  onCount: (boundaries) =>
    process.stdout.write(`${boundaries} boundaries of ${wanted.length} kinds of command\n`),
  complain: (words) => {
    isFine = false;
    process.stdout.write(`✗ ${words}\n`);
  },
});
process.stdout.write(`${tableOf(wanted.map((kind) => [kind.name, rows.get(kind)]))}\n`);
process.exit(isFine ? 0 : 1);
