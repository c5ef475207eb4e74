import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { openFile } from '../../src/journal/storage/sqlite-connection.ts';
import type { OfFile } from '../../src/open-journal.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { type Conversation, converse } from '../conversation.ts';
import { damage } from '../damage.ts';
import { steadyNow } from '../steady-clock.ts';

interface Watched extends Conversation {
  readonly file: string;
  /** The bot's log. */
  readonly logged: () => readonly Logged[];
  /** Resolves when the bot can use its journal again. */
  readonly isBack: () => Promise<void>;
  readonly orders: () => readonly unknown[];
}

interface Logged {
  readonly level: string;
  readonly msg: string;
  readonly trouble?: string;
  readonly [field: string]: unknown;
}

async function watched(journalFile: OfFile = {}): Promise<Watched> {
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const conversation = await converse({ world: { log, journalFile } });
  const logged = () => lines.map((line): Logged => JSON.parse(line));
  return Object.assign(conversation, {
    file: join(conversation.data, 'journal.sqlite'),
    logged,
    isBack: async () => {
      await expect.poll(() => conversation.bot.readiness().isReady).toBe(true);
    },
    orders: () => conversation.appliance.requests.filter(({ method }) => method === 'POST'),
  });
}

const troubles = ({ logged }: Watched) =>
  logged().flatMap(({ level, trouble }) => (trouble === undefined ? [] : [`${level} ${trouble}`]));

/** Messages to the admins. */
const toAdmin = ({ workspace }: Conversation): string => {
  const [admin] = workspace.people.filter(({ name }) => name === 'dana');
  const id = admin?.id ?? '';
  const direct = workspace.direct(id).id;
  return JSON.stringify(workspace.snapshot(id).messages.filter(({ channel }) => channel === direct));
};

