import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createSocketServer,
  type Socket,
  type Server as SocketServer,
} from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { type Fence, withinFence } from '../../fence.ts';
import { createSemaphore } from '../../semaphore.ts';
import {
  type Appliance,
  type ApplianceSettings,
  connectAppliance,
  isApplianceFailure,
  type RequestReport,
} from '../index.ts';

/** Cases that nock cannot show: real sockets that refuse, hang, break and close. */

const open: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close();
});

async function listen(server: Server | SocketServer): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function serve(answer: (request: IncomingMessage, response: ServerResponse, number: number) => void) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    answer(request, response, received.length);
  });
  const url = await listen(server);
  open.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return { url, received, server };
}

function connect(url: string, settings: Partial<ApplianceSettings> = {}): Appliance {
  const appliance = connectAppliance({ name: 'lab', url, sleep: async () => undefined, ...settings });
  open.push(() => appliance.close());
  return appliance;
}

async function deadAddress(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

test.each(['read', 'change'])(
  'a refused connection: the %s certainly never left, and was tried three times',
  async (what) => {
    let attempts = 0;
    const { rdp } = connect(await deadAddress(), { onRequest: () => (attempts += 1) });
    await expect(
      what === 'read' ? rdp.listSessions() : rdp.disconnectSession({ id: 12 }),
    ).rejects.toMatchObject({
      code: 'unreachable',
      reason: 'ECONNREFUSED',
      sent: 'no',
      mayHaveHappened: false,
    });
    expect(attempts).toBe(3);
  },
);

test('an unresolvable name is reported as such', async () => {
  await expect(connect('http://appliance.invalid').rdp.listSessions()).rejects.toMatchObject({
    code: 'unreachable',
    reason: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/),
    sent: 'no',
  });
});

test('a connection that is not established in time: the change certainly never left', async () => {
  // Accepts the connection but never completes the TLS handshake.
  const server = createSocketServer((socket) => socket.on('error', () => undefined).resume());
  const url = await listen(server);
  open.push(() => new Promise((resolve) => server.close(resolve)));
  const { rdp } = connect(url.replace('http:', 'https:'), { deadlines: { connect: 30 } });
  await expect(rdp.disconnectSession({ id: 12 })).rejects.toMatchObject({
    code: 'unreachable',
    reason: 'CONNECT_TIMEOUT',
    sent: 'no',
  });
});

test('silence on a question ends with the read deadline', async () => {
  const { url, received } = await serve(() => undefined);
  await expect(connect(url, { deadlines: { read: 60 } }).rdp.listSessions()).rejects.toMatchObject({
    code: 'timeout',
    deadline: 'read',
    milliseconds: 60,
    sent: 'maybe',
  });
  expect(received).toHaveLength(1);
});

test('a change may be silent for the whole time, and may then have happened', async () => {
  const { url, received } = await serve(() => undefined);
  const { rdp } = connect(url, { deadlines: { read: 20, whole: 100 } });
  await expect(rdp.disconnectSession({ id: 12 })).rejects.toMatchObject({
    code: 'timeout',
    milliseconds: 100,
    sent: 'maybe',
    mayHaveHappened: true,
  });
  expect(received).toHaveLength(1);
});

test('an order that takes minutes has the long deadline', async () => {
  const { url } = await serve((_, response) => setTimeout(() => response.end('{"Status":true}'), 120));
  const { acl } = connect(url, { deadlines: { read: 20, whole: 40, long: 5_000 } });
  expect(await acl.compile()).toEqual({ confirmed: true, info: '' });
});

test('silence in the middle of an answer ends with the read deadline too', async () => {
  const { url } = await serve((_, response) => response.writeHead(200).write('{"Sess'));
  await expect(connect(url, { deadlines: { read: 60 } }).rdp.listSessions()).rejects.toMatchObject({
    code: 'timeout',
    deadline: 'read',
  });
});

test('an answer that never ends is stopped by the whole deadline', async () => {
  const { url } = await serve((_, response) => {
    const timer = setInterval(() => response.write(' '), 10);
    response.once('close', () => clearInterval(timer));
  });
  await expect(
    connect(url, { deadlines: { read: 5_000, whole: 100 } }).rdp.listSessions(),
  ).rejects.toMatchObject({
    code: 'timeout',
    deadline: 'whole',
    milliseconds: 100,
    sent: 'maybe',
  });
});

