import { connect } from 'node:net';
import { expect, onTestFinished } from 'vitest';
import { linkToken } from '../../src/block-page/link.ts';
import { createTokens } from '../../src/block-page/page-tokens.ts';
import { asking, blockedSite } from '../asking.ts';
import { serveBlockPage } from '../block-page-server.ts';
import { filledIn, formIn, pageVisitor } from '../block-page-visitor.ts';
import { freePort } from '../free-port.ts';
import { hostile } from '../hostile.ts';
import { seeded } from '../seeded.ts';
import { steadyNow } from '../steady-clock.ts';
import { startHttpBot } from './http-bot.ts';
import { type Attack, attacks } from './rows.ts';

const somebodyElses = createTokens(['a secret that somebody has made up, as long']);

const get = (target: string, ...more: readonly string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: 127.0.0.1', 'Connection: close', ...more, '', ''].join('\r\n');

/** Requests that no browser sends from a block page, with the status that they get. */
const strange: readonly (readonly [attack: string, bytes: string, status: number])[] = [
  ['the root', get('/'), 404],
  ['a path that goes up', get('/ask/../../etc/passwd'), 404],
  ['one that goes up and is encoded', get('/ask/%2e%2e%2f%2e%2e%2fetc%2fpasswd'), 404],
  ['one with a zero in it', get('/ask/%00'), 404],
  ["the path of Slack's events", get('/slack/events'), 404],
  ["a path of the appliance's", get('/categories/list'), 404],
  ['a longer path', get('/ask/x/y'), 404],
  ['a path in capitals', get('/ASK'), 404],
  ['another site through this one', get('http://appliance.example/ask'), 404],
  ['a tunnel', get('10.20.0.2:9503').replace('GET', 'CONNECT'), 405],
  ['another method', get('/ask').replace('GET', 'DELETE'), 405],
  ['HEAD', get('/ask').replace('GET', 'HEAD'), 405],
  ['a method at the page of a request', get('/ask/x.y').replace('GET', 'POST'), 405],
  ['an upgrade', get('/ask', 'Upgrade: websocket').replace('close', 'Upgrade'), 403],
  ['another name that leads here', get('/ask').replace('127.0.0.1', 'evil.example'), 421],
  ['a name with a user before it', get('/ask').replace('127.0.0.1', 'evil@127.0.0.1'), 421],
  ['two names', get('/ask', 'Host: evil.example'), 421],
  ['no name', get('/ask').replace('Host: 127.0.0.1\r\n', ''), 421],
  ['no HTTP', 'nonsense\r\n\r\n', 400],
  ['a head of 100 kB', get('/ask', `Cookie: ${'x'.repeat(100_000)}`), 431],
  ['a header with a line end in it', get('/ask', 'X: a\rSet-Cookie: b'), 400],
];

const post = (body: string, ...more: readonly string[]) =>
  [
    'POST /ask HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/x-www-form-urlencoded',
    ...more,
    '',
    body,
  ].join('\r\n');

attacks('the port of the block page', [
  ...strange.map(
    ([attack, bytes, status]): Attack => ({
      attack,
      must: `${status}, and nothing of it is written anywhere`,
      tryIt: async () => {
        const { write, wishes, lines } = await serveBlockPage();
        const said = await write(bytes.replace('\r\n\r\n', '\r\nX-Marked: hush-1-2-3\r\n\r\n'));
        expect(said.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
        expect(said).not.toMatch(/hush|evil|appliance\.example/);
        expect(lines.join('')).not.toMatch(/hush|evil|passwd|appliance\.example/);
        expect(wishes).toEqual([]);
      },
    }),
  ),
  {
    attack: 'a link is made up, belongs to an appliance that is gone, or is none at all',
    must: 'it opens no form',
    tryIt: async () => {
      const { call, link, tokens } = await serveBlockPage();
      const links = [
        ...['', 'x', 'x.y', linkToken(somebodyElses, 'hq'), linkToken(tokens, 'gone')],
        ...[tokens.sign('form', '1 hq'), tokens.sign('link', '2 hq'), `${linkToken(tokens, 'hq')}x`],
      ];
      for (const one of links) {
        const { status, text } = await call('GET', `/ask?link=${one}&url=news.example`);
        expect([one, status, formIn(text)]).toEqual([one, 403, '']);
      }
      expect((await call('GET', link)).status).toBe(200);
    },
  },
  {
    attack: 'a form is sent with a token that is made up, of another kind, altered or absent',
    must: 'nobody is asked for anything',
    tryIt: async () => {
      const { call, show, tokens, wishes } = await serveBlockPage();
      const form = await show();
      const [body = '', signature = ''] = form.split('.');
      const forged = [
        ...['', 'x', 'x.y', linkToken(tokens, 'hq'), `${form}.`, `${body}.`],
        somebodyElses.sign('form', '1700000000000 nonce hq'),
        `${Buffer.from('9900000000000 other hq').toString('base64url')}.${signature}`,
      ];
      for (const one of forged) {
        expect([one, (await call('POST', '/ask', filledIn(one))).status]).toEqual([one, 403]);
      }
      expect(wishes).toEqual([]);
    },
  },
  {
    attack: 'a form is sent again and again, by twenty at once',
    must: 'it is one request, and all of them see its page',
    tryIt: async () => {
      const { call, show, wishes } = await serveBlockPage();
      const form = filledIn(await show());
      const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', '/ask', form)));
      expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.location}`)).size).toBe(1);
      expect(wishes).toHaveLength(1);
    },
  },
  {
    attack: 'a form is kept, and sent when its hour is over; another one comes from a clock that is ahead',
    must: 'nobody is asked for anything, and the form is shown again',
    tryIt: async () => {
      const { call, show, pass, tokens, wishes } = await serveBlockPage();
      const early = tokens.sign('form', '1700000500000 nonce hq');
      expect((await call('POST', '/ask', filledIn(early))).status).toBe(422);
      const form = await show();
      pass(60 * 60_000);
      expect((await call('POST', '/ask', filledIn(form))).status).toBe(422);
      expect(wishes).toEqual([]);
    },
  },
  {
    attack: "another site's page makes the browser of somebody send a form that is good",
    must: 'it is refused, whatever the other site calls itself',
    tryIt: async () => {
      const { call, show, port, wishes } = await serveBlockPage();
      const form = filledIn(await show());
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `https://127.0.0.1:${port}` },
        { origin: `http://127.0.0.1:${port}.evil.example` },
        { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
      ]) {
        expect([headers, (await call('POST', '/ask', form, headers)).status]).toEqual([headers, 403]);
      }
      expect(wishes).toEqual([]);
      const own = { origin: `http://127.0.0.1:${port}`, 'sec-fetch-site': 'same-origin' };
      expect((await call('POST', '/ask', form, own)).status).toBe(303);
    },
  },
  {
    attack: 'a body is larger than any form, tells a wrong length, or has another type',
    must: 'it is refused before it is read',
    tryIt: async () => {
      const { call, write, wishes } = await serveBlockPage();
      const whole = await write(post('x'.repeat(100), 'Content-Length: 50000000'));
      expect(whole.slice(0, 12)).toBe('HTTP/1.1 413');
      const piece = `${(1_000).toString(16)}\r\n${'x'.repeat(1_000)}\r\n`;
      const chunked = await write(post(piece.repeat(20), 'Transfer-Encoding: chunked'));
      expect(chunked.slice(0, 12)).toBe('HTTP/1.1 413');
      const two = await write(post('x', 'Content-Length: 1', 'Transfer-Encoding: chunked'));
      expect(two.slice(0, 12)).toBe('HTTP/1.1 400');
      const types = ['application/json', 'multipart/form-data; boundary=x', 'text/plain', ''];
      for (const type of types) {
        expect((await call('POST', '/ask', 'form=x', { 'content-type': type })).status).toBe(415);
      }
      expect(wishes).toEqual([]);
    },
  },
  {
    attack:
      'a body comes a byte a second, from as many connections as there may be, and others say nothing at all',
    must: 'browsers are served meanwhile, and all of these are closed after ten seconds',
    tryIt: async () => {
      const { port, call, link } = await serveBlockPage();
      let closed = 0;
      const slow = Array.from({ length: 60 }, (_, index) => {
        const socket = connect(port, '127.0.0.1').resume();
        socket.on('error', () => undefined);
        socket.on('close', () => {
          closed += 1;
        });
        if (index % 2 === 0) socket.write(post('f', 'Content-Length: 200'));
        const timer = setInterval(() => index % 2 === 0 && socket.write('x'), 1_000);
        onTestFinished(() => {
          clearInterval(timer);
          socket.destroy();
        });
        return socket;
      });
      const since = steadyNow();
      expect((await call('GET', link)).status).toBe(200);
      expect(steadyNow() - since).toBeLessThan(1_000);
      await expect.poll(() => closed, { timeout: 15_000 }).toBe(slow.length);
    },
  },
  {
    attack: 'markup and line ends stand in the site, the name, the reason and the user',
    must: 'the pages show them as text, and no header holds them',
    tryIt: async () => {
      const { call, link, show, wishes } = await serveBlockPage();
      const markup = `"><script>alert(1)</script><img src=x onerror=alert(1)>'\``;
      const opened = await call('GET', link.replace('bob.miller', encodeURIComponent(markup)));
      const wrong = { site: markup, name: `${markup}\r\nSet-Cookie: a=b`, reason: '', user: markup };
      const again = await call('POST', '/ask', filledIn(await show(), wrong));
      for (const { text, headers } of [opened, again]) {
        expect(text).toContain('&#60;script&#62;alert(1)');
        expect(text).not.toMatch(/<(?:script|img)/);
        expect(text.match(/value="[^"]*"/g)?.join('')).not.toMatch(/[<>]/);
        expect(headers['set-cookie']).toBeUndefined();
      }
      expect(wishes).toEqual([]);
    },
  },
  {
    attack: 'what cannot be seen, and what turns letters round, stands in the name',
    must: 'the page makes it visible',
    tryIt: async () => {
      const { call, show } = await serveBlockPage();
      for (const one of hostile.slice(0, 20)) {
        const { status, text } = await call(
          'POST',
          '/ask',
          filledIn(await show(), { name: one, reason: '' }),
        );
        expect(status).toBe(422);
        expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b\ufeff]/);
      }
    },
  },
  {
    attack: 'somebody guesses the address of the page of a request',
    must: 'there is no such request, whether it exists or not',
    tryIt: async () => {
      const { call, show, tokens } = await serveBlockPage();
      const sent = await call('POST', '/ask', filledIn(await show()));
      const [body = '', signature = ''] = String(sent.headers.location).replace('/ask/', '').split('.');
      const other = Buffer.from('r-2').toString('base64url');
      const guesses = [
        ...['r-1', 'r-1.x', body, `${body}.`, `${body}.${'A'.repeat(24)}`, `${other}.${signature}`],
        ...[somebodyElses.sign('request', 'r-1'), tokens.sign('form', 'r-1'), tokens.sign('request', 'r-9')],
      ];
      const answers = await Promise.all(guesses.map((one) => call('GET', `/ask/${one}`)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
      const [, ...shown] = new Set(answers.map(({ text }) => text).filter((text) => text !== ''));
      expect(shown).toEqual([]);
      expect((await call('GET', `/ask/${body}.${signature}`)).status).toBe(200);
    },
  },
  {
    attack: 'one address sends two thousand requests, a hundred at a time',
    must: 'most are turned away at once, in a few lines of the log, and it serves again when there is room',
    tryIt: async () => {
      const { call, link, lines, pass } = await serveBlockPage();
      const statuses = new Map<string, number>();
      for (let round = 0; round < 20; round += 1) {
        const answers = Array.from({ length: 100 }, () =>
          call('GET', link).then(
            ({ status }) => String(status),
            () => 'closed',
          ),
        );
        for (const status of await Promise.all(answers)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }
      expect(statuses.get('200')).toBeLessThanOrEqual(60);
      expect([...statuses.keys()].filter((status) => !['200', '429', 'closed'].includes(status))).toEqual([]);
      expect(lines.length).toBeLessThan(20);
      pass(1_000);
      expect((await call('GET', link)).status).toBe(200);
    },
  },
  {
    attack: 'three thousand broken requests are sent',
    must: 'none of them makes a request, an error or an end of the server',
    tryIt: async () => {
      const { write, call, link, wishes, lines, pass } = await serveBlockPage();
      const random = seeded(20_261_124);
      const one = (values: readonly string[]) => values[Math.floor(random() * values.length)] ?? '';
      const bytes = () =>
        String.fromCharCode(...Array.from({ length: 40 }, () => Math.floor(random() * 256)));
      const broken = (): string =>
        one([
          bytes(),
          get(`/ask?${bytes()}`),
          get(`/ask?link=${bytes()}&url=%zz`),
          get(`/ask/${one(['.', '..', 'a.b', '%', 'x'.repeat(299), 'x'.repeat(400)])}`),
          get(
            '/ask',
            one(['Expect: a miracle', 'Transfer-Encoding: zip', 'X-Forwarded-For: <b>', ' folded']),
          ),
          post(bytes(), `Content-Length: ${one(['-1', 'abc', '40', '0x10', '99999999999999999999'])}`),
          post('form=a&form=b&site', 'Content-Length: 18'),
          post(one(['zz\r\n', '-1\r\n', '5\r\nabc', '0\r\nA: b\r\n\r\n']), 'Transfer-Encoding: chunked'),
          get('/ask').repeat(30),
          one([
            'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
            'GET /ask HTTP/9.9\r\n\r\n',
            '\x16\x03\x01\x02\0',
            '\r\n\r\n',
          ]),
        ]);
      for (let round = 0; round < 60; round += 1) {
        await Promise.all(Array.from({ length: 50 }, () => write(Buffer.from(broken(), 'latin1'), 30)));
        pass(60_000);
      }
      expect(wishes).toEqual([]);
      expect(lines.filter((line) => line.includes('"error"'))).toEqual([]);
      // Some requests of the flood are still being refused.
      const status = () => {
        pass(60_000);
        return call('GET', link).then((answer) => answer.status, String);
      };
      await expect.poll(status).toBe(200);
    },
  },
  {
    attack:
      'ten people at the block page ask while the appliance takes three seconds for each test of a site',
    must: 'whoever types in Slack need not wait for them, and the browsers are answered before it is tested',
    tryIt: async () => {
      const { behindProxy, appliance, type, bot, read } = await asking({}, {}, { blockPage: true });
      const { call } = pageVisitor(behindProxy?.ports[0] ?? 0);
      const browsed = await (await fetch(`${behindProxy?.url}/?site=${blockedSite}`)).text();
      const link = /href="http:\/\/[^/]+([^"]+)"[^>]*>Ask for access/.exec(browsed)?.[1] ?? '';
      const show = async () => formIn((await call('GET', link.replaceAll('&#38;', '&'))).text);
      appliance.faults.set('GET /analyze/website/direct/{domain}', { kind: 'slow', ms: 3_000 });
      /** The tests of sites that had ended by then. */
      const tested = (site: string, then = Number.POSITIVE_INFINITY) =>
        appliance.requests.filter(
          ({ path, endedAt }) =>
            path.includes('/analyze/website/direct/') && path.includes(site) && Number(endedAt) <= then,
        ).length;
      const sending = Array.from({ length: 10 }, async (_, number) => {
        const more = { site: `${number}.live-betting.example`, user: `user-${number}` };
        const form = filledIn(await show(), more);
        const { headers } = await call('POST', '/ask', form);
        return { page: String(headers.location), isTested: tested(more.site) === 1 };
      });
      const sent = await Promise.all(sending);
      // All of them, if they waited for it; one or two, where the machine stood still for three seconds.
      expect(sent.filter(({ isTested }) => isTested).length).toBeLessThan(5);
      const first = await call('GET', sent[0]?.page ?? '');
      expect(first.text).toContain('First, the bot checks whether');
      expect(await type('/appliance categorize example.com', 'bob')).toContain(
        'example.com is in 1 category',
      );
      const asked = appliance.requests.find(({ path }) => path.includes('/query/example.com'));
      expect(tested('live-betting.example', Number(asked?.endedAt)), 'sites tested by then').toBeLessThan(10);
      await bot.idle();
      expect(read('bob').match(/is asked for from the block page/g)).toHaveLength(10);
    },
  },
  {
    attack: 'ten thousand requests come in while people type in Slack',
    must: 'every line of theirs is answered as soon as ever, and the bot lives',
    tryIt: async () => {
      const port = await freePort();
      const secret = 'the secret of this bot, long enough';
      const page = { BLOCK_PAGE_PORT: String(port), BLOCK_PAGE_URL: `http://127.0.0.1:${port}` };
      const bot = await startHttpBot(
        { ...page, BLOCK_PAGE_SECRET: secret },
        'self_service: { channel: C0HELPDESK, allow_category: 207 }\n',
      );
      onTestFinished(bot.stop);
      const tokens = createTokens([secret]);
      const { call } = pageVisitor(port);
      const link = `/ask?link=${linkToken(tokens, 'hq')}&url=news.example`;
      const form = formIn((await call('GET', link)).text);
      expect(form).not.toBe('');
      const alone = (await bot.answersSlack()).took;
      const statuses = new Set<string>();
      let left = 10_000;
      const flood = Promise.all(
        Array.from({ length: 50 }, async () => {
          while (left > 0) {
            left -= 1;
            const sends = [
              () => call('GET', link),
              () => call('GET', `/ask?link=${left}`),
              () => call('POST', '/ask', filledIn(form, { site: `${left}.example` })),
              () => call('GET', `/ask/x.${left}`),
            ];
            const answer = await sends[left % 4]?.().catch(() => undefined);
            statuses.add(String(answer?.status ?? 'closed'));
          }
        }),
      );
      const took: number[] = [];
      while (left > 0) took.push((await bot.answersSlack()).took);
      await flood;
      expect([...statuses].filter((status) => Number(status) >= 500)).toEqual([]);
      // Most are turned away, and none of those that were let in is an error.
      expect([...statuses]).toEqual(expect.arrayContaining(['200', '429']));
      expect(took.length).toBeGreaterThan(5);
      // The machine is busy with the flood itself.
      expect(Math.max(...took)).toBeLessThan(Math.max(1_000, 50 * alone));
      expect(await bot.answersSlack()).toMatchObject({ alive: true });
      // One form was sent, however often, and what is beyond the limits has called nobody.
      expect(bot.log().filter(({ level }) => level === 'error')).toEqual([]);
      expect(bot.log().length).toBeLessThan(100);
    },
  },
]);
