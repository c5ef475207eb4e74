import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { Workspace } from './server.ts';
import { alice, bob, helpdesk, start } from './testing.ts';

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

test('the page follows what happens, as the person who looks', async () => {
  const workspace = await start();
  const stop = new AbortController();
  const response = await fetch(`${workspace.url}/sandbox/events?as=${bob}`, { signal: stop.signal });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => JSON.parse((await reader?.read())?.value?.replace(/^data: /, '') ?? '');
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

test('nobody from another site gets in: other host names, other origins and plain forms are refused', async () => {
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
