import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { sql } from 'kysely';
import { Pool, WebSocket } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { startHarbour } from '../sandbox/harbour.ts';
import { createAuthority } from '../test/certificates.ts';
import { startConnectProxy } from '../test/connect-proxy.ts';
import { startNames } from '../test/names.ts';
import { steadyNow } from '../test/steady-clock.ts';
import { emptyPostgres } from '../test/stores.ts';
import { startTlsFront } from '../test/tls-front.ts';
import { connectAppliance } from './api/index.ts';
import { openNetwork } from './bot/network.ts';
import { connector, dial, NotConnected } from './dial.ts';
import { connectAlone, createConnectionBreaker, openPool } from './journal/storage/postgres-connection.ts';
import { createLog } from './telemetry/log.ts';
import { createTraceSender } from './telemetry/traces/sender.ts';

/** Documentation addresses that lead nowhere; none is really dialed. */
const [nowhere, nowhereElse] = ['192.0.2.1', '2001:db8::1'] as const;
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** A server on this machine; resolves to its port. */
async function listening(host = '127.0.0.1', port = 0): Promise<number> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined).on('close', () => open.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  ends.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  // A server that listens on TCP has an address with a port.
  return (server.address() as AddressInfo).port;
}

describe('a name with several addresses', () => {
  test.each([
    [
      'an IPv6 address that leads nowhere comes first',
      [nowhereElse, '127.0.0.1'],
      [nowhereElse, '127.0.0.1'],
    ],
    ['of two IPv4 addresses the first is dead', [nowhere, '127.0.0.1'], [nowhere, '127.0.0.1']],
    ['of two IPv4 addresses the second is dead', ['127.0.0.1', nowhere], ['127.0.0.1']],
    [
      'the families take turns: all of the one may lead nowhere',
      [nowhereElse, '2001:db8::2', '2001:db8::3', '127.0.0.1'],
      [nowhereElse, '127.0.0.1'],
    ],
  ])('is reached where %s', async (_, addresses, dialed) => {
    const port = await listening();
    const { tried } = startNames({ 'appliance.example': addresses }, [
      nowhere,
      nowhereElse,
      '2001:db8::2',
      '2001:db8::3',
    ]);
    const began = steadyNow();
    const socket = await dial({ host: 'appliance.example', port }, { timeout: 3_000 });
    expect(socket.remoteAddress).toBe('127.0.0.1');
    expect(steadyNow() - began).toBeLessThan(2_000);
    expect(tried.map(({ address }) => address)).toEqual(dialed);
    expect(tried.every((one) => one.socket === socket || one.socket.destroyed)).toBe(true);
    expect(socket.listenerCount('error') + socket.listenerCount('connect')).toBe(0);
    socket.destroy();
  });

  test('whose first addresses refuse is reached at the next at once', async () => {
    const port = await listening();
    const refusing = [2, 3, 4, 5, 6, 7, 8, 9].map((last) => `127.0.0.${last}`);
    startNames({ 'appliance.example': ['::1', ...refusing, '127.0.0.1'] });
    const began = steadyNow();
    const socket = await dial({ host: 'appliance.example', port }, { timeout: 3_000 });
    expect(steadyNow() - began).toBeLessThan(1_500);
    socket.destroy();
  });

  test('keeps trying the first address beside the others, because it may only be far away', async () => {
    const port = await listening();
    const { tried } = startNames({ 'far.example': [nowhere, nowhereElse] }, [nowhere, nowhereElse]);
    const dialed = dial({ host: 'far.example', port }, { timeout: 3_000 });
    await expect.poll(() => tried.length).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(tried.map(({ socket }) => socket.destroyed)).toEqual([false, false]);
    // Its answer comes now, after 650 ms.
    tried[0]?.socket.connect(port, '127.0.0.1');
    const socket = await dialed;
    expect(socket).toBe(tried[0]?.socket);
    expect(tried[1]?.socket.destroyed).toBe(true);
    socket.destroy();
  });

  test('without any answer fails with one error that names each address, within the time limit', async () => {
    const { tried } = startNames({ 'gone.example': [nowhere, nowhereElse] }, [nowhere, nowhereElse]);
    const began = steadyNow();
    const gone = await dial({ host: 'gone.example', port: 443 }, { timeout: 400 }).catch((error) => error);
    expect(steadyNow() - began).toBeLessThan(2_000);
    expect(gone).toBeInstanceOf(NotConnected);
    expect(gone).toMatchObject({
      code: 'ETIMEDOUT',
      message:
        'No connection to gone.example, port 443: 192.0.2.1 did not answer in 0.4 s, 2001:db8::1 did not answer in 0.4 s',
    });
    expect(tried.map(({ socket }) => socket.destroyed)).toEqual([true, true]);
  });

  test('with refusals only fails at once with one error that names each address', async () => {
    const port = await listening();
    for (const end of ends.splice(0)) await end();
    startNames({ 'gone.example': ['127.0.0.1', '127.0.0.2'] });
    await expect(dial({ host: 'gone.example', port }, { timeout: 3_000 })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
      message: `No connection to gone.example, port ${port}: 127.0.0.1 ECONNREFUSED, 127.0.0.2 ECONNREFUSED`,
    });
  });

  test('is abandoned on abort, and after the time limit if its servers are silent', async () => {
    const { tried } = startNames({ 'gone.example': [nowhere], 'unknown.example': [] }, [nowhere]);
    const given = new AbortController();
    const dialed = dial({ host: 'gone.example', port: 443 }, { timeout: 5_000, signal: given.signal });
    await expect.poll(() => tried.length).toBe(1);
    given.abort(new Error('enough'));
    await expect(dialed).rejects.toThrow('enough');
    expect(tried[0]?.socket.destroyed).toBe(true);
    await expect(dial({ host: 'unknown.example', port: 443 }, { timeout: 50 })).rejects.toThrow(
      'No connection to unknown.example, port 443: its address could not be looked up in 0.05 s',
    );
  });
});

