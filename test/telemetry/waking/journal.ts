import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { openJournal } from '../../../src/journal/journal.ts';
import { openSqlite } from '../../../src/journal/storage/sqlite.ts';
import { openFile } from '../../../src/journal/storage/sqlite-connection.ts';
import type { World } from '../../../src/world.ts';
import { mistakeIn } from './mistakes.ts';
import type { Scenes } from './scene.ts';

/** A disk that takes no page more than there are, once it is full. */
function smallDisk() {
  const opened: ReturnType<typeof openFile>[] = [];
  return {
    journalFile: {
      open: (...given: Parameters<typeof openFile>) => {
        const file = openFile(...given);
        opened.push(file);
        return file;
      },
    } satisfies World['journalFile'],
    limit: async (pages: number) => {
      for (const { quick } of opened) await sql.raw(`pragma max_page_count = ${pages}`).execute(quick);
    },
  };
}

/** Another process that takes the write lock, and keeps it until it is killed. */
async function lockFromOutside(file: string): Promise<void> {
  const program = `const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(${JSON.stringify(file)}, { timeout: 10_000 });
    database.exec('begin immediate');
    process.stdout.write('locked');
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout ?? child, 'data');
}

const ofAProcessThatDied = (data: string) =>
  openJournal(openSqlite(join(data, 'journal.sqlite')), Date.now, 'one that died');

const unwritten = mistakeIn('write');
const full = smallDisk();
const lossy = smallDisk();

const minute = 60_000;
const day = 24 * 60 * minute;

/** Events of the journal, the policy, and the process. */
export const ofJournal: Scenes = {
  journal_locked: {
    happen: async ({ data, type }) => {
      await lockFromOutside(join(data, 'journal.sqlite'));
      await type('/appliance rdp disconnect 12');
    },
    line: { trouble: 'locked', holders: [{ pid: expect.any(Number), command: expect.any(String) }] },
  },
  journal_unavailable: {
    options: { world: { journalFile: full.journalFile } },
    happen: async ({ bot, type }) => {
      await full.limit(1);
      for (let number = 0; bot.readiness().isReady && number < 50; number += 1)
        await type(`/appliance categorize ${'a'.repeat(60)}${number}.example`);
    },
    line: { trouble: 'full', reason: expect.any(String) },
  },
  journal_entries_lost: {
    options: { world: { journalFile: lossy.journalFile } },
    happen: async (house) => {
      await lossy.limit(1);
      for (let number = 0; house.bot.readiness().isReady && number < 50; number += 1)
        await house.type(`/appliance categorize ${'a'.repeat(60)}${number}.example`);
      // The table changes meanwhile, so that the buffered row cannot be written when there is room again.
      house.inJournal('alter table actions rename column line to line_of_a_later_version');
      await lossy.limit(1_000_000);
      await expect.poll(() => house.bot.readiness().isReady).toBe(true);
    },
    line: { what: expect.any(String) },
  },
  journal_disk_low: {
    options: { world: { journalFile: { watching: { fewBytes: Number.POSITIVE_INFINITY, room: 20 } } } },
    happen: async () => undefined,
    line: { free: expect.any(Number) },
  },
  audit_broken: {
    happen: async (bot) => {
      for (const name of ['one', 'two', 'three']) await bot.type(`/appliance categorize ${name}.example`);
      await bot.pass(minute);
      bot.inJournal(
        `update audit set record_json = replace(record_json, 'one.example', 'other.example') where seq = 1`,
      );
      await bot.pass(day);
    },
    line: { record: 1, reason: expect.stringMatching(/^Record 1 \(action .+\) was changed/) },
  },
  policy_refused: {
    happen: ({ savePolicy }) => savePolicy((text) => text.replace('operator:', 'operater:')),
    line: { problems: [expect.stringContaining('Did you mean operator?')] },
  },
  internal_error: {
    options: { world: unwritten.world },
    happen: async ({ type }) => {
      unwritten.begin();
      await type('/appliance frobnicate');
    },
    line: { err: { message: 'a mistake' }, reference: expect.stringMatching(/^.{8}$/) },
  },
  actions_taken_up: {
    happen: (bot) =>
      bot.restart(async () => {
        const journal = await ofAProcessThatDied(bot.data);
        await journal.write({
          ...{ team: 'T0HARBOUR', channel: 'C0HELPDESK', person: 'U0ALICE001', state: 'running' },
          ...{ line: 'categorize example.com', phrase: 'categorize <domain>', effect: 'read' },
        });
        await journal.close();
      }),
    line: { left: 1, actions: [expect.any(String)] },
  },
  earlier_run_cut_off: {
    happen: (bot) =>
      bot.restart(async () => {
        const journal = await ofAProcessThatDied(bot.data);
        await journal.heartbeat();
        await journal.close();
      }),
    line: { peer: 'one that died' },
  },
};
