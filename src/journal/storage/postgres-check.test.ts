import { chownSync, statSync, writeFileSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { asked } from '../../../test/audit-records.ts';
import { createAuthority } from '../../../test/certificates.ts';
import { startPostgres } from '../../../test/postgres.ts';
import { emptyPostgres, newPostgres } from '../../../test/stores.ts';
import { newId } from '../id.ts';
import { openJournal } from '../journal.ts';
import { JournalUnavailable } from '../unavailable.ts';
import { openPostgres } from './postgres.ts';
import { obstacleIn } from './postgres-check.ts';

async function as(url: string, ...orders: readonly string[]): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    for (const order of orders) await client.query(order);
  } finally {
    await client.end();
  }
}

/** The address of a database for a role of this test, which may do there what `rights` says, and is as `settings` say. */
async function roleOn(
  url: string,
  settings: readonly string[] = [],
  rights = 'grant all on schema public to %; grant all on all tables in schema public to %; grant all on all sequences in schema public to %',
): Promise<string> {
  const role = `"role-${newId()}"`;
  await as(url, `create role ${role} login password 'pw'`, rights.replaceAll('%', role));
  for (const setting of settings) await as(url, `alter role ${role} ${setting}`);
  onTestFinished(() => as(url, `drop owned by ${role}`, `drop role ${role}`));
  return Object.assign(new URL(url), { username: role.slice(1, -1), password: 'pw' }).href;
}

/** The address of a database that was made as told. */
async function madeAs(how: string): Promise<string> {
  const server = await newPostgres();
  const name = `made-${newId()}`;
  await as(server, `create database "${name}" ${how}`);
  onTestFinished(() => as(server, `drop database "${name}"`));
  return Object.assign(new URL(server), { pathname: `/${name}` }).href;
}

describe('what a PostgreSQL lacks is told in one sentence with what helps:', () => {
  test('nothing, for a database with or without a journal, and for a role that may do no more than it must', async () => {
    expect(await obstacleIn(await newPostgres())).toBeUndefined();
    expect(await obstacleIn(await emptyPostgres())).toBeUndefined();
    expect(await obstacleIn(await roleOn(await newPostgres()))).toBeUndefined();
  });

  test.each(['LATIN1', 'SQL_ASCII', 'EUC_JP'])('the encoding %s', async (encoding) => {
    const url = await madeAs(`encoding '${encoding}' locale 'C' template template0`);
    expect(await obstacleIn(url)).toBe(
      `has the encoding ${encoding}, which cannot hold what people type and appliances answer: create another one with createdb -E UTF8 -T template0, and restore a pg_dump of this one there if it has a journal`,
    );
  });

  test.each([
    ['a role', async () => roleOn(await newPostgres(), ['connection limit 4'])],
    [
      'a database',
      async () => {
        const url = await newPostgres();
        const name = new URL(url).pathname.slice(1);
        await as(url, `alter database "${decodeURIComponent(name)}" connection limit 4`);
        onTestFinished(() => as(url, `alter database "${decodeURIComponent(name)}" connection limit -1`));
        return roleOn(url);
      },
    ],
  ])('%s that is limited to 4 connections', async (_, limited) => {
    expect(await obstacleIn(await limited())).toMatch(
      // Fewer while connections that were ended still count.
      /^gives its user only [1-4] connections now \(too many connections for .+\), and each replica needs 12: raise CONNECTION LIMIT/,
    );
  });

  test('a server whose connections are used up but for a few', async () => {
    const server = await startPostgres(['fsync=off', 'max_connections=20']);
    onTestFinished(() => server.remove());
    const url = server.urlOf('postgres');
    const others = Array.from({ length: 10 }, () => new pg.Client(url));
    await Promise.all(others.map((client) => client.connect()));
    onTestFinished(() => Promise.all(others.map((client) => client.end())).then(() => undefined));
    expect(await obstacleIn(await roleOn(url))).toMatch(
      // Seven, and fewer while connections that were ended still count.
      /^gives its user only [1-7] connections now \(.+\), and each replica needs 12/,
    );
  });

  test('a role whose transactions only read', async () => {
    const url = await roleOn(await newPostgres(), ['set default_transaction_read_only = on']);
    expect(await obstacleIn(url)).toMatch(
      /^cannot be written, because default_transaction_read_only is on: turn it off with ALTER ROLE "role-\S+" SET default_transaction_read_only = off/,
    );
  });

  test('a standby', async () => {
    const server = await startPostgres(['fsync=off', 'wal_level=replica']);
    onTestFinished(() => server.remove());
    await server.stop();
    writeFileSync(join(server.data, 'standby.signal'), '');
    // Whoever starts it waits for one that can be written.
    server.start().catch(() => undefined);
    await expect
      .poll(() => obstacleIn(server.urlOf('postgres')).catch(String))
      .toBe('is a standby, which cannot be written: let DATABASE_URL point to the primary');
  });

  test('a search_path that leads nowhere', async () => {
    const url = await roleOn(await newPostgres(), ['set search_path = nowhere']);
    expect(await obstacleIn(url)).toMatch(
      /^has no schema of those in the search_path of its user \(nowhere\): create one, or change it with ALTER ROLE "role-\S+" SET search_path = public$/,
    );
  });

  test('rights to make its tables, or to write to those of somebody else', async () => {
    const empty = await emptyPostgres();
    await as(empty, 'revoke create on schema public from public');
    expect(await obstacleIn(await roleOn(empty, [], 'select 1'))).toMatch(
      /^is empty, and its user may not create tables there: make the user its owner, or GRANT CREATE ON SCHEMA "public" TO "role-/,
    );
    const reading = 'grant all on schema public to %; grant select on all tables in schema public to %';
    expect(await obstacleIn(await roleOn(await newPostgres(), [], reading))).toMatch(
      /^has a journal that belongs to the role "postgres", and its user may not write to it: connect as "postgres", or use REASSIGN OWNED BY "postgres" TO "role-/,
    );
  });

  test('a version that is too old', async () => {
    const there = new URL(await newPostgres());
    const client = new pg.Client(there.href);
    await client.connect();
    const called: string = (await client.query('show server_version')).rows[0].server_version;
    await client.end();
    const older = `9${'.'.repeat(called.length - 2)}6`;
    // The same server, which says of itself that it is an old one.
    const line = createServer((near) => {
      const far = dial(Number(there.port), there.hostname);
      near.pipe(far);
      far.on('data', (bytes) =>
        near.write(Buffer.from(bytes.toString('latin1').replaceAll(called, older), 'latin1')),
      );
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
      }
    });
    await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void line.close());
    const address = line.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    expect(await obstacleIn(Object.assign(new URL(there), { port }).href)).toBe(
      `is PostgreSQL ${older}, which is too old: use PostgreSQL 12 or later`,
    );
  });

  test('a certificate that nobody vouches for, or of another host', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const url = server.urlOf('postgres');
    const authority = createAuthority();
    const show = async (host: string) => {
      const { key, cert } = authority.certify(host);
      for (const [file, content] of [
        ['server.key', key],
        ['server.crt', cert],
      ] as const) {
        const path = join(server.data, file);
        writeFileSync(path, content, { mode: 0o600 });
        const { uid, gid } = statSync(server.data);
        chownSync(path, uid, gid);
      }
      await as(url, 'alter system set ssl = on', 'select pg_reload_conf()', 'select pg_sleep(0.2)');
    };
    await show('127.0.0.1');
    const trusting = `${url}?sslmode=verify-full&sslrootcert=${authority.file}`;
    await expect.poll(() => obstacleIn(trusting).catch(String)).toBeUndefined();
    for (const mode of ['require', 'verify-ca', 'verify-full']) {
      expect(await obstacleIn(`${url}?sslmode=${mode}`)).toMatch(
        /^shows a certificate that is not trusted \([^;]+\): name the file of its CA in DATABASE_URL with sslmode=verify-full&sslrootcert=/,
      );
    }
    expect(await obstacleIn(`${url}?sslmode=no-verify`)).toBeUndefined();
    await show('db.example.com');
    await expect
      .poll(() => obstacleIn(trusting).catch(String))
      .toMatch(/^shows a certificate that is not trusted \(.*127\.0\.0\.1.*\)/);
  });

  test('but of a server that nobody reaches, why', async () => {
    const nowhere = 'postgres://bob:hunter2@127.0.0.1:1/journal';
    await expect(obstacleIn(nowhere)).rejects.toThrow(JournalUnavailable);
  });

  test('beside bots that run, only so many connections are tried as they leave to be proven', async () => {
    const url = await roleOn(await newPostgres(), ['connection limit 14']);
    const running = Array.from({ length: 11 }, () => new pg.Client(url));
    await Promise.all(running.map((client) => client.connect()));
    onTestFinished(() => Promise.all(running.map((client) => client.end())).then(() => undefined));
    expect(await obstacleIn(url)).toMatch(/^gives its user only 3 connections now/);
    expect(await obstacleIn(url, true)).toBeUndefined();
  });
});

