import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { Agent, WebSocket } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocketServer } from 'ws';
import { oneAtATime, openNetwork } from './network.ts';

test('a web socket with a silent peer ends when the next one opens, which stays', async () => {
  const sockets: Duplex[] = [];
  const server = createServer().listen(0, '127.0.0.1');
  const accepting = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    sockets.push(socket);
    accepting.handleUpgrade(request, socket, head, (accepted) => accepted.pause());
  });
  await once(server, 'listening');
  const dispatcher = oneAtATime(new Agent());
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await dispatcher.destroy();
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = () => once(new WebSocket(url, { dispatcher }), 'open');
  await open();
  await open();
  await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual([true, false]);
});

test('a proxy that hangs up instead of opening a tunnel is asked once, and named', async () => {
  let asked = 0;
  const server = createServer();
  server.on('connect', (_, socket) => {
    asked += 1;
    socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const problems: string[] = [];
  const { fetch } = openNetwork({ url: `http://${address}`, address, except: '' }, ({ key, wrong }) =>
    problems.push(`${key} ${wrong}`),
  );
  await expect(fetch('https://slack.example/')).rejects.toThrow('fetch failed');
  expect(asked).toBe(1);
  expect(problems).toEqual([
    expect.stringMatching(
      `^HTTPS_PROXY names the proxy ${address}, which could not be reached \\(UND_ERR_SOCKET\\)`,
    ),
  ]);
});

test('a call waits for a free file handle, and is then sent', async () => {
  let calls = 0;
  const server = createServer((_, response) => {
    calls += 1;
    response.end('taken');
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const program = `
    import { closeSync, openSync } from 'node:fs';
    import { openNetwork } from ${JSON.stringify(new URL('network.ts', import.meta.url).href)};
    const { fetch: patientFetch } = openNetwork(undefined, () => undefined);
    const reason = (error) => error.cause?.code;
    // The first takes the handle that Node opens once and keeps.
    await (await patientFetch(${JSON.stringify(url)}, { headers: { connection: 'close' } })).text();
    const files = [];
    try { for (;;) files.push(openSync('/dev/null')); } catch {}
    const plain = await fetch(${JSON.stringify(url)}).catch(reason);
    setTimeout(() => files.splice(0).forEach((file) => closeSync(file)), 150);
    process.stdout.write(plain + ' ' + await (await patientFetch(${JSON.stringify(url)})).text());
    process.exit();`;
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    'ulimit -n 64; exec "$0" --input-type=module --eval "$1"',
    process.execPath,
    program,
  ]);
  expect(stdout).toBe('EMFILE taken');
  expect(calls).toBe(2);
});
