import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { killEverywhere } from '../kills/everywhere.ts';
import { someOf } from '../kills/in-turns.ts';
import { emergencies, kinds } from '../kills/kinds.ts';

// Every fourth kind; `npm run kills` does it at every boundary of every kind.
const some = someOf([...kinds, ...emergencies], { every: process.env.KILLS === 'all' ? 1 : 4 });

test('a bot that is killed at one boundary of 120 of every fourth kind of command completes all, once', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'kills-cache-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const found: string[] = [];
  let boundaries = 0;
  const rows = await killEverywhere({
    ...{ kinds: some, every: 120, atOnce: 3, cache },
    onCount: (count) => {
      boundaries = count;
    },
    complain: (words) => void found.push(words),
  });
  expect(found).toEqual([]);
  // Concurrent work comes in another order every time, and may miss its boundary.
  const killed = [...rows.values()].reduce((sum, row) => sum + row.killed, 0);
  expect(killed).toBeGreaterThan(0.8 * boundaries);
}, 1_200_000);