test('the whole deadline includes the time in line, and a request there never left', async () => {
  const { url, received } = await serve(() => undefined);
  // The pace, and not the end of the first call, delays the second beyond its deadline.
  const { rdp } = connect(url, { pace: { atOnce: 1, perSecond: 1 }, deadlines: { whole: 500 } });
  const first = rdp.disconnectSession({ id: 1 });
  const second = rdp.disconnectSession({ id: 2 });
  await expect(first).rejects.toMatchObject({ code: 'timeout', deadline: 'whole', sent: 'maybe' });
  await expect(second).rejects.toMatchObject({ code: 'timeout', deadline: 'whole', sent: 'no' });
  expect(received).toEqual(['POST /rdpproxy/sessions/1/disconnect']);
});

test('a broken connection: a read is retried, a change is not', async () => {
  const { url, received } = await serve((request) => request.socket.resetAndDestroy());
  const { rdp } = connect(url);
  await expect(rdp.disconnectSession({ id: 12 })).rejects.toMatchObject({
    code: 'connection_lost',
    sent: 'maybe',
  });
  expect(received).toEqual(['POST /rdpproxy/sessions/12/disconnect']);
  await expect(rdp.listSessions()).rejects.toMatchObject({ code: 'connection_lost', sent: 'maybe' });
  expect(received).toHaveLength(1 + 3);
});

test('a read gets its answer if only the first connection broke midway', async () => {
  const { url, received } = await serve((request, response, number) => {
    if (number > 1) return void response.end('[]');
    response.writeHead(200, { 'content-length': 100 });
    response.write('[', () => request.socket.resetAndDestroy());
  });
  expect(await connect(url).rdp.listSessions()).toEqual([]);
  expect(received).toHaveLength(2);
});

test.each([true, false])(
  'an answer beyond the limit is not read to its end (length announced: %s)',
  async (announced) => {
    const size = 10_000_000;
    let written = 0;
    let gone: Promise<unknown> = Promise.resolve();
    const { url } = await serve((_, response) => {
      gone = new Promise((resolve) => response.once('close', resolve));
      response.writeHead(200, announced ? { 'content-length': size } : {});
      const pour = () => {
        while (written < size && !response.destroyed) {
          written += 50_000;
          if (!response.write('x'.repeat(50_000))) return void response.once('drain', pour);
        }
        response.end();
      };
      pour();
    });
    await expect(connect(url, { maxReplyBytes: 100_000 }).rdp.listSessions()).rejects.toMatchObject({
      code: 'too_large',
      bound: 100_000,
      sent: 'yes',
    });
    await gone;
    expect(written).toBeLessThan(size);
  },
);

test('a change is sent exactly once if the appliance closes kept connections at the worst moment', async () => {
  // Answers the first request of every connection, promises to keep it, and drops it on the second.
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    let served = 0;
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received.push(String(data).split('\r\n')[0] ?? '');
      served += 1;
      if (served > 1) socket.resetAndDestroy();
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nkeep-alive: timeout=60\r\n\r\n[]');
    });
  });
  const url = await listen(server);
  open.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        for (const socket of sockets) socket.destroy();
      }),
  );
  const { rdp } = connect(url);

  // Reads use kept connections, are dropped, and are retried.
  for (let read = 0; read < 6; read += 1) expect(await rdp.listSessions()).toEqual([]);
  expect(received.length).toBeGreaterThan(6);

  // Every change has a connection of its own.
  const [requestsBefore, socketsBefore] = [received.length, sockets.size];
  await rdp.disconnectSession({ id: 1 });
  await rdp.disconnectSession({ id: 2 });
  expect(received.slice(requestsBefore)).toEqual([
    'POST /rdpproxy/sessions/1/disconnect HTTP/1.1',
    'POST /rdpproxy/sessions/2/disconnect HTTP/1.1',
  ]);
  expect(sockets.size - socketsBefore).toBe(2);
});

test('reads share their connections', async () => {
  const { url, server } = await serve((_, response) => response.end('[]'));
  let connections = 0;
  server.on('connection', () => (connections += 1));
  const { rdp } = connect(url);
  for (let read = 0; read < 12; read += 1) await rdp.listSessions();
  // Two rather than one: undici finishes with a connection that has just answered, and uses another meanwhile.
  expect(connections).toBeLessThanOrEqual(2);
});

test('a caller who aborts learns how far the request got', async () => {
  const giveUp = new AbortController();
  const { url } = await serve(() => giveUp.abort());
  const { rdp } = connect(url);
  await expect(rdp.disconnectSession({ id: 12 }, { signal: giveUp.signal })).rejects.toMatchObject({
    code: 'aborted',
    sent: 'maybe',
  });
  await expect(rdp.disconnectSession({ id: 12 }, { signal: giveUp.signal })).rejects.toMatchObject({
    code: 'aborted',
    sent: 'no',
  });
});