describe('a dead address beside a live one', () => {
  const both = [nowhereElse, '127.0.0.1'];
  const silent = [nowhereElse];

  test('does not disturb an appliance with TLS under its name', async () => {
    const authority = createAuthority();
    const server = createHttpServer((_, response) => response.end('{"Status":true,"Sessions":[]}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => server.close().closeAllConnections());
    const plain = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const front = await startTlsFront(plain, authority.certify('hq.example'));
    startNames({ 'hq.example': both }, silent);
    const appliance = connectAppliance({
      ...{ name: 'hq', url: `https://hq.example:${new URL(front.url).port}`, release: '4.50 SP5' },
      tls: { ca: readFileSync(authority.file, 'utf8') },
    });
    ends.push(() => appliance.close());
    expect(await appliance.rdp.listSessions()).toEqual([]);
    await appliance.rdp.disconnectSession({ id: 12 });
  });

  test.each([
    [
      'refuse',
      ['127.0.0.2', '127.0.0.3'],
      [],
      'ECONNREFUSED',
      /127\.0\.0\.2 ECONNREFUSED, 127\.0\.0\.3 ECONNREFUSED$/,
    ],
    [
      'are silent',
      [nowhere, nowhereElse],
      [nowhere, nowhereElse],
      'CONNECT_TIMEOUT',
      /192\.0\.2\.1 did not answer .*2001:db8::1 did not answer/,
    ],
  ])(
    'makes an appliance unreachable if all addresses %s, with each address as the cause',
    async (_, addresses, dead, reason, each) => {
      const port = await listening();
      startNames({ 'hq.example': addresses }, dead);
      const appliance = connectAppliance({
        ...{ name: 'hq', url: `http://hq.example:${port}`, release: '4.50 SP5', deadlines: { connect: 300 } },
        sleep: async () => undefined,
      });
      ends.push(() => appliance.close());
      await expect(appliance.rdp.listSessions()).rejects.toMatchObject({
        ...{ code: 'unreachable', reason, sent: 'no' },
        cause: { message: expect.stringMatching(each) },
      });
    },
  );

  test('does not disturb Slack’s Web API and WebSocket', async () => {
    const workspace = await startHarbour();
    ends.push(() => workspace.stop());
    startNames({ 'slack.example': both }, silent);
    const port = new URL(workspace.apiUrl).port;
    const network = openNetwork(undefined, () => undefined);
    const opened = await network.fetch(`http://slack.example:${port}/api/apps.connections.open`, {
      method: 'POST',
      headers: { authorization: `Bearer ${workspace.appToken}` },
    });
    const { url } = Object(await opened.json());
    const address = Object.assign(new URL(String(url)), { hostname: 'slack.example' });
    const socket = new WebSocket(address, { dispatcher: network.forWebSockets().dispatcher });
    await new Promise((resolve) => socket.addEventListener('message', resolve, { once: true }));
    socket.close();
  });

  test('does not disturb a proxy’s tunnel to Slack', async () => {
    const front = await startTlsFront('http://127.0.0.1:9', createAuthority().certify('slack.example'));
    const proxy = await startConnectProxy();
    startNames({ 'proxy.example': both }, silent);
    const url = `http://proxy.example:${proxy.port}`;
    const { fetch } = openNetwork({ url, address: url, except: '' }, () => undefined);
    // Up to its certificate, which is unknown here.
    await expect(fetch(`https://slack.example:${front.port}/`)).rejects.toMatchObject({
      cause: { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
    });
    expect(proxy.asked).toEqual([`slack.example:${front.port}`]);
  });

  test('does not disturb a collector of traces', async () => {
    const taken: string[] = [];
    const server = createHttpServer((request, response) => {
      taken.push(`${request.method} ${request.url}`);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => server.close().closeAllConnections());
    startNames({ 'otel.example': both }, silent);
    const url = `http://otel.example:${(server.address() as AddressInfo).port}/v1/traces`;
    const sender = createTraceSender(
      { url, headers: {}, timeout: 3_000, resource: {} },
      { version: '1', replica: () => 'one', log: createLog('silent') },
    );
    const times = { startTimeUnixNano: '1', endTimeUnixNano: '2', attributes: [] };
    sender.add([{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'status', kind: 1, ...times }]);
    await sender.stop(3_000);
    expect(taken).toEqual(['POST /v1/traces']);
  });

  test('does not disturb PostgreSQL, alone and in a pool', async () => {
    const url = new URL(await emptyPostgres());
    const real = url.hostname === 'localhost' ? '127.0.0.1' : url.hostname;
    startNames({ 'db.example': [nowhereElse, real] }, silent);
    url.hostname = 'db.example';
    const breaker = createConnectionBreaker(url.href);
    const client = await connectAlone(url.href, breaker);
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    const pool = openPool(url.href, {}, { max: 1 }, breaker);
    ends.push(() => pool.destroy());
    expect((await sql`select 1 as one`.execute(pool)).rows).toEqual([{ one: 1 }]);
  });

  test('makes PostgreSQL unreachable if its own port is silent as well, with each address', async () => {
    startNames({ 'db.example': [nowhereElse, nowhere] }, [nowhereElse, nowhere]);
    const url = 'postgres://bot:hush@db.example:5432/journal';
    const away = await connectAlone(url, createConnectionBreaker(url)).catch((error: unknown) => error);
    expect(Object(away).cause?.message).toMatch(
      /2001:db8::1 did not answer in .* 192\.0\.2\.1 did not answer/,
    );
  });
});

test('a peer that accepts but begins no TLS delays nobody beyond the time limit', async () => {
  const port = await listening();
  const pool = new Pool(`https://127.0.0.1:${port}`, { connect: connector(300) });
  ends.push(() => pool.destroy());
  const began = steadyNow();
  await expect(pool.request({ path: '/', method: 'GET' })).rejects.toMatchObject({
    code: 'UND_ERR_CONNECT_TIMEOUT',
  });
  expect(steadyNow() - began).toBeLessThan(5_000);
});
