import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { personIn } from '../../sandbox/person.ts';
import { transcript } from '../../sandbox/workspace/transcript.ts';
import { damage } from '../damage.ts';
import { inOwnProcess } from '../own-process.ts';

test('a bot whose journal was replaced ends with 1, and the next one uses the new file', async () => {
  const { appliance, workspace, data, start } = await inOwnProcess();
  const alice = personIn(workspace, { idle: async () => undefined }, 'alice');
  const read = () => transcript(workspace.snapshot('U0ALICE001'), 'helpdesk');
  const first = await start();
  const file = join(data, 'journal.sqlite');
  copyFileSync(file, `${file}.backup`);
  await alice.type('helpdesk', '/appliance rdp disconnect 12');
  await expect.poll(read).toContain('[Disconnect]');
  renameSync(`${file}.backup`, file);
  await alice.press('helpdesk', 'Disconnect');
  expect(await first.exited).toBe(1);
  expect(appliance.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  expect(first.logged.join()).toContain('"trouble":"replaced"');
  await start();
  await alice.type('helpdesk', '/appliance rdp sessions');
  await expect.poll(read).toContain('bob.miller');
});

test('a running bot checks its journal: it finds 400 damaged bytes, stops all changes, and a backup repairs it', async () => {
  const { appliance, workspace, data, start } = await inOwnProcess();
  const alice = personIn(workspace, { idle: async () => undefined }, 'alice');
  const read = () => transcript(workspace.snapshot('U0ALICE001'), 'helpdesk');
  const { child, exited, logged } = await start();
  const file = join(data, 'journal.sqlite');
  await alice.type('helpdesk', '/appliance rdp disconnect 12');
  await expect.poll(read).toContain('[Disconnect]');
  // As `appliance-bot journal backup` copies it.
  const source = new DatabaseSync(file, { readOnly: true });
  source.prepare('vacuum into ?').run(`${file}.backup`);
  source.close();
  // So that the damage is not in pages that are read from the log.
  const log = new DatabaseSync(file);
  log.exec('pragma wal_checkpoint(truncate)');
  log.close();
  damage(file, 400);
  await expect.poll(() => logged.join(), { timeout: 30_000 }).toContain('"trouble":"corrupt"');
  await alice.press('helpdesk', 'Disconnect');
  await expect.poll(read).toContain('The journal is damaged');
  expect(appliance.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  child.kill('SIGTERM');
  await exited;
  renameSync(`${file}.backup`, file);
  for (const rest of ['-wal', '-shm']) rmSync(file + rest, { force: true });
  await start();
  await alice.press('helpdesk', 'Disconnect');
  await expect.poll(read).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
});