/** Another process that takes the write lock, and keeps it until it is killed. */
async function lockFromOutside(file: string) {
  const program = `const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
    const database = new DatabaseSync(${JSON.stringify(file)}, { timeout: 10_000 });
    database.exec('begin immediate');
    process.stdout.write('locked');
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  const free = async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  };
  onTestFinished(free);
  if (child.stdout !== null) await once(child.stdout, 'data');
  return { pid: child.pid, free };
}

test('while another process locks the journal, lookups work, a change is refused with the reason, and the log names the process', async () => {
  const conversation = await watched();
  const { type, press, bot, logged } = conversation;
  expect(await type('/appliance rdp disconnect 12')).toContain('[Disconnect]');
  const lock = await lockFromOutside(conversation.file);
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  const stood = () => performance.now() - steadyNow();
  const before = stood();
  expect(await type('/appliance rdp sessions')).toContain('bob.miller');
  expect(await type('/appliance rdp disconnect 14')).toContain('The journal is locked by another process');
  await press('Disconnect');
  delay.disable();
  const held = delay.max / 1e6 - (stood() - before);
  expect(held, 'milliseconds in which nobody could be acknowledged').toBeLessThan(3_000);
  expect(conversation.orders()).toEqual([]);
  expect(bot.readiness()).toEqual({ isReady: false, why: 'locked' });
  const told = logged().filter(({ trouble }) => trouble === 'locked');
  expect(told).toMatchObject([{ level: 'warn', is: 'the journal is locked by another process' }]);
  // Only Linux tells.
  if (existsSync('/proc/locks')) {
    expect(told[0]?.holders).toEqual([{ pid: lock.pid, command: expect.stringContaining('node') }]);
  }
  await lock.free();
  await conversation.isBack();
  expect(await press('Disconnect')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  const lines = (await bot.journal.recent()).map(({ line, state }) => `${line}: ${state}`);
  expect(lines.toSorted()).toEqual([
    'rdp disconnect 12: done',
    'rdp disconnect 14: refused',
    'rdp sessions: done',
  ]);
});

test('a journal that is deleted under a running bot is noticed before an order leaves, and written anew in full', async () => {
  const conversation = await watched();
  const { type, press, bot, file, data, logged } = conversation;
  expect(await type('/appliance rdp disconnect 12')).toContain('[Disconnect]');
  for (const name of readdirSync(data)) if (name.startsWith('journal.sqlite')) rmSync(join(data, name));
  expect(await press('Disconnect')).toContain('The journal’s file was deleted while the bot was running');
  expect(conversation.orders()).toEqual([]);
  await conversation.isBack();
  expect(troubles(conversation)).toEqual(['error deleted']);
  expect(logged().at(-1)?.msg).toContain('is available again');
  expect(await press('Disconnect')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  await expect.poll(() => toAdmin(conversation)).toContain('🚨 Changes are blocked');
  // Other processes find the new file, with everything in it.
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const found = new DatabaseSync(file, { readOnly: true });
  onTestFinished(() => found.close());
  expect(found.prepare('select line, state from actions').all()).toEqual([
    { line: 'rdp disconnect 12', state: 'done' },
  ]);
  await conversation.restart();
  expect((await conversation.bot.journal.recent()).map(({ line }) => line)).toEqual(['rdp disconnect 12']);
  expect(bot.readiness().isReady).toBe(true);
});

test('an idle bot notices a deleted journal within seconds, by its log alone as well', async () => {
  const conversation = await watched();
  rmSync(`${conversation.file}-wal`);
  await expect.poll(() => troubles(conversation)).toEqual(['error deleted']);
  await conversation.isBack();
  expect(await conversation.type('/appliance rdp sessions')).toContain('bob.miller');
});

test('another file in the journal’s place ends the bot: no order leaves, its own journal is saved beside it, and the next start uses the other', async () => {
  const conversation = await watched();
  const { type, press, bot, file, data } = conversation;
  // Somebody restores a backup, and forgets to stop the bot.
  const backup = join(data, 'backup.sqlite');
  copyFileSync(file, backup);
  expect(await type('/appliance rdp disconnect 12')).toContain('[Disconnect]');
  renameSync(backup, file);
  expect(await press('Disconnect')).toContain('The journal was replaced by another file');
  await bot.lost;
  expect(conversation.orders()).toEqual([]);
  expect(bot.readiness()).toEqual({ isReady: false, why: 'replaced' });
  await expect.poll(() => toAdmin(conversation)).toContain('It saves its own journal in the same folder');
  await conversation.restart();
  expect(await conversation.bot.journal.recent(), 'as restored').toEqual([]);
  const saved = readdirSync(data).filter((name) => name.startsWith('journal.sqlite.replaced-'));
  expect(saved).toHaveLength(1);
  const own = new DatabaseSync(join(data, saved[0] ?? ''), { readOnly: true });
  onTestFinished(() => own.close());
  expect(own.prepare('select line, state from actions').all()).toEqual([
    { line: 'rdp disconnect 12', state: 'waiting' },
  ]);
});

/** With a disk that takes no page more than there are. */
async function withDisk() {
  const opened: ReturnType<typeof openFile>[] = [];
  const conversation = await watched({
    open: (...given) => {
      const file = openFile(...given);
      opened.push(file);
      return file;
    },
  });
  const limit = async (pages: number) => {
    for (const { quick } of opened) await sql.raw(`pragma max_page_count = ${pages}`).execute(quick);
  };
  return Object.assign(conversation, {
    free: () => limit(1_000_000),
    fill: async () => {
      const { type, bot } = conversation;
      await limit(1);
      // There is some room in the pages that there are.
      for (let number = 0; bot.readiness().isReady && number < 50; number += 1)
        await type(`/appliance categorize ${'a'.repeat(60)}${number}.example`);
    },
  });
}

test('a full disk stops changes with a reason, leaves lookups, and everything works again when there is room', async () => {
  const conversation = await withDisk();
  const { type, press, bot, logged } = conversation;
  expect(await type('/appliance rdp disconnect 12')).toContain('[Disconnect]');
  await conversation.fill();
  expect(bot.readiness()).toEqual({ isReady: false, why: 'full' });
  expect(await type('/appliance rdp sessions')).toContain('bob.miller');
  expect(await type('/appliance rdp disconnect 14')).toContain('The journal’s disk is full');
  await press('Disconnect');
  expect(conversation.orders()).toEqual([]);
  expect(conversation.read()).not.toContain('Something went wrong');
  expect(troubles(conversation)).toEqual(['error full']);
  await expect.poll(() => toAdmin(conversation)).toContain('the journal’s disk is full');
  await conversation.free();
  await conversation.isBack();
  await expect.poll(() => toAdmin(conversation)).toContain('The journal can be used again');
  expect(await press('Disconnect')).toContain('✅ Session 12 of bob.miller on srv-files-01 disconnected');
  expect(await bot.journal.unsent()).toEqual([]);
  expect((await bot.journal.recent()).map(({ line }) => line)).toContain('rdp sessions');
  expect(logged().filter(({ msg }) => msg.includes('Something went wrong'))).toEqual([]);
});

test('a full disk leaves a slow lookup without a note that it waits: after a crash nobody could remove the note', async () => {
  const { type, read, fill, appliance, workspace } = await withDisk();
  await fill();
  const seen: string[] = [];
  workspace.onChange((change) => {
    if (change.type === 'message') seen.push(change.message.text);
  });
  appliance.faults.set('GET /categories/query/{domain}', { kind: 'slow', ms: 3_000 });
  await type('/appliance categorize example.com');
  expect(read()).toContain('example.com is in 1 category: shopping');
  expect(seen.filter((text) => text.includes('Still waiting'))).toEqual([]);
});

test('a full disk leaves a mention unacknowledged until it is answered, and its repetition, too', async () => {
  const { read, fill, appliance, workspace } = await withDisk();
  await fill();
  appliance.faults.set('GET /categories/query/{domain}', { kind: 'slow', ms: 3_500 });
  workspace.faults.next('delivery', { kind: 'twice' });
  const mentions = () => workspace.log.envelopes().filter(({ what }) => what === 'app_mention');
  const text = '@appliance-bot categorize example.com';
  void workspace.act({ act: 'type', as: 'U0ALICE001', channel: 'C0HELPDESK', text });
  await expect.poll(() => mentions().length).toBe(2);
  await expect.poll(() => read()).toContain('example.com is in 1 category');
  await expect.poll(() => mentions().filter(({ ackedAt }) => ackedAt !== undefined)).toHaveLength(1);
  const answer = workspace.log
    .calls()
    .find(({ args }) => JSON.stringify(args).includes('example.com is in 1 category'));
  expect(mentions().find(({ ackedAt }) => ackedAt)?.ackedAt).toBeGreaterThan(Number(answer?.at));
  expect(read().split('example.com is in 1 category')).toHaveLength(2);
});

test('the admins are warned before the disk is full', async () => {
  const conversation = await watched({ watching: { fewBytes: Number.POSITIVE_INFINITY, room: 20 } });
  await expect
    .poll(() => toAdmin(conversation))
    .toMatch(/The disk of the journal is filling up: \d+ MB are left/);
  expect(conversation.bot.readiness().isReady).toBe(true);
});

test('a journal that is damaged under a running bot stops changes and not lookups, and the bot says how to restore it', async () => {
  const conversation = await watched({ watching: { firstCheck: 1_500 } });
  const { type, press, bot, file, logged } = conversation;
  expect(await type('/appliance rdp disconnect 12')).toContain('[Disconnect]');
  await expect.poll(() => statSync(`${file}-wal`).size).toBeGreaterThan(0);
  damage(file, 400);
  await expect.poll(() => bot.readiness()).toEqual({ isReady: false, why: 'corrupt' });
  expect(await press('Disconnect')).toContain('The journal is damaged');
  expect(conversation.orders()).toEqual([]);
  expect(await type('/appliance rdp sessions')).toContain('bob.miller');
  await expect.poll(() => toAdmin(conversation)).toContain('restore a backup');
  for (let tick = 0; tick < 5; tick += 1) await conversation.pass(2_000);
  expect(troubles(conversation)).toEqual(['error corrupt']);
  expect(logged().filter(({ level }) => level === 'error')).toHaveLength(1);
});

test('a damaged journal ends the start, which says how to restore it', async () => {
  const conversation = await watched();
  await conversation.type('/appliance rdp disconnect 12');
  const restarted = conversation.restart(async () => damage(conversation.file, 400));
  await expect(restarted).rejects.toThrow(
    /the journal is damaged .*Stop the bot, restore a backup and start the bot again/,
  );
});

test('a start without the earlier journal says so, and tells the admins', async () => {
  const conversation = await watched();
  const begun = 'A new journal was started: the journal of an earlier run is missing';
  expect(conversation.logged().map(({ msg }) => msg)).not.toContain(begun);
  await conversation.restart(async () => {
    for (const name of readdirSync(conversation.data))
      if (name.startsWith('journal.sqlite')) rmSync(join(conversation.data, name));
  });
  expect(conversation.logged()).toContainEqual(expect.objectContaining({ level: 'warn', msg: begun }));
  await expect.poll(() => toAdmin(conversation)).toContain('the journal of an earlier run there is missing');
});
