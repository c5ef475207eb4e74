import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { journalTool } from '../cli/journal/journal.ts';
import { machine } from '../sandbox/machine.ts';
import { personIn } from '../sandbox/person.ts';
import { program } from '../sandbox/process.ts';
import { transcript } from '../sandbox/workspace/transcript.ts';
import type { Environment } from '../src/config/secret.ts';
import { type Journal, openJournal } from '../src/journal/journal.ts';
import { takeLock } from '../src/journal/storage/lock.ts';
import { openPostgres } from '../src/journal/storage/postgres.ts';
import { openSqlite } from '../src/journal/storage/sqlite.ts';
import { openDatabase } from '../src/journal/storage/sqlite-connection.ts';
import { start } from '../src/start.ts';
import { createLog } from '../src/telemetry/log.ts';
import { converse } from './conversation.ts';
import { formerJournal, makeFormer } from './former-journals.ts';
import { emptyPostgres, newPostgres } from './stores.ts';

const noon = Date.UTC(2026, 10, 25, 12);

async function run(words: readonly string[], environment: Environment = {}) {
  let text = '';
  const write = (more: string) => {
    text += more;
  };
  return { code: await journalTool(words, { environment, write, complain: write, now: () => noon }), text };
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'journal-tool-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function opened(store: Parameters<typeof openJournal>[0]): Promise<Journal> {
  const journal = await openJournal(store, Date.now);
  onTestFinished(() => journal.close().catch(() => undefined));
  return journal;
}

const asked = (line: string) =>
  ({ team: 'T1', channel: 'C1', person: 'U1', line, phrase: 'x', state: 'asked' }) as const;

/** A data folder with a journal in which these lines stand. */
async function folderWith(...lines: readonly string[]): Promise<string> {
  const folder = newFolder();
  const journal = await openJournal(openSqlite(join(folder, 'journal.sqlite')), () => noon);
  for (const line of lines) await journal.write(asked(line));
  await journal.close();
  return folder;
}

const digestOf = (folder: string): string =>
  createHash('sha256')
    .update(readFileSync(join(folder, 'journal.sqlite')))
    .digest('hex');

test('--help lists the commands, and a wrong word gets a suggestion', async () => {
  const { code, text } = await run(['--help']);
  expect(code).toBe(0);
  expect(text).toContain('appliance-bot journal backup FILE');
  expect(text).toContain('Other users of this machine can read an address on the command line');
  expect(await run(['restore'])).toMatchObject({
    code: 2,
    text: expect.stringMatching(/^Unknown command restore\. Use backup or migrate-to\./),
  });
  expect((await run(['backup'])).text).toMatch(/^Missing file\./);
  expect((await run(['backup', 'a', 'b'])).text).toMatch(/^Too many arguments\./);
  expect((await run(['migrate-to'])).text).toMatch(/^Missing address\. /);
  expect((await run(['backup', '--fast', 'a'])).text).toMatch(/^Unknown option '--fast'\.\n/);
});

