import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { askedFor, serveBlockPage } from '../../test/block-page-server.ts';
import { filledIn, formIn } from '../../test/block-page-visitor.ts';
import type { RequestState } from '../action/ask/request-state.ts';

test('a link opens a form, the form makes a request, and its page shows the state', async () => {
  const { call, link, wishes, states } = await serveBlockPage();
  const form = await call('GET', link);
  expect(form.status).toBe(200);
  expect(form.text).toContain('value="news.example"');
  expect(form.text).toContain('the user name bob.miller, as the block page says');
  const sent = await call('POST', '/ask', filledIn(formIn(form.text)));
  expect(sent.status).toBe(303);
  expect(wishes).toEqual([
    {
      site: 'news.example',
      lasts: 7_200_000,
      reason: 'customer call',
      from: { kind: 'block_page', said: 'Bob Miller', user: 'bob.miller', address: '127.0.0.1' },
    },
  ]);
  const page = String(sent.headers.location);
  const waiting = await call('GET', page);
  expect(waiting.text).toContain('<h1>Your request was sent</h1>');
  expect(waiting.headers.refresh).toBe('10');
  const still = await call('GET', `${page}?still`);
  expect(still.headers.refresh).toBeUndefined();

  const show = async (more: Partial<RequestState>) => {
    states.set('r-1', askedFor(more));
    return call('GET', page);
  };
  const works = await show({ state: 'allowed', until: 1_700_007_200_000 });
  expect(works.text).toMatch(/You can open news\.example until Wed,? 15 Nov,? 00:13\./);
  expect(works.headers.refresh).toBe('60');
  const denied = await show({ state: 'denied', because: 'not for work <b>' });
  expect(denied.text).toContain('Reason: not for work &#60;b&#62;');
  expect(denied.headers.refresh).toBeUndefined();
});

test.each([
  ['checking', 'Your request was sent', '5'],
  ['open', 'Your request was sent', '10'],
  ['allowing', 'Allowed, almost ready', '5'],
  ['allowed', 'Allowed', undefined],
  ['not_known', 'Allowed, but not checked', '60'],
  ['failed', 'Not allowed', undefined],
  ['ending', 'The time is over', '60'],
  ['not_blocked', 'This website is not blocked', undefined],
  ['not_found', 'No such website was found', undefined],
  ['not_askable', 'This website cannot be requested', undefined],
  ['denied', 'Not allowed', undefined],
  ['expired', 'Nobody decided in time', undefined],
  ['withdrawn', 'The request was withdrawn', undefined],
  ['over', 'No longer allowed', undefined],
  ['not_taken', 'Your request did not arrive', undefined],
] as const)('a request that is %s: %s', async (state, headline, refresh) => {
  const { call, states, tokens } = await serveBlockPage();
  states.set('r-1', askedFor({ state }));
  const { text, headers } = await call('GET', `/ask/${tokens.sign('request', 'r-1')}`);
  expect(text).toContain(`>${headline}</h1>`);
  expect(text).toContain(`<title>${headline} – news.example</title>`);
  // A final state does not reload.
  expect(headers.refresh).toBe(refresh);
});

test('a second requester of the same site reads what counts of the first request', async () => {
  const { call, show, outcome } = await serveBlockPage();
  const sent = async (isOwn: boolean) => {
    outcome.next = async ({ request }) => ({
      kind: 'joined',
      request: { ...request, wish: { ...request.wish, reason: 'before' } },
      isOwn,
    });
    return String((await call('POST', '/ask', filledIn(await show()))).headers.location);
  };
  const joined = await sent(false);
  expect((await call('GET', joined)).text).toContain('you were added to that request');
  expect((await call('GET', `${joined}&still`)).text).toContain('you were added to that request');
  expect((await call('GET', await sent(true))).text).toContain('You had already requested this website.');
});

test('a form is one request, however often it is sent, in sequence or at once', async () => {
  const { call, show, wishes, outcome } = await serveBlockPage();
  let release = () => {};
  outcome.next = (taken) =>
    new Promise((resolve) => {
      release = () => resolve(taken);
    });
  const form = filledIn(await show());
  const both = [call('POST', '/ask', form), call('POST', '/ask', form)];
  await expect.poll(() => wishes.length).toBe(1);
  release();
  const pages = (await Promise.all(both)).map(({ headers }) => headers.location);
  pages.push((await call('POST', '/ask', form)).headers.location);
  expect(new Set(pages).size).toBe(1);
  expect(wishes).toHaveLength(1);
});

test('a refused form shows the reason above it, keeps all typed values, and can be sent again', async () => {
  const { call, show, outcome, wishes } = await serveBlockPage();
  const form = await show();
  outcome.next = async () => ({ kind: 'too_many', most: 3, again: 1_700_003_600_000 });
  const refused = await call('POST', '/ask', filledIn(form, { lasts: '8h' }));
  expect(refused.status).toBe(429);
  expect(refused.text).toContain('so this request was not sent. Try again in 60 minutes.');
  expect(refused.text).toContain('>customer call</textarea>');
  expect(refused.text).toContain('<option value="8h" selected>');
  outcome.next = () => Promise.reject(new Error('The journal is away'));
  const failed = await call('POST', '/ask', filledIn(formIn(refused.text)));
  expect([failed.status, failed.text.includes('Your request was not sent, because')]).toEqual([503, true]);
  expect(failed.text).not.toContain('journal');
  outcome.next = async (taken) => taken;
  expect((await call('POST', '/ask', filledIn(form))).status).toBe(303);
  expect(wishes).toHaveLength(3);
});

