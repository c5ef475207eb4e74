import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
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

test('when it is calm, what was written moves from the log into the file', async () => {
  const { file } = await opened();
  await expect.poll(() => statSync(file).size).toBeGreaterThan(100_000);
});

test('what is tidied up when it is calm is no wait for whoever has begun to write', async () => {
  const { store } = await opened();
  let isWritten = false;
  // As on a machine that is busy: somebody begins to write, and right after that nothing happens until it is time to tidy up.
  const row = { id: 'one', started_at: 0, beats: 0 };
  setImmediate(() => {
    const written = store.quick.insertInto('replicas').values(row).execute();
    void written.then(() => {
      isWritten = true;
    });
  });
  await new Promise<void>((resolve) => {
    setImmediate(() => {
      const until = performance.now() + 600;
      while (performance.now() < until);
      resolve();
    });
  });
  for (let turns = 0; turns < 10 && !isWritten; turns += 1) await turn();
  expect(isWritten).toBe(true);
});
