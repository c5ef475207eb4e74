import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';
import { createLog } from '../../telemetry/log.ts';
import { connectSlack, usualTiming } from './slack-connection.ts';
import { createPace } from './socket-inlet.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const hello = (connections = 1) => JSON.stringify({ type: 'hello', num_connections: connections });
const goodbye = (reason: string) => JSON.stringify({ type: 'disconnect', reason, debug_info: { host: 'x' } });

/** A Slack that handles each WebSocket as the test says, and a bot connected to it. */
async function bot(
  meet: (socket: WebSocket, count: number) => void,
  { pauses = [0, 20, 40, 80, 160], lasting = 1_000, secondSocket = 60_000, answer = '', link = '' } = {},
) {
  const dialed: number[] = [];
  const logged: { readonly event: string; readonly level: string }[] = [];
  const server = createServer((request, response) => {
    const answers: Readonly<Record<string, object>> = {
      '/api/auth.test': { ok: true, team_id: 'T1', user_id: 'U0BOT', bot_id: 'B1' },
      '/api/apps.connections.open': {
        ok: true,
        url: link || `ws://127.0.0.1:${port}/link/?ticket=${dialed.length}`,
      },
    };
    if (request.url === '/api/apps.connections.open') dialed.push(performance.now());
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answers[request.url ?? ''] ?? { ok: false }));
  });
  const sockets = new WebSocketServer({ noServer: true });
  let count = 0;
  server.on('upgrade', (request, socket, head) => {
    if (answer !== '') return void socket.end(answer);
    count += 1;
    sockets.handleUpgrade(request, socket, head, (accepted) => meet(accepted, count));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  ends.push(() => {
    for (const client of sockets.clients) client.terminate();
    server.close().closeAllConnections();
  });
  const log = createLog('info', { write: (line: string) => void logged.push(JSON.parse(line)) });
  const connection = await connectSlack(
    {
      botToken: 'xoxb-1',
      apiUrl: `http://127.0.0.1:${port}/api/`,
      inlet: { kind: 'socket', appToken: 'xapp-1' },
    },
    log,
    { ...usualTiming, secondSocket, reconnecting: { pauses, deadline: 2_000, lasting } },
  );
  ends.push(() => connection.stop());
  const started = connection.start();
  // If nothing opens, it retries until it is stopped.
  started.catch(() => undefined);
  const lines = (event: string) => logged.filter((line) => line.event === event);
  return { dialed, lines, logged };
}

const pass = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe('a server that says hello and hangs up is dialed less and less often, and the log says so', () => {
  test.each<[string, string, (socket: WebSocket) => void]>([
    ['with the code 1000', 'websocket_1000', (socket) => socket.close(1000)],
    ['with the code 1001', 'websocket_1001', (socket) => socket.close(1001)],
    ['with the code 4321', 'websocket_4321', (socket) => socket.close(4321)],
    ['without a word', 'websocket_1006', (socket) => socket.terminate()],
    [
      'because there are too many',
      'too_many_websockets',
      (socket) => socket.send(goodbye('too_many_websockets')),
    ],
    [
      'to renew it, again and again',
      'refresh_requested',
      (socket) => socket.send(goodbye('refresh_requested')),
    ],
    ['with a warning, again and again', 'warning', (socket) => socket.send(goodbye('warning'))],
  ])('%s', async (_, code, hangUp) => {
    const { dialed, lines } = await bot((socket) => {
      socket.send(hello());
      hangUp(socket);
    });
    await pass(700);
    // 20 + 40 + 80 + 160 … ms, of which half is random.
    expect(dialed.length).toBeLessThan(13);
    await expect.poll(() => lines('slack_connection_brief').length, { timeout: 5_000 }).toBeGreaterThan(2);
    const told = lines('slack_connection_brief');
    expect(told.length).toBeLessThanOrEqual(dialed.length);
    expect(told[0]).toMatchObject({ level: 'warn', code, seconds: 0, tries: 1 });
  });

  test('also if the hello and the end arrive together', async () => {
    const { dialed, lines } = await bot((socket, count) => {
      const raw = Object(socket)._socket;
      raw.cork();
      socket.send(hello());
      if (count < 4) socket.close(1000);
      raw.uncork();
    });
    await expect.poll(() => dialed.length).toBe(4);
    expect(lines('slack_connection_brief')).toHaveLength(3);
  });

  test('also if Socket Mode is switched off, which is an error with a remedy', async () => {
    const { lines } = await bot((socket) => {
      socket.send(hello());
      socket.send(goodbye('link_disabled'));
    });
    await expect.poll(() => lines('slack_socket_mode_off').length).toBeGreaterThan(1);
    expect(lines('slack_socket_mode_off')[0]).toMatchObject({ level: 'error', code: 'link_disabled' });
  });
});

const page = '<html>Sign in to the guest network</html>';
test.each<[string, (socket: WebSocket) => void, Parameters<typeof bot>[1]]>([
  ['closes before its hello', (socket) => socket.close(4001), {}],
  ['breaks off before its hello', (socket) => socket.terminate(), {}],
  ['asks it to go before its hello', (socket) => socket.send(goodbye('too_many_websockets')), {}],
  [
    'takes no WebSocket, though its Web API hands out addresses',
    () => undefined,
    { answer: 'HTTP/1.1 408 Request Timeout\r\ncontent-length: 0\r\n\r\n' },
  ],
  [
    'is hidden by a page of a proxy',
    () => undefined,
    { answer: `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}` },
  ],
  ['hands out an address that refuses', () => undefined, { link: 'ws://127.0.0.1:9/link' }],
])('a server that %s is dialed ever less often, and the log says so', async (_, meet, options) => {
  const { dialed, lines } = await bot(meet, options);
  await pass(700);
  expect(dialed.length).toBeLessThan(13);
  await expect.poll(() => lines('slack_disconnected').length, { timeout: 5_000 }).toBeGreaterThan(2);
  expect(lines('slack_disconnected')[0]).toMatchObject({
    code: expect.stringMatching(/^(?:websocket_\d{4}|too_many_websockets)$/),
  });
});

test('only a lasting connection ends the growing pauses: the next loss is reopened at once, without a log line', async () => {
  const open: WebSocket[] = [];
  const { dialed, lines } = await bot(
    (socket, count) => {
      socket.send(hello());
      open.push(socket);
      if (count < 5) socket.terminate();
    },
    { lasting: 200, pauses: [0, 10, 10, 10, 10, 60_000] },
  );
  await expect.poll(() => lines('slack_connection_lasts').length, { timeout: 3_000 }).toBe(1);
  expect(lines('slack_connection_brief')).toHaveLength(4);
  open.at(-1)?.terminate();
  await expect.poll(() => dialed.length).toBe(6);
  expect(lines('slack_connection_brief')).toHaveLength(4);
});

test.each(['warning', 'refresh_requested'])(
  'a renewal of a connection by Slack (%s), or of two at once, is no news, and they reopen at once',
  async (reason) => {
    const open: WebSocket[] = [];
    const { dialed, logged } = await bot(
      (socket) => {
        socket.send(hello(2));
        open.push(socket);
      },
      { secondSocket: 10, pauses: [0, 60_000] },
    );
    await expect.poll(() => open.length).toBe(2);
    await pass(20);
    for (const socket of open) socket.send(goodbye(reason));
    await expect.poll(() => open.length).toBe(4);
    expect(dialed).toHaveLength(4);
    expect(logged).toEqual([]);
  },
);

test('two connections that are cut together cause one line and one pause', async () => {
  const open: WebSocket[] = [];
  const { dialed, lines } = await bot(
    (socket) => {
      socket.send(hello(2));
      open.push(socket);
    },
    { secondSocket: 10, pauses: [0, 200, 60_000] },
  );
  await expect.poll(() => open.length).toBe(2);
  await pass(20);
  for (const socket of open) socket.terminate();
  await expect.poll(() => open.length).toBe(4);
  expect(dialed).toHaveLength(4);
  expect(lines('slack_connection_brief')).toHaveLength(1);
});

describe('the pace', () => {
  const minute = 60_000;
  const pauses = [0, 1_000, 2_000, 5_000, 10_000, 30_000, minute];

  test('of connections that end every 30 seconds grows to a minute, and each end is logged', () => {
    let at = 0;
    const pace = createPace(
      { pauses, deadline: 30_000 },
      () => at,
      () => 1,
    );
    const rests = Array.from({ length: 8 }, () => {
      at += 30_000;
      const { pause, isKnown } = pace.trouble();
      expect(isKnown).toBe(false);
      at += pause;
      return pause;
    });
    expect(rests).toEqual([1_000, 2_000, 5_000, 10_000, 30_000, minute, minute, minute]);
    expect([pace.lasted(), pace.lasted(), pace.trouble().pause]).toEqual([true, false, 1_000]);
  });

  test('is half random, and lets all connections wait for the same moment', () => {
    const pause = (random: number) =>
      createPace(
        { pauses, deadline: 1 },
        () => 0,
        () => random,
      ).trouble().pause;
    expect([pause(0), pause(0.5), pause(1)]).toEqual([500, 750, 1_000]);
    let at = 0;
    const pace = createPace(
      { pauses, deadline: 1 },
      () => at,
      () => 1,
    );
    pace.trouble();
    at = 400;
    expect(pace.trouble()).toEqual({ tries: 1, pause: 600, isKnown: true });
  });
});
