import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { signatureNow, watchFiles } from './watched-files.ts';

const every = 10;

/** A folder with a watched file, and the number of detected changes. */
async function watching(prepare: (folder: string) => void, name = 'bot.yml') {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  prepare(folder);
  const changed = vi.fn<() => void>();
  const stop = watchFiles(() => [join(folder, name)], signatureNow([join(folder, name)]), changed, every);
  onTestFinished(() => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await sleep(5 * every);
  return { folder, file: join(folder, name), changed, stop };
}

const times = (changed: () => void, count: number) =>
  vi.waitFor(() => expect(changed).toHaveBeenCalledTimes(count), { timeout: 15_000, interval: every });

const written = (folder: string) => writeFileSync(join(folder, 'bot.yml'), 'a');

test('an unchanged file calls nobody', async () => {
  const { changed } = await watching(written);
  await sleep(10 * every);
  expect(changed).not.toHaveBeenCalled();
});

test('a change between reading and watching is detected', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  written(folder);
  const file = join(folder, 'bot.yml');
  const read = signatureNow([file]);
  writeFileSync(file, 'another');
  const changed = vi.fn<() => void>();
  const stop = watchFiles(() => [file], read, changed, every);
  onTestFinished(() => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await times(changed, 1);
});

test('a written file is detected once', async () => {
  const { file, changed } = await watching(written);
  writeFileSync(file, 'b');
  await times(changed, 1);
  await sleep(10 * every);
  expect(changed).toHaveBeenCalledTimes(1);
});

test('a file that another one replaces is detected, repeatedly', async () => {
  const { folder, file, changed } = await watching(written);
  for (const round of [1, 2, 3]) {
    writeFileSync(join(folder, 'new.yml'), String(round));
    renameSync(join(folder, 'new.yml'), file);
    await times(changed, round);
  }
});

test('a link that is turned to another folder, as containers mount their settings, is detected', async () => {
  const { folder, changed } = await watching((folder) => {
    for (const version of ['..one', '..two']) {
      mkdirSync(join(folder, version));
      writeFileSync(join(folder, version, 'bot.yml'), version);
    }
    symlinkSync('..one', join(folder, '..data'));
    symlinkSync('..data/bot.yml', join(folder, 'bot.yml'));
  });
  symlinkSync('..two', join(folder, '..data_tmp'));
  renameSync(join(folder, '..data_tmp'), join(folder, '..data'));
  await times(changed, 1);
});

test('a file that goes and comes back is detected both times', async () => {
  const { folder, file, changed } = await watching(written);
  renameSync(file, join(folder, 'away'));
  await times(changed, 1);
  renameSync(join(folder, 'away'), file);
  await times(changed, 2);
});

test('a file that is still being written is left alone until it rests', async () => {
  const { file, changed } = await watching(written);
  const until = Date.now() + 20 * every;
  while (Date.now() < until) {
    writeFileSync(file, `${Date.now()}`.repeat(3), { flag: 'a' });
    await sleep(1);
  }
  const during = changed.mock.calls.length;
  await times(changed, during + 1);
  expect(during).toBeLessThanOrEqual(1);
});

test('the end stops all calls', async () => {
  const { file, changed, stop } = await watching(written);
  stop();
  writeFileSync(file, 'b');
  await sleep(10 * every);
  expect(changed).not.toHaveBeenCalled();
});

test('several files are each detected, and simultaneous changes once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watch-'));
  const files = ['bot.yml', 'key', 'certificate'].map((name) => join(folder, name));
  for (const file of files) writeFileSync(file, 'a');
  const changed = vi.fn<() => void>();
  const stop = watchFiles(() => files, signatureNow(files), changed, every);
  onTestFinished(() => {
    stop();
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(files[1] ?? '', 'b');
  await times(changed, 1);
  for (const file of files.slice(1)) writeFileSync(file, 'c');
  await times(changed, 2);
  await sleep(10 * every);
  expect(changed).toHaveBeenCalledTimes(2);
});
