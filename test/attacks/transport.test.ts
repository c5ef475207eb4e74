import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, onTestFinished } from 'vitest';
import { startSimulatedAppliance } from '../../sandbox/appliance/index.ts';
import { startHarbour } from '../../sandbox/harbour.ts';
import { personIn } from '../../sandbox/person.ts';
import { program } from '../../sandbox/process.ts';
import { transcript } from '../../sandbox/workspace/transcript.ts';
import type { Workspace } from '../../sandbox/workspace/workspace.ts';
import type { Environment } from '../../src/config/secret.ts';
import { start } from '../../src/start.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { expectToStand } from './broken-requests.ts';
import { form, type HttpBot, json, portOf, settingsFor, sign, startHttpBot } from './http-bot.ts';
import { type Attack, attacks } from './rows.ts';

/** A secret that must appear nowhere. */
const hush = 'hush-xoxb-1-2-3';

let living: HttpBot | undefined;
afterAll(() => living?.stop());

/** A bot that others have attacked before, or a new one where they have killed it. */
async function theBot(): Promise<HttpBot> {
  if (living?.isAlive() !== true) {
    await living?.stop();
    living = await startHttpBot();
  }
  return living;
}

async function ownBot(): Promise<HttpBot> {
  const bot = await startHttpBot();
  onTestFinished(bot.stop);
  return bot;
}

const request = (method: string, target: string, headers: Readonly<Record<string, string>> = {}, body = '') =>
  [
    `${method} ${target} HTTP/1.1`,
    'Host: bot',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
    '',
    body,
  ].join('\r\n');

/** A request that looks signed, as far as its head goes. */
const half = () =>
  `POST /slack/events HTTP/1.1\r\nHost: bot\r\nX-Slack-Signature: v0=${'0'.repeat(64)}\r\nX-Slack-Request-Timestamp: ${Math.floor(Date.now() / 1_000)}\r\n`;

const refusals = (bot: HttpBot) => bot.log().filter(({ msg }) => msg === 'Refused an HTTP request');

const asAlice = (workspace: Workspace) => personIn(workspace, { idle: async () => undefined }, 'alice');
const seenByAlice = (workspace: Workspace) => transcript(workspace.snapshot('U0ALICE001'), 'helpdesk');

/** Requests that are not Slack's, with the status that they get. */
const strange: readonly (readonly [string, string, number])[] = [
  ['a health check', request('GET', '/'), 404],
  ['HEAD', request('HEAD', '/'), 404],
  ['OPTIONS *', request('OPTIONS', '*'), 404],
  ['POST to a path that is no address', request('POST', '//', {}, 'x'), 404],
  ['POST to another path', request('POST', '/other', {}, 'x'), 404],
  ['POST to a path that only ends like ours', request('POST', '/x/slack/events', {}, 'x'), 404],
  ['another method at our path', request('DELETE', '/slack/events'), 405],
  ['a tunnel to somewhere else', request('CONNECT', 'slack.example:443'), 405],
  ['an upgrade', request('GET', '/slack/events', { Connection: 'Upgrade', Upgrade: 'websocket' }), 405],
  ['POST to our path at another host', request('POST', 'http://slack.example/slack/events', {}, 'x'), 404],
  ['POST to our path', request('POST', '/slack/events', {}, 'x'), 401],
  ['an expectation that nobody meets', request('POST', '/slack/events', { Expect: 'a miracle' }, 'x'), 401],
  ['a request without a host', 'GET / HTTP/1.1\r\n\r\n', 404],
  ['another protocol', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400],
  ['a head of 100 kB', request('GET', '/', { Cookie: 'x'.repeat(100_000) }), 431],
  ['two lengths', request('POST', '/slack/events', { 'Content-Length': '1', 'content-length': '2' }), 400],
  ['a length and pieces', request('POST', '/slack/events', { 'Transfer-Encoding': 'chunked' }, 'x'), 400],
];