test('a wrong field is named beside it and above the form', async () => {
  const { call, show, wishes } = await serveBlockPage();
  const { status, text } = await call('POST', '/ask', filledIn(await show(), { site: 'news', name: '' }));
  expect(status).toBe(422);
  expect(text).toContain('<title>Not sent yet: Ask for access to a website</title>');
  expect(text).toContain('<a href="#site">Enter the address of a website, such as example.com.</a>');
  expect(text).toContain('aria-describedby="site-wrong site-hint" aria-invalid="true"');
  expect(wishes).toEqual([]);
});

test('a form that was open for an hour is shown again, and then accepted', async () => {
  const { call, show, pass, wishes } = await serveBlockPage();
  const form = await show();
  pass(61 * 60_000);
  const { status, text } = await call('POST', '/ask', filledIn(form));
  expect([status, text.includes('open for more than an hour')]).toEqual([422, true]);
  expect(wishes).toEqual([]);
  expect((await call('POST', '/ask', filledIn(formIn(text)))).status).toBe(303);
});

test('requests for a site and from an address are limited, and a refused person learns the wait', async () => {
  const { call, show, wishes, pass } = await serveBlockPage();
  const send = async (more: Readonly<Record<string, string>> = {}) =>
    call('POST', '/ask', filledIn(await show(), more));
  for (let times = 0; times < 5; times += 1) expect((await send()).status).toBe(303);
  const refused = await send();
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('300');
  expect(refused.text).toContain('Try again in 5 minutes.');
  for (const site of ['a', 'b', 'd', 'e']) expect((await send({ site: `${site}.example` })).status).toBe(303);
  expect((await send({ site: 'c.example' })).status).toBe(429);
  expect(wishes).toHaveLength(9);
  pass(300_000);
  expect((await send({ site: 'c.example' })).status).toBe(303);
});

test('every answer keeps browsers from loading, framing and keeping anything', async () => {
  const { call, link } = await serveBlockPage();
  for (const [method, path] of [
    ['GET', link],
    ['GET', '/ask'],
    ['GET', '/'],
    ['PUT', '/ask'],
    ['POST', '/ask'],
  ] as const) {
    const { headers } = await call(method, path);
    expect(headers['content-security-policy'], path).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(headers, path).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
  }
});

test('an unsupported method is answered with the supported ones', async () => {
  const { call, tokens } = await serveBlockPage();
  const methods = async (method: string, path: string) => (await call(method, path)).headers.allow;
  expect(await methods('DELETE', '/ask')).toBe('GET, POST');
  expect(await methods('POST', `/ask/${tokens.sign('request', 'r-1')}`)).toBe('GET');
});

test('stopping finishes running answers, and waits for no silent connection', async () => {
  const { call, show, outcome, wishes, server, port } = await serveBlockPage();
  const form = filledIn(await show());
  let release = () => {};
  outcome.next = (taken) =>
    new Promise((resolve) => {
      release = () => resolve(taken);
    });
  const silent = connect(port, '127.0.0.1');
  onTestFinished(() => void silent.destroy());
  const sending = call('POST', '/ask', form);
  await expect.poll(() => wishes.length).toBe(1);
  const stopping = server.stop();
  release();
  expect((await sending).status).toBe(303);
  await stopping;
  await expect(call('GET', '/ask')).rejects.toThrow('ECONNREFUSED');
});

test('a used port is named, with what to do', async () => {
  const { port } = await serveBlockPage();
  await expect(serveBlockPage({ port })).rejects.toThrow(
    `BLOCK_PAGE_PORT cannot be used: listening on 127.0.0.1, port ${port}, failed (EADDRINUSE)`,
  );
});

test('behind a reverse proxy with TLS it trusts that proxy about addresses, and knows its own name', async () => {
  const { call, link, wishes } = await serveBlockPage({
    url: 'https://ask.example.com',
    trusted: '127.0.0.1',
  });
  const own = { host: 'ask.example.com', 'x-forwarded-for': '1.2.3.4, 10.7.0.9' };
  expect((await call('GET', link)).status).toBe(421);
  const form = await call('GET', link, '', own);
  expect(form.text).toContain('the network address 10.7.0.9');
  const send = (headers: Readonly<Record<string, string>>) =>
    call('POST', '/ask', filledIn(formIn(form.text)), { ...own, ...headers });
  expect((await send({ origin: 'http://ask.example.com' })).status).toBe(403);
  expect((await send({ origin: 'https://ask.example.com' })).status).toBe(303);
  expect(wishes[0]?.from).toMatchObject({ address: '10.7.0.9' });
});
