import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildConnector, Pool } from 'undici';
import { expect, test } from 'vitest';
import { exchange } from './exchange.ts';

test('a request that was given up before its connection stood is never written afterwards', async () => {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(request.url ?? '');
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;

  // The connection stands only when the test says so.
  const connector = buildConnector({});
  const ready = Promise.withResolvers<void>();
  const pool = new Pool(`http://127.0.0.1:${port}`, {
    connections: 1,
    pipelining: 0,
    connect: (options, callback) => void ready.promise.then(() => connector(options, callback)),
  });
  const bounds = { connect: 10_000, read: 10_000, replyBytes: 1_000 };
  const giveUp = new AbortController();
  const post = (path: string, signal: AbortSignal) =>
    exchange(pool, { method: 'POST', path, headers: {} }, bounds, signal);

  const given = post('/restart', giveUp.signal);
  const patient = post('/status', new AbortController().signal);
  giveUp.abort();
  await expect(given).rejects.toMatchObject({ kind: 'ended', left: false });
  ready.resolve();
  // The second one waits behind the first on the only connection: it is through when the first one's turn is over.
  await expect(patient).resolves.toMatchObject({ status: 200, text: '{}' });
  expect(received).toEqual(['/status']);

  await pool.close();
  await new Promise((resolve) => server.close(resolve));
});
