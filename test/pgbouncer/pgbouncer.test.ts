import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openJournal } from '../../src/journal/journal.ts';
import { openPostgres } from '../../src/journal/storage/postgres.ts';
import { obstacleIn } from '../../src/journal/storage/postgres-check.ts';
import { JournalUnavailable } from '../../src/journal/unavailable.ts';
import { openJournalOf } from '../../src/open-journal.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { asked } from '../audit-records.ts';
import { startPostgres } from '../postgres.ts';
import { steadyNow } from '../steady-clock.ts';
import { newPostgres } from '../stores.ts';
import { pooled } from './pgbouncer.ts';

const shares =
  'is behind a pooler that shares sessions between its clients, which loses locks and settings: set pool_mode = session for it in PgBouncer, or let DATABASE_URL point to PostgreSQL itself';

test('with its defaults, the journal works behind PgBouncer: sessions, locks, and the locks of a dead replica', async () => {
  const url = await pooled(await newPostgres());
  expect(await obstacleIn(url)).toBeUndefined();
  const store = openPostgres(url, 'gone');
  const gone = await openJournal(store, Date.now, 'gone');
  const other = await openJournal(openPostgres(url, 'other'), Date.now, 'other');
  onTestFinished(() => Promise.all([gone.close(), other.close()]).then(() => undefined));
  const { id } = await gone.write({ ...asked, line: 'status 🦆' });
  expect(await other.byId(id)).toMatchObject({ line: 'status 🦆' });
  await gone.heartbeat();
  const locked = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const holding = gone.exclusively('hq', 1_000, async () => {
    locked.resolve();
    await over.promise;
  });
  await locked.promise;
  expect(await other.exclusively('hq', 100, async () => 1)).toBeUndefined();
  const [beats] = await store.quick.selectFrom('replicas').selectAll().where('id', '=', 'gone').execute();
  // The name of a session gets through to the server, and its locks end with it.
  await openPostgres(url, 'other').evict('gone', beats?.beats ?? 0);
  expect(await other.exclusively('hq', 2_000, async () => 1)).toEqual({ value: 1 });
  over.resolve();
  await holding;
});

test.each([
  ['transaction', []],
  ['transaction', ['server_round_robin = 1']],
  ['transaction', ['default_pool_size = 1']],
  ['transaction', ['min_pool_size = 20']],
  ['transaction', ['server_round_robin = 1', 'min_pool_size = 12']],
  ['statement', []],
  ['statement', ['server_round_robin = 1', 'min_pool_size = 12']],
])('in %s mode (%j) the start refuses PgBouncer, also where nobody else uses it', async (mode, settings) => {
  const url = await pooled(await newPostgres(), [`pool_mode = ${mode}`, ...settings]);
  for (let round = 0; round < 3; round += 1) expect(await obstacleIn(url)).toBe(shares);
  // Beside a bot that has all of its connections already, two will do.
  expect(await obstacleIn(url, true)).toBe(shares);
});

test('in transaction mode the start refuses PgBouncer while others use it, too', async () => {
  const url = await pooled(await newPostgres(), ['pool_mode = transaction']);
  const others = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const client = new pg.Client(url);
      await client.connect();
      return client;
    }),
  );
  let isOver = false;
  const busy = others.map(async (client) => {
    while (!isOver) await client.query('select pg_sleep(random() / 200)');
    await client.end();
  });
  for (let round = 0; round < 5; round += 1) expect(await obstacleIn(url)).toBe(shares);
  isOver = true;
  await Promise.all(busy);
});

test('the check leaves nothing behind for others who share a session', async () => {
  const url = await pooled(await newPostgres(), ['pool_mode = transaction', 'default_pool_size = 1']);
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  const settings = async () =>
    (await client.query("select name, setting from pg_settings where name !~ 'application_name'")).rows;
  const before = await settings();
  await obstacleIn(url);
  expect(await settings()).toEqual(before);
});

