import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import pg from 'pg';
import packageJson from '../../package.json' with { type: 'json' };
import { personIn } from '../../sandbox/person.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import type { Environment } from '../../src/config/secret.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { startPostgres } from '../postgres.ts';
import { inSql } from './in-sql.ts';
import { lines, made } from './lines.ts';

/**
 * Makes the journals that this version leaves behind, of both kinds, for the versions to come: `node test/journals/make.ts`, once
 * with each release. What stands in the folder already is never made again.
 */
const fileOf = (kind: 'sqlite' | 'postgres.sql') =>
  join(import.meta.dirname, `${packageJson.version}.${kind}.gz`);
const keep = (file: string, journal: string | Buffer) =>
  writeFileSync(file, gzipSync(journal, { level: 9 }), { flag: 'wx' });

/** People do all that in a sandbox of its own; then the bot is stopped, as for an update. */
async function played(
  environment: Environment,
  then: (sandbox: Pick<Sandbox, 'data'>) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const now = () => Math.round(made + performance.now() - began);
  const world = { now, shared: { databaseTime: now }, log: createLog('silent') };
  const sandbox = await startSandbox({ world, environment });
  try {
    for (const { by, line, press } of lines) {
      const person = personIn(sandbox.workspace, sandbox.bot, by);
      await person.type('helpdesk', line);
      if (press !== undefined) await person.press('helpdesk', press);
    }
    await sandbox.bot.idle();
    await sandbox.stopBot(0);
    await then(sandbox);
  } finally {
    await sandbox.stop();
  }
}

async function keepSqlite(file: string): Promise<void> {
  const copy = join(tmpdir(), `journal-${process.pid}.sqlite`);
  await played({}, async ({ data }) => {
    const journal = new DatabaseSync(join(data, 'journal.sqlite'));
    journal.prepare('vacuum into ?').run(copy);
    journal.close();
    keep(file, readFileSync(copy));
  }).finally(() => rmSync(copy, { force: true }));
}

async function keepPostgres(file: string): Promise<void> {
  const server = await startPostgres();
  const connected = async (database: string, does: (client: pg.Client) => Promise<void>) => {
    const client = new pg.Client(server.urlOf(database));
    await client.connect();
    await does(client).finally(() => client.end());
  };
  try {
    await connected('postgres', async (client) => void (await client.query('create database journal')));
    await played({ DATABASE_URL: server.urlOf('journal') }, () =>
      connected('journal', async (client) => keep(file, await inSql(client))),
    );
  } finally {
    await server.remove();
  }
}

for (const [kind, keepOne] of [
  ['sqlite', keepSqlite],
  ['postgres.sql', keepPostgres],
] as const) {
  const file = fileOf(kind);
  if (!existsSync(file)) await keepOne(file);
}
