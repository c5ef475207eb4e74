import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '../free-port.ts';

/**
 * A real PgBouncer before a database, with its defaults but for `settings`, for this test only. Resolves to the address of the same
 * database behind it.
 */
export async function pooled(url: string, settings: readonly string[] = []): Promise<string> {
  const { hostname, port, username, password } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'pgbouncer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const own = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  // PgBouncer's own default, which Debian changes: no socket beside the port.
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${own}`, 'unix_socket_dir =', 'auth_type = any'],
    ...settings,
  ];
  writeFileSync(file, lines.join('\n'));
  chmodSync(folder, 0o755);
  const said: string[] = [];
  // PgBouncer refuses to run as root.
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const server = spawn(process.env.PGBOUNCER ?? 'pgbouncer', [file], {
    ...{ ...nobody, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  for (const stream of [server.stdout, server.stderr])
    stream?.on('data', (words: Buffer) => void said.push(String(words)));
  onTestFinished(() => end(server));
  while (!(await answers(own))) {
    if (server.exitCode !== null) throw new Error(`PgBouncer did not start:\n${said.join('')}`);
    await sleep(20);
  }
  return Object.assign(new URL(url), { port: String(own) }).href;
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