attacks('the HTTP endpoint', [
  ...strange.map(
    ([attack, bytes, status]): Attack => ({
      attack: `${attack}, unsigned`,
      must: `${status}, and nothing of it is written anywhere`,
      tryIt: async () => {
        const bot = await theBot();
        const said = await bot.asks([bytes.replace('\r\n\r\n', `\r\nX-Marked: ${hush}\r\n\r\n`)]);
        expect(said.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
        expect(await bot.answersSlack()).toMatchObject({ alive: true });
        expect(bot.written()).not.toMatch(/hush|other|miracle|slack\.example|Cookie|\n {4}at /);
      },
    }),
  ),
  {
    attack: 'a few strangers knock',
    must: 'each is one line of the log: when, what became of it, which method, from where',
    tryIt: async () => {
      const bot = await ownBot();
      const line = {
        ...{ level: 'warn', time: expect.any(Number), from: '127.0.0.1', msg: expect.any(String) },
        ...{ event: 'http_request_refused', version: expect.any(String), replica: expect.any(String) },
      };
      await bot.write([request('GET', `/?token=${hush}`)]);
      await bot.write([request('PUT', '/slack/events', { Authorization: hush }, hush)]);
      await bot.write(['nonsense\r\n\r\n']);
      await expect
        .poll(() => refusals(bot))
        .toEqual([
          { ...line, status: 404, method: 'GET' },
          { ...line, status: 405, method: 'PUT' },
          { ...line, status: 400 },
        ]);
    },
  },
  {
    attack: 'a flood of strangers, 40 at a time, while Slack calls',
    must: 'Slack is answered in its three seconds each time, and the log stays short',
    tryIt: async () => {
      const bot = await ownBot();
      let isOver = false;
      const knocks = [
        request('GET', '/'),
        `${half()}Content-Length: 2\r\n\r\n{}`,
        request('POST', '/slack/events', {}, hush),
      ];
      let count = 0;
      const flood = Array.from({ length: 40 }, async () => {
        while (!isOver) {
          count += 1;
          await bot.write([knocks[count % knocks.length] ?? '']);
        }
      });
      const calls = [];
      while (calls.length < 20 || count < 2_000) calls.push(await bot.answersSlack());
      isOver = true;
      await Promise.all(flood);
      expect(calls.filter(({ alive }) => !alive)).toEqual([]);
      expect(Math.max(...calls.map(({ took }) => took))).toBeLessThan(3_000);
      expect(bot.written().length).toBeLessThan(5_000);
    },
  },
  {
    attack: 'tunnels, broken heads and requests whose senders are gone before the answer',
    must: 'nobody is answered, and the bot lives',
    tryIt: async () => {
      const bot = await theBot();
      const heads = [request('CONNECT', 'slack.example:443'), request('GET', '/'), 'nonsense\r\n\r\n'];
      for (let count = 0; count < 150; count += 1) {
        const socket = connect(bot.port, '127.0.0.1');
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(heads[count % heads.length] ?? '', () => socket.resetAndDestroy());
      }
      expect(await bot.answersSlack(), bot.written().slice(-1_000)).toMatchObject({ alive: true });
    },
  },
  {
    attack: '300 broken requests: lines, heads, lengths, pieces, halves, several at once',
    must: 'the bot lives, answers none of them with anything but 4xx, and is at the service of Slack',
    tryIt: async () => expectToStand(await ownBot(), 300, 4_711),
  },
  {
    attack: '600 connections that stay open with half a head, and 20 with half of a large body',
    must: 'Slack gets through all the while, and after some seconds they are closed',
    tryIt: async () => {
      const bot = await theBot();
      const open = new Set<Socket>();
      const hold = (text: string) => {
        const socket = connect(bot.port, '127.0.0.1', () => socket.write(text));
        open.add(socket);
        socket.resume();
        socket.on('error', () => undefined).on('close', () => open.delete(socket));
        onTestFinished(() => void socket.destroy());
        return once(socket, 'connect').catch(() => undefined);
      };
      const body = `Content-Length: 2000000\r\n\r\n${'x'.repeat(1_900_000)}`;
      for (let count = 0; count < 20; count += 1) await hold(half() + body);
      for (let count = 0; count < 600; count += 1) {
        await hold(half());
        if (count % 100 === 0) expect(await bot.answersSlack()).toMatchObject({ alive: true });
      }
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
      await expect.poll(() => open.size, { timeout: 30_000 }).toBe(0);
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
    },
  },
  {
    attack: 'a body of 3 MB that looks signed, and one of 2 kB that does not even look it',
    must: 'they are not read to their end: 413 and 401',
    tryIt: async () => {
      const bot = await theBot();
      expect(await bot.asks([`${half()}Content-Length: 3000000\r\n\r\n`])).toContain('413 Payload Too Large');
      expect(await bot.asks([request('POST', '/slack/events', { 'Content-Length': '2000' })])).toContain(
        '401 ',
      );
    },
  },
  {
    attack: 'a body that is shorter than it says, and a sender who leaves',
    must: 'nothing waits for the rest',
    tryIt: async () => {
      const bot = await theBot();
      await bot.write([`${half()}Content-Length: 50\r\n\r\n{}`], 50);
      expect(await bot.asks([`${half()}Content-Length: 50\r\n\r\n{}`], 30_000)).toContain(
        '408 Request Timeout',
      );
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
    },
  },
  {
    attack: 'the bot is told to stop while a stranger keeps half of a request open',
    must: 'it stops, and does not wait for him',
    tryIt: async () => {
      const bot = await ownBot();
      const stranger = connect(bot.port, '127.0.0.1', () => stranger.write(half()));
      stranger.on('error', () => undefined);
      onTestFinished(() => void stranger.destroy());
      await once(stranger, 'connect');
      // By now his half has arrived.
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
      bot.kill('SIGTERM');
      expect(await bot.ended).toBe(0);
    },
  },
]);

attacks('what Slack signs', [
  ...(
    [
      ['another secret', { ...sign('guessed', '{}') }, 401],
      ['a body that was changed on its way', {}, 401],
    ] as const
  ).map(
    ([attack, headers, status]): Attack => ({
      attack,
      must: 'is refused',
      tryIt: async () => {
        const bot = await theBot();
        const signed = { ...sign(bot.workspace.signingSecret, '{} '), ...headers };
        expect(await bot.send('{}', signed)).toMatchObject({ status });
      },
    }),
  ),
  ...[-301, 301, 31_536_000].map(
    (shift): Attack => ({
      attack: `a good signature of ${shift} seconds from now`,
      must: 'is refused',
      tryIt: async () => {
        const bot = await theBot();
        const seconds = Math.floor(Date.now() / 1_000) + shift + Math.sign(shift) * 20;
        const body = '{"type":"url_verification","challenge":"x"}';
        const signed = sign(bot.workspace.signingSecret, body, seconds);
        expect(await bot.send(body, signed)).toEqual({ status: 401, text: '' });
      },
    }),
  ),
  {
    attack: 'two signatures on one request, one of them good',
    must: 'it is refused',
    tryIt: async () => {
      const bot = await theBot();
      const good = sign(bot.workspace.signingSecret, '{}');
      const head = `Content-Type: ${json}\r\nX-Slack-Signature: ${good['x-slack-signature']}\r\nContent-Length: 2\r\n\r\n{}`;
      expect(await bot.asks([half() + head])).toContain('HTTP/1.1 401');
    },
  },
  {
    attack: 'a good signature at other paths, and with other methods',
    must: 'nothing is taken there',
    tryIt: async () => {
      const bot = await theBot();
      const body = '{"type":"url_verification","challenge":"x"}';
      for (const path of [
        '/',
        '/other',
        '/slack/events/',
        '/slack/events/x',
        '/Slack/Events',
        '/%73lack/events',
      ]) {
        expect({ path, ...(await bot.send(body, {}, path)) }).toEqual({ path, status: 404, text: '' });
      }
      const signed = sign(bot.workspace.signingSecret, body);
      expect(await bot.asks([request('PUT', '/slack/events', signed, body)])).toContain('HTTP/1.1 405');
    },
  },
  {
    attack: 'what Slack has sent is sent again, to the letter: a line, and a search in a form',
    must: 'nothing happens a second time, and whoever sent it learns nothing',
    tryIt: async () => {
      const bot = await ownBot();
      const alice = asAlice(bot.workspace);
      await alice.type('helpdesk', '/appliance categorize example.com');
      await expect.poll(() => seenByAlice(bot.workspace)).toContain('example.com is in 1 category');
      await alice.type('helpdesk', '/appliance acl object disable');
      await expect.poll(() => alice.form()?.title).toBeDefined();
      expect(await alice.search('ACL object', 'google')).not.toEqual([]);
      const before = [bot.appliance.requests.length, seenByAlice(bot.workspace)];
      expect(bot.sent).toHaveLength(3);
      for (const { body, headers } of bot.sent) {
        const again = {
          'content-type': String(headers['content-type']),
          'x-slack-signature': String(headers['x-slack-signature']),
          'x-slack-request-timestamp': String(headers['x-slack-request-timestamp']),
        };
        expect(await bot.send(body, again)).toEqual({ status: 200, text: '' });
      }
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
      expect([bot.appliance.requests.length, seenByAlice(bot.workspace)]).toEqual(before);
    },
  },
  {
    attack: 'a person writes a form into a message, and somebody on the way sends the signed event as a form',
    must: 'it is not read as a command',
    tryIt: async () => {
      const bot = await ownBot();
      const command =
        '&command=/appliance&text=categorize+example.com&user_id=U0ALICE001&channel_id=C0HELPDESK';
      const rest = `&team_id=${bot.workspace.snapshot('U0ALICE001').team.id}&trigger_id=1.2.3&x=`;
      const event = { type: 'app_mention', user: 'U0ALICE001', channel: 'C0HELPDESK', text: command + rest };
      const body = JSON.stringify({ type: 'event_callback', event });
      expect(await bot.send(body, { 'content-type': form })).toEqual({ status: 400, text: '' });
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
      expect(bot.appliance.requests.filter(({ path }) => path.includes('/categories/'))).toEqual([]);
    },
  },
  {
    attack:
      'signed bodies that say nothing: null, lists, numbers, halves, other encodings, as JSON and in a form',
    must: '400, no word of them in the log, and the bot lives',
    tryIt: async () => {
      const bot = await theBot();
      const nothing = [
        '',
        ' ',
        'null',
        '[]',
        '5',
        'true',
        `"${hush}"`,
        `{"${hush}`,
        `{"a":${hush}}`,
        '\ufeff{}',
        '[{}]',
        '\0',
      ];
      const bodies = [
        ...nothing.map((body) => [json, body]),
        ...nothing.map((body) => [form, `payload=${encodeURIComponent(body)}`]),
        [json, `payload=${encodeURIComponent('{"type":"block_actions"}')}`],
        [form, '{"type":"event_callback"}'],
        ['text/plain', 'a=b'],
        ['application/x-www-form-urlencoded; charset=utf-8', 'command=%2Fappliance'],
      ] as const;
      for (const [type = '', body = ''] of bodies) {
        expect({ type, body, ...(await bot.send(body, { 'content-type': type })) }).toEqual({
          type,
          body,
          status: 400,
          text: '',
        });
      }
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
      expect(bot.written()).not.toMatch(/hush|\n {4}at /);
    },
  },
  {
    attack: 'signed payloads in which everything is missing',
    must: 'they change nothing, and the bot lives',
    tryIt: async () => {
      const bot = await ownBot();
      const missing = [
        {},
        { type: 'event_callback' },
        { type: 'event_callback', event: null },
        { type: 'event_callback', event: { type: 'app_home_opened' } },
        { type: 'event_callback', event: { type: 'user_change' } },
        { type: 'block_actions' },
        { type: 'block_actions', actions: [{ action_id: 'press' }], user: null },
        { type: 'view_submission', view: null },
        { type: 'view_submission', view: { callback_id: 'form' } },
        { type: 'message_action', callback_id: 'look_up_links' },
        { type: 'block_suggestion' },
        { command: '/appliance' },
        { command: '/appliance', text: {} },
        JSON.parse(`${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`),
      ];
      await Promise.all(missing.map((body) => bot.send(JSON.stringify(body))));
      await Promise.all(
        missing.map((body) =>
          bot.send(`payload=${encodeURIComponent(JSON.stringify(body))}`, { 'content-type': form }),
        ),
      );
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
      expect(bot.appliance.requests).toEqual([]);
      expect(bot.written()).not.toContain('\n    at ');
    },
  },
  {
    attack:
      'a click goes along with that look, a second request hides behind its body, or it comes as JSON, in pieces, twice',
    must: 'nothing of it is read, and what hides behind it is a request of its own that nobody signed',
    tryIt: async () => {
      const bot = await theBot();
      const before = bot.appliance.requests.length;
      const payload = encodeURIComponent(
        JSON.stringify({
          type: 'block_actions',
          user: { id: 'U0ALICE001' },
          actions: [{ action_id: 'press' }],
        }),
      );
      const unsigned = { 'x-slack-signature': '', 'x-slack-request-timestamp': '' };
      const forms = [
        `ssl_check=1&payload=${payload}`,
        `payload=${payload}&ssl_check=1`,
        'ssl_check=1&ssl_check=1&command=/appliance&text=rdp+sessions',
        'ssl_check=0&command=/appliance&text=rdp+sessions',
        'ssl_check[]=1&command=/appliance&text=rdp+sessions',
        'SSL_CHECK=1&command=/appliance&text=rdp+sessions',
      ];
      for (const body of forms) {
        const { text } = await bot.send(body, { ...unsigned, 'content-type': form });
        expect([body, text]).toEqual([body, '']);
      }
      const asJson = { ...unsigned, 'content-type': json };
      for (const body of [
        '{"ssl_check":1}',
        '{"type":"url_verification","challenge":"<script>"}',
        '[{"ssl_check":1}]',
      ]) {
        expect([body, await bot.send(body, asJson)]).toEqual([body, { status: 401, text: '' }]);
      }
      const hidden = request(
        'POST',
        '/slack/events',
        { 'Content-Type': json },
        '{"type":"url_verification","challenge":"x"}',
      );
      const said = await bot.asks([
        request('POST', '/slack/events', { 'Content-Type': form }, 'ssl_check=1') + hidden,
      ]);
      expect(said).not.toContain('challenge');
      expect(said.match(/HTTP\/1\.1 200/g)?.length ?? 0).toBeLessThan(2);
      expect(bot.appliance.requests.slice(before)).toEqual([]);
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
    },
  },
  {
    attack:
      'a good signature is sent with its body changed by a space, its time written otherwise, its digest in capitals or cut',
    must: 'each is refused',
    tryIt: async () => {
      const bot = await theBot();
      const body = '{"type":"url_verification","challenge":"x"}';
      const good = sign(bot.workspace.signingSecret, body);
      const { 'x-slack-request-timestamp': at, 'x-slack-signature': digest } = good;
      const others: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
        [`${body} `, good],
        [`\ufeff${body}`, good],
        [body, { ...good, 'x-slack-request-timestamp': `${at}.0` }],
        [body, { ...good, 'x-slack-request-timestamp': `0${at}` }],
        [body, { ...good, 'x-slack-request-timestamp': `${at}e0` }],
        [body, { ...good, 'x-slack-request-timestamp': `0x${Number(at).toString(16)}` }],
        [body, { ...good, 'x-slack-signature': digest.slice(0, -1) }],
        [body, { ...good, 'x-slack-signature': digest.slice(3) }],
        [body, { ...good, 'x-slack-signature': digest.replace('v0', 'v1') }],
        [body, { ...good, 'x-slack-signature': `${digest}, ${digest}` }],
        [body, { ...good, 'x-slack-signature': 'v0=' }],
      ];
      for (const [sent, headers] of others) {
        expect([headers, await bot.send(sent, headers)]).toEqual([headers, { status: 401, text: '' }]);
      }
    },
  },
  {
    attack: "a command goes along with Slack's unsigned look at the certificate",
    must: 'nothing of it is read, and a large one is refused',
    tryIt: async () => {
      const bot = await ownBot();
      const unsigned = { 'content-type': form, 'x-slack-signature': '', 'x-slack-request-timestamp': '' };
      const body =
        'ssl_check=1&command=/appliance&text=categorize+example.com&user_id=U0ALICE001&channel_id=C0HELPDESK';
      expect(await bot.send(body, unsigned)).toEqual({ status: 200, text: '' });
      expect(await bot.send(`${body}&x=${'x'.repeat(1_000)}`, unsigned)).toEqual({ status: 401, text: '' });
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
      expect(bot.appliance.requests).toEqual([]);
    },
  },
]);