test.each([
  [
    'default_pool_size = 4',
    /^gives its user only 4 connections now \(.+\), and each replica needs 12: raise /,
  ],
  [
    'max_client_conn = 5',
    /^gives its user only \d connections now \(.+\), and each replica needs 12: raise /,
  ],
])('with %s PgBouncer has too few connections, which the start says', async (setting, says) => {
  expect(await obstacleIn(await pooled(await newPostgres(), [setting]))).toMatch(says);
});

test('options in the address that PgBouncer does not pass on are named with the remedy', async () => {
  const url = await pooled(await newPostgres());
  expect(await obstacleIn(`${url}?options=-c%20work_mem%3D9MB`)).toMatch(
    /^is behind a pooler that refuses options: remove options from DATABASE_URL/,
  );
});

test('a database that PgBouncer does not find, or that is paused, is reported within seconds, as unreachable', async () => {
  const url = await pooled(await newPostgres(), ['admin_users = postgres', 'server_login_retry = 1']);
  const nowhere = Object.assign(new URL(url), { pathname: '/nowhere' }).href;
  const began = steadyNow();
  await expect(obstacleIn(nowhere)).rejects.toThrow(JournalUnavailable);
  const store = openPostgres(url);
  onTestFinished(() => store.close());
  const count = () => store.quick.selectFrom('outbox').selectAll().execute();
  expect(await count()).toEqual([]);
  const admin = new pg.Client(Object.assign(new URL(url), { pathname: '/pgbouncer' }).href);
  await admin.connect();
  onTestFinished(() => admin.end());
  // Present sessions are cut, and new ones wait until it resumes.
  const name = `"${decodeURIComponent(new URL(url).pathname.slice(1))}"`;
  await admin.query(`kill ${name}`);
  await expect(count()).rejects.toThrow(JournalUnavailable);
  await expect(obstacleIn(url)).rejects.toThrow(JournalUnavailable);
  expect(steadyNow() - began).toBeLessThan(20_000);
  await admin.query(`resume ${name}`);
  await expect.poll(() => count().catch(String)).toEqual([]);
});

test('a server that restarts behind PgBouncer is unreachable, and then found again', async () => {
  const server = await startPostgres();
  onTestFinished(() => server.remove());
  const url = await pooled(server.urlOf('postgres'), ['server_login_retry = 1']);
  const journal = await openJournal(openPostgres(url), Date.now);
  onTestFinished(() => journal.close());
  const line = () => journal.write(asked).then(({ state }) => state);
  expect(await line()).toBe('asked');
  await server.stop();
  await expect(line()).rejects.toThrow(JournalUnavailable);
  await server.start();
  await expect.poll(() => line().catch(String), { timeout: 40_000 }).toBe('asked');
  expect(await journal.exclusively('hq', 2_000, async () => 1)).toEqual({ value: 1 });
});

test('a bot that is killed in the middle of a transaction leaves nothing of it to the next client', async () => {
  const url = await pooled(await newPostgres(), ['default_pool_size = 1']);
  const killed = new pg.Client(url);
  killed.on('error', () => undefined);
  await killed.connect();
  await killed.query('begin');
  await killed.query("select set_config('statement_timeout', '1', false), pg_advisory_lock(1)");
  // As when its process is gone.
  Reflect.get(killed, 'connection').stream.destroy();
  const next = new pg.Client(url);
  await next.connect();
  onTestFinished(() => next.end());
  const { rows } = await next.query(
    "select current_setting('statement_timeout') as timeout, (select count(*)::int from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks",
  );
  expect(rows).toEqual([{ timeout: '0', locks: 0 }]);
});

test('the start of a bot behind PgBouncer with shared sessions ends with one sentence', async () => {
  const database = await pooled(await newPostgres(), ['pool_mode = transaction']);
  const data = mkdtempSync(join(tmpdir(), 'pooled-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  await expect(openJournalOf({ data, database }, Date.now, createLog('silent'))).rejects.toThrow(
    `DATABASE_URL points to a database that ${shares}.`,
  );
});
