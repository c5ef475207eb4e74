import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { killEverywhere } from '../kills/everywhere.ts';
import { emergencies, kinds } from '../kills/kinds.ts';

// `npm run kills` does it at every boundary.
test('a process that is killed at every twelfth boundary of every kind of command brings all to its end, once', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'kills-cache-'));
  onTestFinished(() => rmSync(cache, { recursive: true, force: true }));
  const found: string[] = [];
  const rows = await killEverywhere({
    ...{ kinds: [...kinds, ...emergencies], every: 12, atOnce: 3, cache },
    complain: (words) => void found.push(words),
  });
  expect(found).toEqual([]);
  for (const [{ name }, { killed }] of rows) expect({ name, killed }).not.toMatchObject({ killed: 0 });
}, 1_200_000);