/** A server that only listens to what is said to it. */
async function startListener(answer: { readonly status?: number; readonly location?: string } = {}) {
  const heard: string[] = [];
  const server = createServer((incoming, response) => {
    heard.push(`${incoming.url} ${incoming.headers.authorization}`);
    const { status = 200, location } = answer;
    response.writeHead(status, location === undefined ? {} : { location }).end('{"ok":true,"team_id":"T1"}');
  });
  const port = await portOf(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port, heard };
}

/** Why a bot with this address of Slack does not start. */
async function startWith(SLACK_API_URL: string): Promise<string> {
  const [workspace, appliance] = [await startHarbour(), await startSimulatedAppliance()];
  const { environment, remove } = settingsFor(workspace, appliance);
  try {
    const bot = await start({ ...environment, SLACK_API_URL }, { log: createLog('silent') });
    await bot.stop();
    return 'started';
  } catch (error) {
    return String(error);
  } finally {
    await workspace.stop();
    await appliance.close();
    remove();
  }
}

attacks('the address of Slack', [
  ...[
    ['http', 'http://0.0.0.0:PORT/api/'],
    ['http, to this machine by the address that others use', 'http://[::ffff:0.0.0.0]:PORT/api/'],
    ['http, in disguise', 'http://127.0.0.1@0.0.0.0:PORT/api/'],
    ['http, with a name before the host', 'http://slack.com%2Fapi@0.0.0.0:PORT/api/'],
  ].map(
    ([what, address = '']): Attack => ({
      attack: `SLACK_API_URL is ${what}`,
      must: 'the bot does not start, and says what to do; no token leaves',
      tryIt: async () => {
        const { port, heard } = await startListener();
        const said = await startWith(address.replace('PORT', String(port)));
        expect(said).toMatch(
          /SLACK_API_URL .* so the bot did not start: .*(?:Use an https address|Remove the user name)/,
        );
        expect(said).not.toMatch(/xoxb|xapp/);
        expect(heard).toEqual([]);
      },
    }),
  ),
  ...[302, 307].map(
    (status): Attack => ({
      attack: `the API sends the bot on to another host with ${status}`,
      must: 'it does not go there, so its token does not',
      tryIt: async () => {
        const other = await startListener();
        const api = await startListener({ status, location: `http://127.0.0.1:${other.port}/api/auth.test` });
        expect(await startWith(`http://127.0.0.1:${api.port}/api/`)).toContain('SLACK_API_URL is set to');
        expect(api.heard.length).toBeGreaterThan(0);
        expect(other.heard).toEqual([]);
      },
    }),
  ),
]);