describe('backup', () => {
  test('copies the journal of a bot that runs and writes, and the copy is a journal', async () => {
    const { type, data, bot } = await converse();
    await type('/appliance rdp disconnect 12');
    let isOver = false;
    // By another process, as somebody runs it.
    const file = join(newFolder(), 'copy.sqlite');
    const copying = promisify(execFile)(process.execPath, [program, 'journal', 'backup', file], {
      env: { ...machine(), APPLIANCE_BOT_DATA: data },
    }).finally(() => {
      isOver = true;
    });
    let written = 0;
    while (!isOver) {
      await bot.journal.write(asked(`line ${written}`));
      written += 1;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const { stdout } = await copying;
    expect(stdout).toMatch(
      /^Backed up the journal in .*data to .*copy\.sqlite, as of 20\S+ \S+ UTC: \d+\.\d MB, \d+ actions, the newest from 20\S+ \S+ UTC\. The copy was checked and is intact\.\n$/,
    );
    const count = Number(/(\d+) actions/.exec(stdout)?.[1]);
    expect(count).toBeGreaterThan(0);
    expect(written).toBeGreaterThan(10);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const copy = await opened(openSqlite(file));
    expect(await copy.recent(100_000)).toHaveLength(count);
    expect((await copy.recent(100_000)).at(-1)).toMatchObject({
      state: 'waiting',
      line: 'rdp disconnect 12',
    });
    await copy.write(asked('it goes on'));
  });

  test('names the content of a journal, and leaves nothing but the copy', async () => {
    const folder = await folderWith('one', 'two');
    const into = newFolder();
    const { code, text } = await run(['backup', join(into, 'copy')], { APPLIANCE_BOT_DATA: folder });
    expect(code).toBe(0);
    expect(text).toContain('2 actions, the newest from 2026-11-25 12:00 UTC.');
    expect(readdirSync(into)).toEqual(['copy']);
  });

  test('overwrites nothing, and leaves nothing behind when it failed', async () => {
    const folder = await folderWith('one');
    const file = join(folder, 'copy');
    writeFileSync(file, 'precious');
    expect(await run(['backup', file], { APPLIANCE_BOT_DATA: folder })).toEqual({
      code: 1,
      text: `${file} already exists and was not overwritten. Choose another file.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('precious');
    const nowhere = join(folder, 'no', 'copy');
    expect((await run(['backup', nowhere], { APPLIANCE_BOT_DATA: folder })).text).toBe(
      `${nowhere} cannot be written (ENOENT). No copy was made. Choose another file.\n`,
    );
    const empty = newFolder();
    expect((await run(['backup', join(empty, 'copy')], { APPLIANCE_BOT_DATA: empty })).text).toBe(
      `There is no journal in ${empty}. Set APPLIANCE_BOT_DATA to its folder.\n`,
    );
    expect(readdirSync(empty)).toEqual([]);
  });

  test('refuses the journal of a later version, and a PostgreSQL', async () => {
    const folder = await folderWith('one');
    const later = new DatabaseSync(join(folder, 'journal.sqlite'));
    later.exec("insert into kysely_migration (name, timestamp) values ('2099-01-01-later', '')");
    later.close();
    const file = join(folder, 'copy');
    const { code, text } = await run(['backup', file], { APPLIANCE_BOT_DATA: folder });
    expect([code, text]).toEqual([1, expect.stringContaining('written by a later version of the bot')]);
    expect(existsSync(file)).toBe(false);
    const shared = await run(['backup', file], { DATABASE_URL: 'postgres://x', APPLIANCE_BOT_DATA: folder });
    expect([shared.code, shared.text]).toEqual([1, expect.stringContaining('pg_dump')]);
  });

  test('keeps no copy of a damaged journal', async () => {
    const folder = await folderWith(...Array.from({ length: 200 }, (_, index) => `line ${index}`));
    const path = join(folder, 'journal.sqlite');
    const bytes = readFileSync(path);
    bytes.fill(0xff, 8 * 4096, 12 * 4096);
    writeFileSync(path, bytes);
    const file = join(folder, 'copy');
    const { code, text } = await run(['backup', file], { APPLIANCE_BOT_DATA: folder });
    expect(code).toBe(1);
    expect(text).toMatch(/^Couldn’t copy the journal: .*malformed\. No copy was made\.\n$/);
    expect(existsSync(file)).toBe(false);
  });
});

describe('migrate-to', () => {
  test('moves everything from a stopped bot, and a waiting card is confirmed on PostgreSQL', async () => {
    const { type, data, bot, stopBot, workspace, appliance } = await converse();
    await type('/appliance rdp disconnect 12');
    await type('/appliance categorize example.com');
    const url = await emptyPostgres();
    expect(await run(['migrate-to', url], { APPLIANCE_BOT_DATA: data })).toMatchObject({
      code: 1,
      text: `A bot is running on ${data}. Stop it first: changes during the migration would be lost.\n`,
    });
    await bot.idle();
    await stopBot(0);
    const before = digestOf(data);
    const { code, text } = await run(['migrate-to'], { APPLIANCE_BOT_DATA: data, DATABASE_URL: url });
    expect(text).toMatch(/^Migrated the journal in \S+ to 127\.0\.0\.1:\d+\/journal_\S+: 2 actions\.\n/);
    expect(text).toContain('Next, set DATABASE_URL to that address');
    expect(text).not.toContain('only-for-tests');
    expect(code).toBe(0);
    expect(digestOf(data)).toBe(before);
    const onPostgres = await start(
      {
        SLACK_BOT_TOKEN: workspace.botToken,
        SLACK_APP_TOKEN: workspace.appToken,
        SLACK_API_URL: workspace.apiUrl,
        APPLIANCE_BOT_CONFIG: join(dirname(data), 'appliance-bot.yml'),
        APPLIANCE_KEY: 'sandbox-web-api-key',
        SHELL_PASSWORD: 'sandbox-shell-password',
        DATABASE_URL: url,
      },
      { log: createLog('silent') },
    );
    try {
      await personIn(workspace, onPostgres, 'alice').press('helpdesk', 'Disconnect');
      expect(transcript(workspace.snapshot('U0ALICE001'), 'helpdesk')).toContain(
        '✅ Session 12 of bob.miller on srv-files-01 disconnected',
      );
      expect(appliance.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
    } finally {
      await onPostgres.stop();
    }
  });

  test('leaves a folder that no bot uses unless somebody removes the mark', async () => {
    const { data, bot, stopBot, startBot } = await converse();
    await bot.idle();
    await stopBot(0);
    const url = await emptyPostgres();
    const { text } = await run(['migrate-to', url], { APPLIANCE_BOT_DATA: data });
    const mark = join(data, 'journal.sqlite.moved');
    expect(text).toContain(`remove ${mark}`);
    expect(statSync(mark).mode & 0o777).toBe(0o600);
    await expect(startBot(0)).rejects.toThrow(
      new RegExp(
        `APPLIANCE_BOT_DATA points to ${data}, whose journal was migrated to the PostgreSQL database at 127\\.0\\.0\\.1:\\d+/journal_\\S+ at 2026-11-25 12:00 UTC\\. .* Set DATABASE_URL .* remove ${mark}\\.`,
      ),
    );
    // An empty mark of an earlier attempt is enough.
    writeFileSync(mark, '');
    await expect(startBot(0)).rejects.toThrow('whose journal was migrated to a PostgreSQL database. ');
    rmSync(mark);
    await startBot(0);
  });

  test('keeps every row and every number, and gives no number twice', async () => {
    const folder = await folderWith();
    const file = join(folder, 'journal.sqlite');
    const journal = await openJournal(openSqlite(file), () => noon + 0.25, 'old');
    const { id } = await journal.write(asked('null \0 character, ünïcödé 🚨, \\u0000'));
    await journal.note(id, { kind: 'shown', content: { was: 'a \0 b' } });
    await journal.post([
      { key: 'k1', orderingKey: 'person U1', kind: 'post', content: { big: 'x'.repeat(3_000_000) } },
      { key: 'k2', orderingKey: 'person U1', kind: 'post', content: {} },
    ]);
    await journal.acknowledge('k2');
    await journal.addPendingApply({ appliance: 'hq', what: 'acl', action: id });
    await journal.heartbeat();
    const generations = await journal.generations();
    await journal.close();
    const rows = new DatabaseSync(file);
    for (let seq = 1; seq <= 2_500; seq += 1) {
      rows
        .prepare('insert into audit (seq, action, at, record_json, digest) values (?, ?, ?, ?, ?)')
        .run(seq, id, noon, `{"n":"\\u0000 ${seq}"}`, `d${seq}`);
    }
    rows.close();
    const url = await newPostgres();
    // A bot that was started there once has done nothing.
    await (await openJournal(openPostgres(url), () => noon)).close();
    const { code, text } = await run(['migrate-to', url], { APPLIANCE_BOT_DATA: folder });
    expect(text).toContain('  audit: 2500\n');
    expect(code).toBe(0);

    const store = openPostgres(url);
    const moved = await openJournal(store, () => noon, 'new');
    onTestFinished(() => moved.close());
    // The moved journal keeps its generations.
    expect(await moved.generations()).toEqual(generations);
    expect(await moved.byId(id)).toMatchObject({
      line: 'null \ufffd character, ünïcödé 🚨, \\u0000',
      createdAt: noon,
    });
    expect((await moved.eventsOf(id)).map(({ content }) => content)).toEqual([{ was: 'a \0 b' }]);
    const audit = await store.quick.selectFrom('audit').selectAll().orderBy('seq').execute();
    expect(audit).toHaveLength(2_500);
    expect(audit[2_499]).toEqual({
      ...{ seq: 2_500, action: id, at: noon, digest: 'd2500' },
      record_json: '{"n":"\\u0000 2500"}',
    });
    // Number 2 was given already.
    await moved.post([{ key: 'k3', orderingKey: 'person U1', kind: 'post', content: {} }]);
    const outbox = await store.quick.selectFrom('outbox').select(['id', 'key']).orderBy('id').execute();
    expect(outbox).toEqual([
      { id: 1, key: 'k1' },
      { id: 3, key: 'k3' },
    ]);
    // The first replica adopts the old process's work at once.
    await moved.heartbeat();
    expect((await moved.adoptOrphans()).map((action) => action.id)).toEqual([id]);
  });

  test('brings an earlier version’s journal up to date there, and leaves it here as it is', async () => {
    const folder = newFolder();
    const file = join(folder, 'journal.sqlite');
    const old = openDatabase(file, 'crash');
    await makeFormer(old, formerJournal('c64f1a6'));
    await old.destroy();
    const rows = new DatabaseSync(file);
    rows.exec(
      "insert into actions (id, state, created_at, changed_at, team, channel, person, line, args_json) values ('a1', 'running', 1, 1, 'T1', 'C1', 'U1', 'x', '{}')",
    );
    rows.close();
    const before = digestOf(folder);
    const url = await emptyPostgres();
    expect(await run(['migrate-to', url], { APPLIANCE_BOT_DATA: folder })).toMatchObject({ code: 0 });
    expect(digestOf(folder)).toBe(before);
    expect(readdirSync(folder).filter((name) => name.includes('moving'))).toEqual([]);
    const moved = await openJournal(openPostgres(url), Date.now);
    expect(await moved.adoptOrphans()).toMatchObject([{ id: 'a1', state: 'running' }]);
    await moved.close();
  });

  test('refuses a journal that cannot be brought up to date, and a database of a later version', async () => {
    const folder = newFolder();
    const old = openDatabase(join(folder, 'journal.sqlite'), 'crash');
    await makeFormer(old, formerJournal('c64f1a6'));
    await sql`alter table actions drop column line`.execute(old);
    await old.destroy();
    const url = await emptyPostgres();
    const unknown = await run(['migrate-to', url], { APPLIANCE_BOT_DATA: folder });
    expect(unknown.code).toBe(1);
    expect(unknown.text).toMatch(
      /^The journal cannot be updated to this version: the table actions is missing the column line.* Nothing was migrated\.\n$/,
    );
    const later = openPostgres(url);
    await later.migrate();
    await sql`insert into kysely_migration values ('9999-later', '')`.execute(later.durable);
    await later.close();
    const refused = await run(['migrate-to', url], { APPLIANCE_BOT_DATA: await folderWith('one') });
    expect([refused.code, refused.text]).toEqual([
      1,
      expect.stringMatching(/^The database cannot be used: it was written by a later version/),
    ]);
  });

  test('refuses a database that is in use, and moves nothing', async () => {
    const folder = await folderWith('one', 'two');
    const url = await newPostgres();
    const there = await opened(openPostgres(url));
    await there.claimDelivery('envelope');
    const { code, text } = await run(['migrate-to', url], { APPLIANCE_BOT_DATA: folder });
    expect([code, text]).toEqual([1, expect.stringContaining('the table deliveries has rows')]);
    expect(await there.recent(10)).toEqual([]);
  });

  test('moves nothing at all when a record of the audit would change', async () => {
    const folder = await folderWith('one');
    const rows = new DatabaseSync(join(folder, 'journal.sqlite'));
    rows.exec(`insert into audit (seq, action, at, record_json, digest) values (1, 'a', 1, '{"n":1}', 'd')`);
    rows.close();
    const url = await emptyPostgres();
    const store = openPostgres(url);
    const there = await openJournal(store, Date.now);
    await sql`create function meddle() returns trigger language plpgsql as 'begin new.record_json := ''{}''; return new; end'`.execute(
      store.durable,
    );
    await sql`create trigger meddling before insert on audit for each row execute function meddle()`.execute(
      store.durable,
    );
    expect(await run(['migrate-to', url], { APPLIANCE_BOT_DATA: folder })).toEqual({
      code: 1,
      text: 'The audit records differ after the copy. Nothing was migrated.\n',
    });
    expect(await there.recent(10)).toEqual([]);
    await there.close();
  });

  test('refuses a locked folder, an unknown database, and an invalid address', async () => {
    const folder = await folderWith('one');
    const lock = takeLock(join(folder, 'lock.sqlite'));
    const refused = await run(['migrate-to', 'postgres://u:p@127.0.0.1:1/x'], { APPLIANCE_BOT_DATA: folder });
    expect(refused.text).toContain(`A bot is running on ${folder}.`);
    lock?.release();
    const away = await run(['migrate-to', 'postgres://u:hush-4711@127.0.0.1:1/x'], {
      APPLIANCE_BOT_DATA: folder,
    });
    expect(away.code).toBe(1);
    expect(away.text).toMatch(/^The database is unreachable: .*ECONNREFUSED.*\. Nothing was migrated\.\n$/);
    expect(away.text).not.toContain('hush');
    const wrong = await run(['migrate-to', 'mysql://hush-4711@db'], { APPLIANCE_BOT_DATA: folder });
    expect([wrong.code, wrong.text]).toEqual([1, expect.stringContaining('not the address of a PostgreSQL')]);
    expect(wrong.text).not.toContain('hush');
    // A second attempt works once the cause is gone.
    expect((await run(['migrate-to', await newPostgres()], { APPLIANCE_BOT_DATA: folder })).code).toBe(0);
  });
});