test('what was set for a role does not get in the way of the journal', async () => {
  const server = await newPostgres();
  const url = await roleOn(server, [
    ...[
      'set statement_timeout = 300',
      'set lock_timeout = 50',
      'set idle_in_transaction_session_timeout = 50',
    ],
    ...['set default_transaction_isolation = serializable', 'set default_transaction_deferrable = on'],
    ...[
      'set synchronous_commit = off',
      'set standard_conforming_strings = off',
      'set client_encoding = LATIN1',
    ],
    ...["set timezone = 'Asia/Kathmandu'", "set datestyle = 'German, DMY'", 'set bytea_output = escape'],
    ...['set transform_null_equals = on', 'set quote_all_identifiers = on', 'set extra_float_digits = -15'],
  ]);
  await as(
    server,
    `do $$ begin
      if current_setting('server_version_num')::int >= 140000 then
        execute 'alter role "${new URL(url).username}" set idle_session_timeout = 1500';
      end if;
      if current_setting('server_version_num')::int >= 170000 then
        execute 'alter role "${new URL(url).username}" set transaction_timeout = 100';
      end if;
    end $$`,
  );
  expect(await obstacleIn(url)).toBeUndefined();
  const store = openPostgres(url, 'one');
  const journal = await openJournal(store, Date.now, 'one');
  onTestFinished(() => journal.close());
  const { id } = await journal.write({ ...asked, line: 'status \\ 🦆 ’' });
  expect(await journal.byId(id)).toMatchObject({ line: 'status \\ 🦆 ’' });
  // An order lasts as long as it does, and so does what waits for a row.
  const held = journal.exclusively('hq', 1_000, async () => {
    await sql`select pg_sleep(1.8)`.execute(store.quick);
    const { rows } = await sql`select from pg_locks where locktype = 'advisory'`.execute(store.quick);
    return rows.length;
  });
  const locking = store.durable.transaction().execute(async (transaction) => {
    await sql`select from actions where id = ${id} for update`.execute(transaction);
    await sql`select pg_sleep(0.2)`.execute(transaction);
  });
  await journal.note(id, { kind: 'revealed', content: { person: 'U1' } });
  await locking;
  expect(await held).toEqual({ value: expect.any(Number) });
  expect(await held).not.toEqual({ value: 0 });
  // Two that change the same row take turns.
  await Promise.all(
    Array.from({ length: 10 }, () => journal.note(id, { kind: 'revealed', content: { person: 'U1' } })),
  );
});
