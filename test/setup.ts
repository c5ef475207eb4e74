import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { newId } from '../src/journal/id.ts';
import { build } from '../tools/build.ts';
import { borrowPostgres } from './borrowed-postgres.ts';
import { type PostgresServer, startPostgres } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL server of the tests (`stores.ts`). */
    readonly postgres: string;
    /** The prefix of all databases of this run. */
    readonly databases: string;
  }
}

/**
 * One PostgreSQL server for all tests: the one at `TEST_POSTGRES_URL`, or one of their own, started for the first that
 * asks for it. That ends with them, however they end.
 */
export async function setup({ provide, config }: TestProject): Promise<() => Promise<void>> {
  const folder = folderForFiles();
  process.env.TMPDIR = folder;
  await install(folder);
  // Compiles each program that tests start only once. The test processes themselves start together, too early to share
  // the cache.
  config.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  const databases = `journal_${newId().replaceAll('-', '$')}`;
  const named = process.env.TEST_POSTGRES_URL;
  const begin = () => (named ? borrowPostgres(named, databases) : startPostgres());
  let starting: Promise<Pick<PostgresServer, 'urlOf' | 'remove'>> | undefined;
  const desk = createServer((_, response) => {
    // Asked seldom, it would close what was kept open just when somebody asks again.
    response.setHeader('connection', 'close');
    starting ??= begin();
    starting.then(
      (server) => response.end(server.urlOf('')),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  desk.listen(0, '127.0.0.1');
  await once(desk, 'listening');
  const address = desk.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  provide('postgres', `http://127.0.0.1:${address.port}/`);
  provide('databases', databases);
  return async () => {
    desk.close();
    const server = await starting?.catch(() => undefined);
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  };
}

/**
 * The folder for all files of tests: in memory where there is room, since hundreds of journals are written, and none is
 * kept.
 */
function folderForFiles(): string {
  const memory = '/dev/shm';
  const enough = 4 * 1_024 ** 3;
  const hasRoom = (path: string) => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize > enough;
  };
  const parent = existsSync(memory) && hasRoom(memory) ? memory : tmpdir();
  const folder = mkdtempSync(join(parent, 'appliance-bot-tests-'));
  // PostgreSQL runs as a user of its own.
  chmodSync(folder, 0o755);
  return folder;
}

/** Installs the packages of a machine that only runs the bot, in a folder of its own: a checkout may be read-only. */
async function install(parent: string): Promise<void> {
  const folder = join(parent, 'installed');
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const part of ['bin/appliance-bot.js', 'package.json']) copyFileSync(part, join(folder, part));
  await build(join(folder, 'dist'));
  process.env.APPLIANCE_BOT_PROGRAM = join(folder, 'bin/appliance-bot.js');
}
