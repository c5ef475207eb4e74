import { networkInterfaces } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exchange } from '../../test/raw-socket.ts';
import { steadyNow } from '../../test/steady-clock.ts';
import { createHealthServer } from './health-server.ts';

async function open({
  missing = [],
  metrics = async () => '# nothing\n',
  host = '127.0.0.1',
}: {
  missing?: string[];
  metrics?: () => Promise<string>;
  host?: string;
} = {}) {
  const server = createHealthServer({ host, port: 0 }, { notReady: () => missing, metrics });
  const url = await server.start();
  onTestFinished(server.stop);
  const port = Number(new URL(url).port);
  const get = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, init);
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  };
  return { server, url, port, get, missing };
}

describe('the health port', () => {
  test('/healthz says that the process lives, also if it is not ready', async () => {
    const { get } = await open({ missing: ['not connected to Slack'] });
    expect(await get('/healthz')).toMatchObject({ status: 200, body: 'alive\n' });
  });

  test('/readyz says 200 if nothing is wrong, otherwise 503 with all reasons', async () => {
    const { get, missing } = await open();
    expect(await get('/readyz')).toMatchObject({ status: 200, body: 'ready\n' });
    missing.push('the journal cannot be used: full', 'not connected to Slack');
    expect(await get('/readyz')).toMatchObject({
      status: 503,
      body: 'not ready\n- the journal cannot be used: full\n- not connected to Slack\n',
    });
    missing.length = 0;
    expect((await get('/readyz?from=a-probe')).status).toBe(200);
  });

  test('/metrics is text in the version that Prometheus asks for', async () => {
    const { get } = await open();
    const { status, headers, body } = await get('/metrics');
    expect({ status, type: headers.get('content-type'), body }).toEqual({
      status: 200,
      type: 'text/plain; version=0.0.4; charset=utf-8',
      body: '# nothing\n',
    });
  });

  test('HEAD is answered as GET, without a body', async () => {
    const { port } = await open({ missing: ['not connected to Slack'] });
    const answer = await exchange(
      port,
      (socket) => socket.write('HEAD /readyz HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'),
      5_000,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 503 /);
    expect(answer).toMatch(/content-length: 35\r\n/i);
    expect(answer).toMatch(/\r\n\r\n$/);
  });

  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is refused', async (method) => {
    const { get } = await open();
    const { status, headers } = await get('/metrics', { method });
    expect({ status, allow: headers.get('allow') }).toEqual({ status: 405, allow: 'GET, HEAD' });
  });

  test.each([
    '/',
    '/metrics/',
    '/METRICS',
    '/constructor',
    '/__proto__',
    '/healthz/../metrics2',
    '/%6detrics',
    '//metrics',
  ])('%s does not exist', async (path) => {
    const { port } = await open();
    const answer = await exchange(
      port,
      (socket) => socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`),
      5_000,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
  });

  test('metrics that fail are a 500 without the reason, and the next request is answered', async () => {
    let fails = true;
    const { get } = await open({
      metrics: async () => {
        if (fails) throw new Error('postgres://bot:hush@db is away');
        return 'a 1\n';
      },
    });
    expect(await get('/metrics')).toMatchObject({ status: 500, body: 'failed\n' });
    fails = false;
    expect(await get('/metrics')).toMatchObject({ status: 200, body: 'a 1\n' });
  });

  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['bytes', '\u0000\u0001\u0002\u00ff'.repeat(100)],
    ['headers without end', `GET /metrics HTTP/1.1\r\n${'x: y\r\n'.repeat(20_000)}`],
    ['a line without end', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n\r\n`],
    ['two lengths', 'GET /metrics HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n'],
  ])('%s ends that connection, and the next is answered', async (_, bytes) => {
    const { port, get } = await open();
    const answer = await exchange(port, (socket) => socket.write(bytes, 'latin1'), 3_000);
    expect(answer).not.toContain('200 OK');
    expect((await get('/healthz')).status).toBe(200);
  });

  test('a silent connection delays neither other requests nor closing', async () => {
    const { port, server, get } = await open();
    const silent = Array.from({ length: 200 }, () => exchange(port, () => undefined, 20_000));
    await sleep(50);
    expect((await get('/healthz')).status).toBe(200);
    server.stop();
    await Promise.all(silent);
  });

  test('a silent connection is closed after some seconds', async () => {
    const { port } = await open();
    const began = steadyNow();
    await exchange(port, () => undefined, 20_000);
    expect(steadyNow() - began).toBeLessThan(10_000);
  }, 30_000);

  test('only this machine reaches it by default', async () => {
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.internal === false && one.family === 'IPv4')?.address;
    const { port, url } = await open();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    // Without a network, another loopback address will do.
    const other = outside ?? '127.0.0.2';
    await expect(fetch(`http://${other}:${port}/healthz`)).rejects.toThrow();
    const wide = await open({ host: '0.0.0.0' });
    expect((await fetch(`http://${other}:${wide.port}/healthz`)).status).toBe(200);
  });

  test('a used port stops the start, and the message names the setting', async () => {
    const { port } = await open();
    const second = createHealthServer(
      { host: '127.0.0.1', port },
      { notReady: () => [], metrics: async () => '' },
    );
    await expect(second.start()).rejects.toMatchObject({
      problems: [{ key: 'HEALTH_PORT', wrong: expect.stringContaining('EADDRINUSE') }],
    });
  });
});
