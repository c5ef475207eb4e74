import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { startSimulatedAppliance } from '../appliance/index.ts';
import { steered } from '../steered.ts';
import { alice, bob, client, helpdesk, start } from './testing.ts';
import type { Workspace } from './workspace.ts';

const hello = { act: 'type', as: alice, channel: helpdesk, text: 'hello' };
const json = { 'content-type': 'application/json' };
const act = (workspace: Workspace, body: unknown, headers: Record<string, string> = json) =>
  fetch(`${workspace.url}/sandbox/act`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

/** Asks under another host name, as a page does whose own name was made to point here. */
function statusFor(workspace: Workspace, host: string, path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(workspace.url);
    request({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      response.destroy();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

/** The next event without a name holds the person's view. */
function nameless(response: Response): () => Promise<unknown> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  return async () => {
    for (;;) {
      const end = read.indexOf('\n\n');
      if (end === -1) {
        read += (await reader?.read())?.value ?? '';
        continue;
      }
      const event = read.slice(0, end);
      read = read.slice(end + 2);
      if (event.startsWith('data: ')) return JSON.parse(event.slice('data: '.length));
    }
  };
}

test('the page follows the workspace, as its viewing person', async () => {
  const workspace = await start();
  const stop = new AbortController();
  const response = await fetch(`${workspace.url}/sandbox/events?as=${bob}`, { signal: stop.signal });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const next = nameless(response);
  expect(await next()).toMatchObject({ viewer: bob, messages: [], app: { connected: false } });
  expect(await (await act(workspace, hello)).json()).toEqual({ ok: true });
  expect(await next()).toMatchObject({ messages: [{ user: alice, text: 'hello' }] });
  stop.abort();
});

test('many changes in a moment are told together', async () => {
  const workspace = await start();
  const response = await fetch(`${workspace.url}/sandbox/events?as=${bob}`);
  const reader = response.body?.getReader();
  await reader?.read();
  for (let count = 0; count < 100; count += 1) await workspace.act({ ...hello, act: 'type' });
  const { value } = (await reader?.read()) ?? {};
  const told = new TextDecoder().decode(value).split('data: ').length - 1;
  expect(told).toBeLessThan(5);
  await reader?.cancel();
});

test('a request from another site is refused: other host names, other origins and plain forms', async () => {
  const workspace = await start();
  const { port } = new URL(workspace.url);
  expect(await statusFor(workspace, `localhost:${port}`, `/sandbox/events?as=${bob}`)).toBe(200);
  expect(await statusFor(workspace, `evil.example:${port}`, `/sandbox/events?as=${bob}`)).toBe(403);
  expect(await statusFor(workspace, `127.0.0.1:1`, '/')).toBe(403);
  expect((await act(workspace, hello, { 'content-type': 'text/plain' })).status).toBe(415);
  expect((await act(workspace, hello, { ...json, origin: 'http://evil.example' })).status).toBe(403);
  expect((await act(workspace, hello, { ...json, origin: workspace.url })).status).toBe(200);
  expect((await act(workspace, '{')).status).toBe(400);
  expect((await act(workspace, { act: 'shout', as: alice })).status).toBe(400);
  expect((await act(workspace, { act: 'use', as: alice })).status).toBe(400);
  expect(workspace.snapshot(alice).messages).toHaveLength(1);
});

test('the page is served with a strict policy, and only what it has', async () => {
  const workspace = await start({
    page: async (path) => (path === '/' ? { type: 'text/html', body: '<!doctype html>' } : undefined),
  });
  const page = await fetch(workspace.url);
  expect(await page.text()).toBe('<!doctype html>');
  expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
  expect((await fetch(`${workspace.url}/assets/none.js`)).status).toBe(404);
});

const slow = { kind: 'slow', ms: 1 };
const listing = 'GET /categories/list';

/** A workspace whose page can steer an appliance. */
async function withAppliance() {
  const appliance = await startSimulatedAppliance();
  onTestFinished(() => appliance.close());
  const workspace = await start({ beside: steered(appliance) });
  const steer = (body: unknown, headers: Record<string, string> = json) =>
    fetch(`${workspace.url}/sandbox/appliance`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { appliance, workspace, steer };
}

/** Follows the page's events; returns the newest one of a name. The unnamed ones are snapshots. */
async function follow(workspace: Workspace) {
  const stop = new AbortController();
  const { body } = await fetch(`${workspace.url}/sandbox/events?as=${bob}`, { signal: stop.signal });
  onTestFinished(() => stop.abort());
  let told = '';
  void (async () => {
    for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) told += piece;
  })().catch(() => undefined);
  return (name?: string): unknown => {
    const head = name === undefined ? 'data: ' : `event: ${name}\ndata: `;
    const whole = told.split('\n\n').slice(0, -1);
    return JSON.parse(whole.findLast((event) => event.startsWith(head))?.slice(head.length) ?? 'null');
  };
}

test('the page gets the possible actions of the simulated appliance, its state, and its requests', async () => {
  const { appliance, workspace, steer } = await withAppliance();
  const newest = await follow(workspace);
  await expect.poll(() => newest('appliance')).toMatchObject({ faults: [], requests: [] });
  expect(newest('catalogue')).toEqual({ operations: appliance.catalogue });
  await steer({ act: 'misbehave', operation: listing, fault: slow });
  await expect.poll(() => newest('appliance')).toMatchObject({ faults: [{ operation: listing, ...slow }] });
  await fetch(`${appliance.url}/categories/list`);
  await expect
    .poll(() => newest('appliance'))
    .toMatchObject({
      requests: [{ id: 1, path: '/categories/list', operation: listing, fault: 'slow', status: 200 }],
    });
});

test('the page makes the appliance misbehave, clears it, turns switches and starts over', async () => {
  const { appliance, steer } = await withAppliance();
  const acted = async (body: unknown) => (await steer(body)).json();
  expect(await acted({ act: 'misbehave', operation: listing, fault: slow })).toEqual({ ok: true });
  expect(appliance.faults.active()).toEqual([{ operation: listing, ...slow }]);
  expect(await acted({ act: 'behave', operation: listing })).toEqual({ ok: true });
  expect(appliance.faults.active()).toEqual([]);
  expect(await acted({ act: 'turn', switches: { categoryList: 'B' } })).toEqual({ ok: true });
  expect(appliance.state.categories.shape).toBe('B');
  expect(await acted({ act: 'reset' })).toEqual({ ok: true });
  expect(appliance.state.categories.shape).toBe('A');
});

test('an error of the appliance is reported in a sentence', async () => {
  const { steer } = await withAppliance();
  for (const [act, error] of [
    [{ act: 'misbehave', operation: listing, fault: { kind: 'lazy' } }, '"lazy" is no kind'],
    [{ act: 'misbehave', operation: 'GET /nothing', fault: slow }, 'has no operation GET /nothing'],
    [{ act: 'turn', switches: { moon: 'full' } }, 'There is no switch moon'],
  ]) {
    expect(await (await steer(act)).json()).toEqual({
      ok: false,
      error: expect.stringContaining(String(error)),
    });
  }
  expect((await steer({ act: 'explode' })).status).toBe(400);
});

test('another site cannot steer the appliance', async () => {
  const { steer } = await withAppliance();
  expect((await steer({ act: 'reset' }, { ...json, origin: 'http://evil.example' })).status).toBe(403);
  expect((await steer({ act: 'reset' }, { 'content-type': 'text/plain' })).status).toBe(415);
});

test('a real appliance gives the page nothing to steer', async () => {
  const workspace = await start();
  const newest = await follow(workspace);
  await act(workspace, hello);
  await expect.poll(() => newest()).toMatchObject({ messages: [{ text: 'hello' }] });
  expect([newest('catalogue'), newest('appliance')]).toEqual([null, null]);
  const reset = { method: 'POST', headers: json, body: '{"act":"reset"}' };
  expect((await fetch(`${workspace.url}/sandbox/appliance`, reset)).status).toBe(404);
});

test("Slack's address of a message opens the page at its thread", async () => {
  const workspace = await start();
  const web = client(workspace);
  const { ts = '' } = await web.chat.postMessage({ channel: helpdesk, text: 'root' });
  const reply = await web.chat.postMessage({ channel: helpdesk, text: 'reply', thread_ts: ts });
  const opened = (address: string) => fetch(address, { redirect: 'manual' });
  for (const message_ts of [ts, reply.ts ?? '']) {
    const { permalink = '' } = await web.chat.getPermalink({ channel: helpdesk, message_ts });
    const { status, headers } = await opened(permalink);
    expect(status).toBe(302);
    expect(headers.get('location')).toBe(`/#${helpdesk}/${ts}`);
  }
  expect((await opened(`${workspace.url}/archives/${helpdesk}/p1790000000000001`)).status).toBe(404);
});