/** Something that runs because somebody else runs. Its output ends when all are gone that it was handed on to. */
function run(command: readonly [string, ...string[]], cwd: string, environment: Environment) {
  const [name, ...args] = command;
  const child = spawn(name, args, {
    cwd,
    env: { ...environment, PATH: `${dirname(process.execPath)}:${environment.PATH}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    // As in a terminal: a group of its own, of which Ctrl+C ends all.
    detached: true,
  });
  let out = '';
  const hear = (text: unknown) => {
    out += text;
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const exited = once(child, 'exit').then(([code, signal]) => code ?? signal);
  const allGone = once(child, 'close');
  const group = -(child.pid ?? 0);
  const killAll = () => {
    try {
      process.kill(group, 'SIGKILL');
    } catch {
      // All are gone already.
    }
  };
  onTestFinished(killAll);
  return { child, group, out: () => out, exited, allGone };
}

/** The bot by `npm start`. */
async function npmStart(change: Environment = {}) {
  const [workspace, appliance] = [await startHarbour(), await startSimulatedAppliance()];
  const { environment, folder, remove } = settingsFor(workspace, appliance);
  onTestFinished(async () => {
    await workspace.stop();
    await appliance.close();
    remove();
  });
  const npm = { npm_config_cache: join(folder, 'npm'), npm_config_update_notifier: 'false' };
  const started = run(['npm', 'start'], dirname(dirname(program)), { ...environment, ...npm, ...change });
  return { ...started, workspace, appliance };
}

/** Resolves when it takes lines: then it takes signals, too. */
async function connected(bot: Awaited<ReturnType<typeof npmStart>>): Promise<void> {
  await expect.poll(bot.out, { timeout: 55_000 }).toContain('Appliance Bot is connected');
  expect(await asAlice(bot.workspace).type('helpdesk', '/appliance help')).toEqual({ ok: true });
}

/** A shell that stays between npm and the bot, and hands nothing on. */
function shellBetween(): string {
  const folder = mkdtempSync(join(tmpdir(), 'shell-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'between');
  writeFileSync(file, '#!/bin/sh\n/bin/sh "$@"\nexit $?\n');
  chmodSync(file, 0o755);
  return file;
}

attacks('the process', [
  ...(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGKILL'] as const).map(
    (signal): Attack => ({
      attack: `npm, which has started the bot, gets ${signal}`,
      must: 'the bot takes no more clicks and ends',
      tryIt: async () => {
        const bot = await npmStart();
        await connected(bot);
        bot.child.kill(signal);
        const orderly = signal === 'SIGTERM' || signal === 'SIGINT';
        expect(await bot.exited).toBe(orderly ? 0 : signal);
        await bot.allGone;
        // The other end hears a moment later that a process is gone.
        await expect.poll(() => bot.workspace.sockets.count).toBe(0);
      },
    }),
  ),
  {
    attack: 'npm gets SIGTERM while a shell is between it and the bot that hands nothing on',
    must: 'the bot takes no more clicks and ends',
    tryIt: async () => {
      const bot = await npmStart({ npm_config_script_shell: shellBetween() });
      await connected(bot);
      bot.child.kill('SIGTERM');
      await bot.allGone;
      // The other end hears a moment later that a process is gone.
      await expect.poll(() => bot.workspace.sockets.count).toBe(0);
    },
  },
  {
    attack:
      'Ctrl+C in `npm start`, which reaches the bot from the terminal and again from npm, while an order is under way',
    must: 'the order comes to its end, and its person is told',
    tryIt: async () => {
      const bot = await npmStart();
      await connected(bot);
      const alice = asAlice(bot.workspace);
      await alice.type('helpdesk', '/appliance rdp disconnect 12');
      await expect.poll(() => seenByAlice(bot.workspace)).toContain('[Disconnect]');
      bot.appliance.faults.set('POST /rdpproxy/sessions/{id}/disconnect', { kind: 'slow', ms: 1_500 });
      await alice.press('helpdesk', 'Disconnect');
      const orders = () => bot.appliance.requests.filter(({ method }) => method === 'POST');
      await expect.poll(orders).toHaveLength(1);
      process.kill(bot.group, 'SIGINT');
      await bot.allGone;
      expect(seenByAlice(bot.workspace)).toContain(
        '✅ Session 12 of bob.miller on srv-files-01 disconnected',
      );
    },
  },
  {
    attack: 'the bot cannot start, by `npm start`',
    must: 'npm ends with its code, so that a supervisor knows',
    tryIt: async () => {
      const bot = await npmStart({ SLACK_BOT_TOKEN: '' });
      expect(await bot.exited).toBe(1);
      expect(bot.out()).toContain('SLACK_BOT_TOKEN is not set');
    },
  },
  {
    attack: 'a program that has started the bot with a channel to it is killed',
    must: 'the bot ends',
    tryIt: async () => {
      const [workspace, appliance] = [await startHarbour(), await startSimulatedAppliance()];
      const { environment, remove } = settingsFor(workspace, appliance);
      onTestFinished(async () => {
        await workspace.stop();
        await appliance.close();
        remove();
      });
      const parent = `import { spawn } from 'node:child_process';
        spawn(process.execPath, [${JSON.stringify(program)}], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });`;
      const args = ['--input-type=module', '--eval', parent] as const;
      const bot = run([process.execPath, ...args], dirname(program), environment);
      await expect.poll(bot.out, { timeout: 55_000 }).toContain('Appliance Bot is connected');
      bot.child.kill('SIGKILL');
      await bot.allGone;
      // The other end hears a moment later that a process is gone.
      await expect.poll(() => workspace.sockets.count).toBe(0);
    },
  },
  {
    attack: 'npm, which has started the simulated appliance, is killed',
    must: 'the simulated appliance ends',
    tryIt: async () => {
      const folder = mkdtempSync(join(tmpdir(), 'npm-'));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const npm = { npm_config_cache: folder, npm_config_update_notifier: 'false', PATH: process.env.PATH };
      const appliance = run(['npm', 'run', 'sandbox:appliance', '--', '--port', '0'], process.cwd(), npm);
      await expect.poll(appliance.out, { timeout: 55_000 }).toContain('Ctrl+C');
      appliance.child.kill('SIGKILL');
      await appliance.allGone;
    },
  },
]);
