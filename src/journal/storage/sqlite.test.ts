import { copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openSqlite } from './sqlite.ts';

/** One with its tables, in a file of its own, that ends with the test. */
async function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'appliance-bot-'));
  const file = join(folder, 'journal.sqlite');
  const store = openSqlite(file);
  onTestFinished(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });
  await store.migrate();
  return { store, file };
}

test('the log stays short where nobody ever pauses', async () => {
  const { store, file } = await opened();
  const id = 'x'.repeat(64 * 1_024);
  let longest = 0;
  for (let number = 0; number < 700; number += 1) {
    const row = { id: `${id}${number}`, started_at: 0, beats: 0 };
    await store.quick.insertInto('replicas').values(row).execute();
    await store.quick.deleteFrom('replicas').where('id', '=', row.id).execute();
    longest = Math.max(longest, statSync(`${file}-wal`).size);
    // As long as between two lines of people who are busy.
    await sleep(4);
  }
  expect(longest).toBeLessThan(48 * 1_024 * 1_024);
  await expect.poll(() => statSync(`${file}-wal`).size).toBeLessThan(24 * 1_024 * 1_024);
});

test('a log that a killed process has left behind is moved into the file by the next start', async () => {
  const { file } = await opened();
  const own = `${file}.own`;
  const left = `${file}.left`;
  const process = new DatabaseSync(own);
  process.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table rows (text text)');
  const add = process.prepare('insert into rows values (?)');
  for (let number = 0; number < 20; number += 1) add.run('x'.repeat(1_024 * 1_024));
  // As it lies there when nothing of the process is left.
  for (const ending of ['', '-wal']) copyFileSync(`${own}${ending}`, `${left}${ending}`);
  process.close();
  expect(statSync(`${left}-wal`).size).toBeGreaterThan(16 * 1_024 * 1_024);
  const next = openSqlite(left);
  onTestFinished(() => next.close());
  const nothing = () => undefined;
  await next.watch({ low: nothing, enough: nothing, unchecked: nothing });
  await expect.poll(() => statSync(left).size).toBeGreaterThan(16 * 1_024 * 1_024);
});
