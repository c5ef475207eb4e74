import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeLock } from './lock.ts';

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'lock.sqlite');
}

/** A program that takes the lock, says whether it has it, and keeps it. */
const program = (file: string) => `
  import { takeLock } from ${JSON.stringify(new URL('./lock.ts', import.meta.url).href)};
  process.stdout.write(takeLock(${JSON.stringify(file)}) === undefined ? 'no' : 'yes');
`;

test('a second process does not get it', () => {
  const file = newFile();
  const lock = takeLock(file);
  onTestFinished(() => lock?.release());
  expect(lock).toBeDefined();
  const answer = execFileSync(process.execPath, ['--input-type=module', '--eval', program(file)], {
    encoding: 'utf8',
  });
  expect(answer).toBe('no');
});

test('whoever comes after its release gets it', () => {
  const file = newFile();
  takeLock(file)?.release();
  const lock = takeLock(file);
  onTestFinished(() => lock?.release());
  expect(lock).toBeDefined();
});

test('a process that was killed holds it no longer', async () => {
  const file = newFile();
  const child = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `${program(file)} setInterval(() => {}, 1000);`,
  ]);
  await once(child.stdout, 'data');
  expect(takeLock(file)).toBeUndefined();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const lock = takeLock(file);
  onTestFinished(() => lock?.release());
  expect(lock).toBeDefined();
});
