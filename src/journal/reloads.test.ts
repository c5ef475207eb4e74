import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openJournal } from './journal.ts';
import { openSqlite } from './sqlite.ts';

test('reloads of the policy are kept across a restart, the newest first, with their moment and every sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'reloads-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const clock = { at: 1_000 };
  const open = () => openJournal(openSqlite(join(folder, 'journal.sqlite')), () => clock.at);
  let journal = await open();
  expect(await journal.reloads()).toEqual([]);
  await journal.writeReload({ outcome: 'refused', told: ['bot.yml:3 x is not a setting.', 'another'] });
  // Two at the same moment stay in their order.
  await journal.writeReload({ outcome: 'taken', told: ['first'] });
  clock.at = 2_000;
  await journal.writeReload({ outcome: 'taken', told: [] });
  await journal.close();
  journal = await open();
  expect(await journal.reloads()).toEqual([
    { at: 2_000, outcome: 'taken', told: [] },
    { at: 1_000, outcome: 'taken', told: ['first'] },
    { at: 1_000, outcome: 'refused', told: ['bot.yml:3 x is not a setting.', 'another'] },
  ]);
  expect(await journal.reloads(1)).toHaveLength(1);
  await journal.close();
});
