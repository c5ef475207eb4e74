import { expect } from 'vitest';
import { exchange } from '../raw-socket.ts';
import { seeded } from '../seeded.ts';
import type { HttpBot } from './http-bot.ts';

/** Something that is sent to a web server, and how it ends. */
interface Broken {
  readonly pieces: readonly Buffer[];
  /** Between the pieces, in milliseconds. */
  readonly pause: number;
  readonly end: 'wait' | 'half-close' | 'reset' | 'leave';
}

const line = 'POST /slack/events HTTP/1.1\r\nHost: bot\r\n';

/** So many broken requests at a server, some at a time; the same ones for the same seed. It must stand, and be at Slack's service. */
export async function expectToStand(bot: HttpBot, count: number, seed: number): Promise<void> {
  const random = seeded(seed);
  const broken = Array.from({ length: count }, () => brokenRequest(random));
  const said = new Set<string>();
  const next = broken.values();
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (const one of next) said.add((await send(bot.port, one)).slice(0, 10));
    }),
  );
  expect(await bot.answersSlack(), bot.written().slice(-2_000)).toMatchObject({ alive: true });
  expect(said).toContain('HTTP/1.1 4');
  const allowed = new Set(['', 'HTTP/1.1 4']);
  expect([...said].filter((status) => !allowed.has(status))).toEqual([]);
  expect(bot.appliance.requests).toEqual([]);
  const refused = bot.log().filter(({ msg }) => msg === 'Refused an HTTP request');
  expect(refused.length).toBeGreaterThan(0);
  const since = Number(bot.log()[0]?.time);
  expect(refused.length).toBeLessThanOrEqual(11 + (Date.now() - since) / 30_000);
  expect(bot.log().filter(({ level }) => level === 'error')).toEqual([]);
}

function brokenRequest(random: () => number): Broken {
  const one = <Value>(values: readonly Value[]): Value => {
    const value = values[Math.floor(random() * values.length)];
    if (value === undefined) throw new Error('There is something to choose from');
    return value;
  };
  const bytes = (length: number) => Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
  const hex = () => bytes(32).toString('hex');
  const signature = () =>
    `X-Slack-Signature: v0=${hex()}\r\nX-Slack-Request-Timestamp: ${Math.floor(Date.now() / 1_000)}\r\n`;
  const length = () => one(['-1', 'abc', '1e9', '', '0x10', '5, 6', '99999999999999999999', '5', '4000000']);
  const body = () =>
    one(['{}', 'null', '[]', 'ssl_check', 'payload=%7B', '\0', '{"type":"url_verification"}']);
  const kinds: readonly (() => string | Buffer)[] = [
    // No request line.
    () => bytes(1 + Math.floor(random() * 400)),
    () =>
      one([
        'GET',
        'GET /',
        '\r\n\r\n\r\n',
        'get / http/1.1',
        'GET / HTTP/9.9',
        'GET /\0 HTTP/1.1',
        '\x16\x03\x01\x02\0',
      ]) + one(['', '\r\n\r\n']),
    () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    () => `GET /${'a'.repeat(one([100, 20_000]))} HTTP/1.1\r\n\r\n`,
    // Other requests.
    () =>
      `${one(['GET', 'HEAD', 'OPTIONS', 'PUT', 'TRACE', 'CONNECT', 'QUERY', 'M-SEARCH'])} ${one(['/', '*', '//', '/slack/events', 'http://a/slack/events', '/%zz', 'bot:443'])} HTTP/1.${one([0, 1])}\r\nHost: bot\r\n\r\n`,
    () =>
      `POST ${one(['//', '//slack/events', '/slack/events/', '/slack/../slack/events', '/Slack/Events', '/?a=/slack/events'])} HTTP/1.1\r\n${signature()}Content-Length: 2\r\n\r\n{}`,
    // Heads.
    () => `${line}${'X-A: b\r\n'.repeat(one([500, 5_000]))}\r\n`,
    () => `${line}X-A: ${'b'.repeat(one([1_000, 100_000]))}\r\n\r\n`,
    () =>
      line +
      one([
        'no colon\r\n\r\n',
        ': no name\r\n\r\n',
        'A\0: b\r\n\r\n',
        'X: a\r\n folded\r\n\r\n',
        'Host: other\r\n\r\n',
        'Expect: 200-ok\r\n\r\n',
        'Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
      ]),
    // Bodies.
    () => `${line}${one([signature, () => ''])()}Content-Length: ${length()}\r\n\r\n${body()}`,
    () => `${line}${signature()}Content-Length: 2\r\nContent-Length: 3\r\n\r\n${body()}`,
    () =>
      `${line}${signature()}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
    () =>
      `${line}${signature()}Transfer-Encoding: ${one(['chunked', 'xchunked', 'gzip, chunked', 'chunked, chunked', 'identity'])}\r\n\r\n${one(['zz\r\n', '-1\r\n', 'ffffffffffffffffff\r\n', '5\r\nabc', '1\r\na\r\n'.repeat(300), '3;x=y\r\nabc\r\n0\r\n\r\n', '0\r\nTrailer: a\r\n\r\n'])}`,
    () =>
      `${line}${signature()}Content-Type: ${one(['application/json', 'application/x-www-form-urlencoded', 'a/b', '\x7f'])}\r\nContent-Length: 2000\r\n\r\n${'x'.repeat(2_000)}`,
    // Several at once.
    () =>
      one(['GET / HTTP/1.1\r\nHost: a\r\n\r\n', `${line}Content-Length: 0\r\n\r\n`]).repeat(one([2, 50])) +
      one(['', 'nonsense\r\n\r\n']),
  ];
  // Rare: each is three megabytes.
  const whole = Buffer.from(
    random() < 0.003
      ? `${line}${signature()}Content-Length: 3000000\r\n\r\n${'x'.repeat(3_000_000)}`
      : one(kinds)(),
  );
  const end = random() < 0.1 ? 'wait' : one(['half-close', 'reset', 'leave', 'leave'] as const);
  if (random() > 0.1) return { pieces: [whole], pause: 0, end };
  const cuts = Array.from({ length: 4 }, () => Math.floor(random() * whole.length)).toSorted((a, b) => a - b);
  const pieces = [0, ...cuts].map((cut, index) => whole.subarray(cut, cuts[index]));
  return { pieces, pause: 20, end };
}

/** Resolves to what came back, until the other side closed it or it was left: half a request is answered after five seconds. */
const send = (port: number, { pieces, pause, end }: Broken): Promise<string> =>
  exchange(
    port,
    (socket) => {
      const write = (index: number) => {
        const piece = pieces[index];
        if (socket.destroyed) return;
        if (piece !== undefined) {
          socket.write(piece);
          if (pause === 0) write(index + 1);
          else setTimeout(write, pause, index + 1);
        } else if (end === 'half-close') socket.end();
        else if (end === 'reset') socket.resetAndDestroy();
      };
      socket.on('connect', () => write(0));
    },
    end === 'wait' ? 20_000 : 200,
  );