test('no more requests run in parallel than the pace allows', async () => {
  const waiting = new Set<ServerResponse>();
  let most = 0;
  const { url } = await serve((_, response) => {
    waiting.add(response);
    most = Math.max(most, waiting.size);
    // Holds all answers until three wait, and a little longer, so that a fourth would be seen.
    if (waiting.size < 3) return;
    setTimeout(() => {
      for (const one of waiting) one.end('[]');
      waiting.clear();
    }, 5);
  });
  const { rdp } = connect(url, { pace: { atOnce: 3 } });
  await Promise.all(Array.from({ length: 12 }, () => rdp.listSessions()));
  expect(most).toBe(3);
});

test('closing lets running requests finish', async () => {
  let answer: (() => void) | undefined;
  const arrived = Promise.withResolvers<void>();
  const { url } = await serve((_, response) => {
    answer = () => response.end('[]');
    arrived.resolve();
  });
  const appliance = connect(url);
  const call = appliance.rdp.listSessions();
  await arrived.promise;
  const closed = appliance.close();
  answer?.();
  expect(await call).toEqual([]);
  await closed;
});

test('a question that takes minutes may be as silent as such an order', async () => {
  const { url } = await serve((_, response) => setTimeout(() => response.end('{"open":"3128"}'), 120));
  const { directory } = connect(url, { deadlines: { read: 20, whole: 40, long: 5_000 } });
  expect((await directory.checkProxyPorts()).fields).toEqual({ open: '3128' });
  await expect(directory.services()).rejects.toMatchObject({
    code: 'timeout',
    deadline: 'read',
    milliseconds: 20,
  });
});

test('a GET that changes something is not retried, like every change', async () => {
  const { url, received } = await serve((request) => request.socket.resetAndDestroy());
  const { acl, sqldb, directory } = connect(url, { release: '4.50 SP5' });
  const calls = [
    acl.compile(),
    acl.deleteObject({ objectId: 3 }),
    sqldb.restart(),
    sqldb.postUser({ username: 'bob', host: '%' }),
    directory.enableEmergency(),
  ];
  const lost = { code: 'connection_lost', sent: 'maybe', mayHaveHappened: true };
  await Promise.all(calls.map((call) => expect(call).rejects.toMatchObject(lost)));
  expect(received.toSorted()).toEqual([
    'GET /emergency_enable',
    'GET /proxy/acls/compile',
    'GET /proxy/acls/object/delete/3',
    'GET /sqldb/service/restart',
    'POST /sqldb/user/bob/%25',
  ]);
});

test('appliances that share few places are called in turn, and an aborted call takes none', async () => {
  let busy = 0;
  let most = 0;
  const { url } = await serve((_, response) => {
    busy += 1;
    most = Math.max(most, busy);
    setTimeout(() => {
      busy -= 1;
      response.end('[]');
    }, 30);
  });
  const takePlace = createSemaphore(1).acquire;
  const [one, other] = [connect(url, { takePlace }), connect(url, { takePlace })];
  const givingUp = AbortSignal.timeout(10);
  const calls = await Promise.allSettled([
    one.rdp.listSessions(),
    other.rdp.listSessions({ signal: givingUp }),
    other.rdp.listSessions(),
    one.rdp.listSessions(),
  ]);
  expect(most).toBe(1);
  expect(calls.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
});

test('a change without a body says so', async () => {
  const lengths: (string | undefined)[] = [];
  const { url } = await serve((request, response) => {
    lengths.push(request.headers['content-length']);
    response.end('{"Status":true}');
  });
  const { rdp, acl } = connect(url, { methods: { 'acl.compile': 'PUT' } });
  await rdp.disconnectSession({ id: 12 });
  await acl.compile();
  expect(lengths).toEqual(['0', '0']);
});

test.each([
  ['breaks off in its headers', 'HTTP/1.1 200 OK\r\ncontent-le'],
  ['says nothing and hangs up', ''],
  ['changes the protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
  ['ends its answer early', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{"Status":true}'],
])('a server that %s has lost the connection, and a change may have happened', async (_, answer) => {
  let requests = 0;
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      requests += 1;
      socket.end(answer);
    });
  });
  const url = await listen(server);
  open.push(() => new Promise((resolve) => server.close(resolve)));
  await expect(connect(url).rdp.disconnectSession({ id: 12 })).rejects.toMatchObject({
    code: 'connection_lost',
    sent: 'maybe',
    mayHaveHappened: true,
  });
  expect(requests).toBe(1);
});

