import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../../../test/postgres.ts';
import { steadyNow } from '../../../test/steady-clock.ts';
import { emptyPostgres, newPostgres } from '../../../test/stores.ts';
import type { Database, Store } from '../database.ts';
import { openJournal } from '../journal.ts';
import { JournalUnavailable } from '../unavailable.ts';
import { openPostgres, openPostgresPatiently } from './postgres.ts';

async function open(url: string | Promise<string> = newPostgres()): Promise<Store> {
  const store = openPostgres(await url);
  onTestFinished(() => store.close());
  return store;
}

async function setting(database: Database, name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`show ${name}`).execute(database);
  return Object.values(rows[0] ?? {})[0];
}

describe('a PostgreSQL', () => {
  test('commits to disk what must outlive a power cut, and does not wait for the disk with the rest', async () => {
    const { durable, quick } = await open();
    expect(await setting(durable, 'synchronous_commit')).toBe('on');
    expect(await setting(quick, 'synchronous_commit')).toBe('off');
  });

  test('is told to give up on a statement, and on a session whose machine is gone', async () => {
    const { durable, quick } = await open();
    for (const database of [durable, quick]) {
      expect(await setting(database, 'statement_timeout')).toBe('5s');
      expect(await setting(database, 'idle_in_transaction_session_timeout')).toBe('10s');
      expect(await setting(database, 'tcp_keepalives_idle')).toBe('10');
    }
  });

  test('is given the time that it takes by whoever goes through all of it', async () => {
    const store = openPostgresPatiently(await newPostgres());
    onTestFinished(() => store.close());
    for (const database of [store.durable, store.quick])
      expect(await setting(database, 'statement_timeout')).toBe('0');
    // Longer than the bot itself waits for an answer.
    await sql`select pg_sleep(6)`.execute(store.quick);
  });

  test('keeps what its address asks for', async () => {
    const { durable } = await open(
      `${await newPostgres()}?options=-c%20work_mem%3D9MB&application_name=mine`,
    );
    expect(await setting(durable, 'work_mem')).toBe('9MB');
    expect(await setting(durable, 'application_name')).toBe('mine');
    expect(await setting(durable, 'statement_timeout')).toBe('5s');
  });

  test('finds in half a second what is due behind 20,000 messages to one place, of which as many were sent before', async () => {
    const url = await newPostgres();
    const store = await open(url);
    const queue = sql`select 'audit-' || n, 'said', 'audit', '{}', 1, 0, 0, 0, 0 from generate_series(1, 40000) n`;
    await sql`insert into outbox
      (key, kind, ordering_key, content_json, created_at, tries, maybe_delivered, next_try_at, background) ${queue}`.execute(
      store.quick,
    );
    await sql`analyze`.execute(store.quick);
    await sql`delete from outbox where id <= (select min(id) + 20000 from outbox)`.execute(store.quick);
    const hurried = await openJournal(
      openPostgres(`${url}?options=-c%20statement_timeout%3D500`),
      () => 1_000,
    );
    onTestFinished(() => hurried.close());
    await hurried.post([{ key: 'card', kind: 'said', orderingKey: 'card', content: {} }]);
    await hurried.releaseMessages(['card']);
    // More often than it takes for the server to plan a statement once for all.
    for (let round = 0; round < 8; round += 1)
      expect(await hurried.dueOrderingKeys(20, 'awaited')).toEqual(['audit', 'card']);
    const [first, second] = await hurried.claimOrderingKey('audit');
    expect([first?.key, second?.key]).toEqual(['audit-20002', 'audit-20003']);
    expect(await hurried.dueOrderingKeys(20, 'awaited')).toEqual(['card']);
  });

  test('gets its tables from one of eight replicas that start at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const url = await emptyPostgres();
      const eight = await Promise.all(
        Array.from({ length: 8 }, () => openJournal(openPostgres(url), Date.now)),
      );
      expect(await eight[0]?.recent()).toEqual([]);
      for (const journal of eight) await journal.close();
    }
  });

  test('that refuses what is wrong with a row is not away', async () => {
    const store = await open();
    const add = () => store.durable.insertInto('deliveries').values({ key: 'a', at: 1 }).execute();
    await add();
    await expect(add()).rejects.toMatchObject({ code: '23505' });
    await expect(sql`select * from nowhere`.execute(store.quick)).rejects.toMatchObject({ code: '42P01' });
  });

  test('whose disk is full is said to be full', async () => {
    const { durable, probe } = await open();
    const full = sql`do $$ begin raise sqlstate '53100'; end $$`.execute(durable);
    await expect(full).rejects.toMatchObject({ name: 'JournalUnavailable', trouble: 'full' });
    await probe();
  });

  test('that takes too long is away, for this one', async () => {
    const { durable, quick } = await open();
    const slow = durable.transaction().execute(async (transaction) => {
      await sql`set local statement_timeout = 50`.execute(transaction);
      await sql`select pg_sleep(10)`.execute(transaction);
    });
    await expect(slow).rejects.toThrow(JournalUnavailable);
    expect(await setting(quick, 'synchronous_commit')).toBe('off');
  });

  test('that is not there is said to be away, with the reason', async () => {
    const nowhere = 'postgres://bob:hunter2@127.0.0.1:1/journal';
    const error = await openJournal(openPostgres(nowhere), Date.now).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(JournalUnavailable);
    expect(error).toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });

  test('with more to do than it has connections for lets it wait, and is not said to be away', async () => {
    const { quick } = await open();
    const slow = () => sql`select pg_sleep(1.1)`.execute(quick);
    // The last of them wait for longer than a connection may take.
    await expect(Promise.all(Array.from({ length: 15 }, slow))).resolves.toHaveLength(15);
  });

  test('that goes away is missed at once, and found again when it is back', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const journal = await openJournal(openPostgres(server.urlOf('postgres')), Date.now);
    onTestFinished(() => journal.close());
    const lines = (count: number) =>
      Promise.allSettled(
        Array.from({ length: count }, (_, number) =>
          journal.write({
            ...{ state: 'asked', team: 'T1', channel: 'C1', person: 'U1', line: `line ${number}` },
            effect: number % 2 === 0 ? 'write' : 'read',
          }),
        ),
      );
    await lines(20);
    // One is in the middle of something.
    const begun = Promise.withResolvers<void>();
    const holding = journal.exclusively('hq', 1_000, async () => {
      begun.resolve();
      await sleep(500);
    });
    await begun.promise;
    await server.stop();
    const gone = steadyNow();
    for (let round = 0; round < 3; round += 1) {
      for (const line of await lines(50)) {
        expect(line).toMatchObject({ status: 'rejected', reason: expect.any(JournalUnavailable) });
      }
      await sleep(600);
    }
    expect(steadyNow() - gone).toBeLessThan(8_000);
    await expect(journal.exclusively('hq', 500, async () => 1)).rejects.toThrow(JournalUnavailable);
    // What was under way ends as if the lock were still there.
    expect(await holding).toBeDefined();
    await server.start();
    await expect.poll(() => journal.recent()).toHaveLength(20);
    expect((await lines(50)).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await journal.exclusively('hq', 500, async () => 1)).toEqual({ value: 1 });
  });
});