test.each([200, 500])('a password that the appliance repeats with HTTP %d is in no error', async (status) => {
  const password = 'hunter2 & "colt"';
  const { url } = await serve(async (request, response) => {
    response.writeHead(status).end(`Fatal: cannot understand ${await text(request)} (${password})`);
  });
  const { sqldb, rdp } = connect(url, { release: '4.50 SP5' });
  for (const call of [
    () => sqldb.createUser({ user: 'bob', host: '%', password }),
    () => rdp.createMember({ username: 'bob', password }),
    () => rdp.createMember({ username: 'bob', fields: { rdp_password: password } }),
  ]) {
    const failure = await call().catch((error: unknown) => error);
    if (!isApplianceFailure(failure)) throw new Error('The call did not fail as it should.');
    expect(failure.excerpt).toMatch(/bob.*\[hidden\].*\(\[hidden\]\)/);
    expect(JSON.stringify({ ...failure, message: failure.message, stack: failure.stack })).not.toMatch(
      /hunter|colt/,
    );
  }
});

describe('an upload', () => {
  const file = { name: 'fix.tgz', bytes: new Uint8Array(200_000) };

  test('is never retried, even if nothing of it left', async () => {
    const reports: RequestReport[] = [];
    const { directory } = connect(await deadAddress(), { onRequest: (report) => reports.push(report) });
    await expect(directory.uploadHotfix({ file })).rejects.toMatchObject({
      code: 'unreachable',
      reason: 'ECONNREFUSED',
      sent: 'no',
    });
    expect(reports).toMatchObject([
      { operation: 'directory.uploadHotfix', attempt: 1, error: 'unreachable' },
    ]);
  });

  test('is not retried when the connection breaks', async () => {
    const { url, received } = await serve((request) => request.socket.resetAndDestroy());
    await expect(connect(url).directory.uploadHotfix({ file })).rejects.toMatchObject({
      code: 'connection_lost',
      sent: 'maybe',
    });
    expect(received).toEqual(['POST /system/appliance/hotfix']);
  });

  test('that the appliance stops taking ends with the send deadline', async () => {
    const { url, received } = await serve(() => undefined);
    let closed = false;
    const stream = (async function* () {
      try {
        for (;;) yield new Uint8Array(64 * 1024);
      } finally {
        closed = true;
      }
    })();
    const { directory } = connect(url, { deadlines: { whole: 100 } });
    await expect(directory.uploadHotfix({ file: { name: 'fix.tgz', stream } })).rejects.toMatchObject({
      code: 'timeout',
      deadline: 'send',
      milliseconds: 100,
      sent: 'maybe',
      mayHaveHappened: true,
    });
    expect(received).toHaveLength(1);
    expect(closed).toBe(true);
  });

  test('may take longer than any other call while it makes progress', async () => {
    const { url } = await serve((request, response) => {
      request.resume().once('end', () => response.end('{"status":true}'));
    });
    let pieces = 0;
    const stream = (async function* () {
      for (; pieces < 6; pieces += 1) {
        await new Promise((resolve) => setTimeout(resolve, 60));
        yield new Uint8Array(10);
      }
    })();
    const { directory } = connect(url, { deadlines: { whole: 300, long: 300 } });
    expect(await directory.uploadHotfix({ file: { name: 'fix.tgz', stream } })).toMatchObject({
      confirmed: true,
    });
  });
});

describe('a call within a fence', () => {
  const answered = (_: IncomingMessage, response: ServerResponse) =>
    response.end('{"Status":true,"ErrorMessage":"","Result":[]}');

  test('does not leave if another replica certainly has taken over, and is not retried', async () => {
    const { url, received } = await serve(answered);
    const { rdp } = connect(url);
    let asked = 0;
    const renew = async () => {
      asked += 1;
      throw new Error('evicted');
    };
    const fence: Fence = { holds: () => true, renew };
    await expect(withinFence(fence, () => rdp.disconnectSession({ id: 12 }))).rejects.toMatchObject({
      ...{ code: 'withheld', sent: 'no', mayHaveHappened: false },
      cause: { message: 'evicted' },
    });
    expect(asked).toBe(1);
    // Reads are not fenced.
    await withinFence(fence, () => rdp.listSessions().catch(() => undefined));
    expect(received).toEqual(['GET /rdpproxy/sessions']);
  });

  test('does not leave on a connection that was established after the fence was lost', async () => {
    const { url, received, server } = await serve(answered);
    const { rdp } = connect(url);
    let isHeld = true;
    server.on('connection', () => {
      isHeld = false;
    });
    const fence: Fence = { holds: () => isHeld, renew: async () => undefined };
    await expect(withinFence(fence, () => rdp.disconnectSession({ id: 12 }))).rejects.toMatchObject({
      ...{ code: 'withheld', sent: 'no', mayHaveHappened: false },
    });
    expect(isHeld).toBe(false);
    expect(received).toEqual([]);
  });
});
