import { request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { type Pending, type SimulatedApplianceSettings, startSimulatedAppliance } from './index.ts';
import { kinds } from './kinds.ts';

/** The parts of the answers that the tests look into. */
interface Reply {
  readonly error?: string;
  readonly faults: readonly unknown[];
  readonly operations: readonly { readonly name: string }[];
  readonly pending: readonly Pending[];
  readonly requests: readonly unknown[];
  readonly switches: readonly { readonly name: string; readonly value: string }[];
}

async function start(settings: SimulatedApplianceSettings = {}) {
  const clock = () => new Date('2026-11-20T12:00:00Z');
  const appliance = await startSimulatedAppliance({ clock, ...settings });
  onTestFinished(() => appliance.close());
  const steer = async (path: string, method = 'GET', body?: unknown) => {
    const response = await fetch(`${appliance.url}/_simulator${path}`, {
      method,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, reply: (await response.json()) as Reply };
  };
  return { appliance, steer };
}

const slow = { operation: 'GET /categories/list', kind: 'slow', ms: 1, times: 5 };

test('a fault is set, seen and cleared over HTTP', async () => {
  const { appliance, steer } = await start();
  expect(await steer('/faults', 'PUT', slow)).toEqual({ status: 200, reply: { faults: [slow] } });
  await steer('/faults', 'PUT', { operation: 'GET /rdpproxy/sessions', kind: 'status', status: 503 });
  expect((await fetch(`${appliance.url}/rdpproxy/sessions`)).status).toBe(503);
  expect((await steer('/faults')).reply.faults).toHaveLength(2);
  const one = await steer(`/faults?operation=${encodeURIComponent('GET /rdpproxy/sessions')}`, 'DELETE');
  expect(one.reply).toEqual({ faults: [slow] });
  expect((await steer('/faults', 'DELETE')).reply).toEqual({ faults: [] });
  expect((await fetch(`${appliance.url}/rdpproxy/sessions`)).status).toBe(200);
});

test.each<[body: unknown, problem: string]>([
  ['slow, please', 'The body must be a JSON object.'],
  [[], 'The body must be a JSON object.'],
  [{ kind: 'slow' }, 'A fault names its operation'],
  [{ ...slow, operation: 'GET /category/list' }, 'did you mean GET /categories/list?'],
  [{ ...slow, kind: 'lazy' }, '"lazy" is no kind'],
  [{ ...slow, ms: -1 }, 'ms is a whole number'],
  [`"${'x'.repeat(70_000)}"`, 'more than 64 kB'],
])('an impossible fault is explained in a sentence: %.40j', async (body, problem) => {
  const { appliance, steer } = await start();
  const { status, reply } = await steer('/faults', 'PUT', body);
  expect({ status, error: reply.error }).toEqual({ status: 400, error: expect.stringContaining(problem) });
  expect(appliance.faults.active()).toEqual([]);
});

test('every operation is listed by the name that faults use, under its heading', async () => {
  const { appliance, steer } = await start();
  const { operations } = (await steer('/operations')).reply;
  expect(operations.map(({ name }) => name)).toEqual(appliance.operations);
  expect(operations).toContainEqual({
    name: 'GET /categories/list',
    method: 'GET',
    path: '/categories/list',
    area: 'Categories and filtering rules',
  });
});

test('the last requests are listed, newest first, with their outcome and without secrets; listing them is not among them', async () => {
  const { appliance, steer } = await start();
  await steer('/faults', 'PUT', { operation: 'GET /rdpproxy/sessions', kind: 'status', status: 503 });
  await fetch(`${appliance.url}/categories/query/example.com?x=1`, {
    headers: { authorization: 'Bearer a-key-of-the-test' },
  });
  await fetch(`${appliance.url}/rdpproxy/sessions`, { headers: { 'x-auth-token': 'a-key-of-the-test' } });
  await fetch(`${appliance.urls.mirror}/nothing`);
  const at = '2026-11-20T12:00:00.000Z';
  const known = { outcome: 'answered', at, endedAt: at };
  await expect
    .poll(() => appliance.requests.map(({ outcome }) => outcome))
    .toEqual(Array(3).fill('answered'));
  const { requests } = (await steer('/requests')).reply;
  expect(requests).toMatchObject([
    { id: 3, service: 'mirror', path: '/nothing', status: 404, ...known },
    { id: 2, operation: 'GET /rdpproxy/sessions', status: 503, fault: 'status', ...known },
    {
      id: 1,
      operation: 'GET /categories/query/{domain}',
      path: '/categories/query/example.com?x=1',
      ...known,
    },
  ]);
  expect(JSON.stringify(requests)).not.toContain('a-key-of-the-test');
  expect((await steer('/requests?limit=1')).reply.requests).toHaveLength(1);
  expect((await steer('/requests?limit=all')).status).toBe(400);
});

test.each<[query: string, problem: string]>([
  ['?operation=GET%20/category/list', 'did you mean GET /categories/list?'],
  ['?operations=GET%20/categories/list', 'There is no operations here'],
])('clearing an unknown fault clears nothing: %s', async (query, problem) => {
  const { steer } = await start();
  await steer('/faults', 'PUT', slow);
  const { status, reply } = await steer(`/faults${query}`, 'DELETE');
  expect({ status, error: reply.error }).toEqual({ status: 400, error: expect.stringContaining(problem) });
  expect((await steer('/faults')).reply.faults).toEqual([slow]);
});

test('switches are turned all or none', async () => {
  const { appliance, steer } = await start();
  const values = async () => (await steer('/switches')).reply.switches.map(({ value }) => value);
  const before = await values();
  expect(before[0]).toBe('A');
  expect((await steer('/switches', 'PUT', { categoryList: 'B', moon: 'full' })).reply.error).toMatch(
    /^There is no switch moon; there are categoryList, /,
  );
  expect((await steer('/switches', 'PUT', { categoryList: 'C' })).reply.error).toBe(
    'categoryList is A or B.',
  );
  expect(await values()).toEqual(before);
  await steer('/switches', 'PUT', { categoryList: 'B', build: 'zdate', licence: 'expired' });
  const enabled = await fetch(`${appliance.url}/proxy/acls/record/enable/1`);
  expect(await enabled.json()).toMatchObject({ Status: false, Info: expect.stringContaining('zdate') });
  expect(await (await fetch(`${appliance.url}/categories/list`)).json()).toHaveProperty('categories.252');
  expect(await (await fetch(`${appliance.url}/appliance_version`)).json()).toMatchObject({ status: false });
});

test.each<[turned: Record<string, string>, path: string, told: object]>([
  [{ proxyMode: 'emergency' }, '/status', { status: false, info: expect.stringMatching(/^Emergency/) }],
  [
    { proxyMode: 'global_emergency' },
    '/status',
    { status: false, info: expect.stringMatching(/^Global Emergency/) },
  ],
  [
    { directoryConnection: 'broken' },
    '/status',
    { status: false, info: 'No domain controller answers', queue_length: '400' },
  ],
  [{ directoryConnection: 'slow' }, '/status', { status: true, queue_length: '140' }],
  [{ directoryConnection: 'none' }, '/status', { status: false, current_daemon: '0' }],
  [{ proxyPorts: 'one_silent' }, '/proxy/ports/check', { status: false, info: 'Not listening: 3129' }],
])('a state that no call leads to has a switch, there and back: %j', async (turned, path, told) => {
  const { appliance, steer } = await start();
  const values = async () =>
    Object.fromEntries((await steer('/switches')).reply.switches.map(({ name, value }) => [name, value]));
  const before = await values();
  const answer = async () => (await fetch(appliance.url + path)).json();
  expect(await answer()).toMatchObject({ status: true });
  await steer('/switches', 'PUT', turned);
  expect(await values()).toEqual({ ...before, ...turned });
  expect(await answer()).toMatchObject(told);
  await steer('/switches', 'PUT', before);
  expect(await values()).toEqual(before);
  expect(await answer()).toMatchObject({ status: true });
});

test('no shell package is taken while the switch of the shell is off', async () => {
  const { appliance, steer } = await start();
  const upload = async () => {
    const body = new FormData();
    body.set('zipcontainer', new Blob(['no zip']), 'tidy.zip');
    return (await fetch(`${appliance.url}/shell_upload`, { method: 'POST', body })).json();
  };
  expect(await upload()).toMatchObject({ status: false, info: expect.stringContaining('is not a zip file') });
  await steer('/switches', 'PUT', { shell: 'off' });
  expect(await upload()).toMatchObject({ status: false, info: 'The shell execution feature is off' });
});

test('a change that is configured and not live is listed, until it is compiled', async () => {
  const { appliance, steer } = await start();
  const call = async (path: string) => {
    expect((await fetch(appliance.url + path)).status).toBe(200);
  };
  const pending = async () =>
    (await steer('/pending')).reply.pending.filter(({ count }) => count > 0).map(({ words }) => words);
  // The company starts with these changes, left behind in the web console.
  expect(await pending()).toEqual(['1 SSL rule', '2 resolver settings']);
  await call('/proxy/ssl/build');
  await call('/system/network/resolvapply');
  expect(await pending()).toEqual([]);

  const { state } = appliance;
  const object = state.acl.objects.values().next().value;
  const [first, second] = [...(object?.records.values() ?? [])];
  await call(`/proxy/acls/record/add/${object?.id}/new.example`);
  await call(`/proxy/acls/record/disable/${first?.id}`);
  await call(`/proxy/acls/record/delete/${second?.id}`);
  await call('/categories/252/forgotten.example');
  expect(await pending()).toEqual(['3 ACL changes', '1 site']);
  expect((await steer('/pending')).reply.pending).toContainEqual({
    name: 'sites',
    words: '1 site',
    count: 1,
    first: ['shopping: forgotten.example added'],
    until: 'GET /categories/{id}/compile',
  });
  await call('/proxy/acls/compile');
  await call('/categories/252/compile');
  expect(await pending()).toEqual(['1 compiled site']);
  await call('/webfilter/rules/compile');
  expect(await pending()).toEqual([]);
});

test('the first few of many waiting changes are named', async () => {
  const { appliance, steer } = await start();
  const object = appliance.state.acl.objects.values().next().value;
  object?.records.clear();
  const [acl] = (await steer('/pending')).reply.pending;
  expect(acl?.count).toBeGreaterThan(5);
  expect(acl?.first).toHaveLength(5);
  for (const name of acl?.first ?? []) expect(name).toMatch(new RegExp(`^${object?.name}: .+ deleted$`));
  expect(appliance.catalogue.map(({ name }) => name)).toEqual(
    expect.arrayContaining((await steer('/pending')).reply.pending.map(({ until }) => until)),
  );
});

test('a reset is a fresh start: state, faults, switches and requests', async () => {
  const { appliance, steer } = await start();
  await fetch(`${appliance.url}/rdpproxy/sessions/12/disconnect`, { method: 'POST' });
  await steer('/faults', 'PUT', slow);
  await steer('/switches', 'PUT', { categoryList: 'B' });
  expect((await steer('/reset', 'POST')).status).toBe(200);
  expect(appliance.state.rdp.sessions.has(12)).toBe(true);
  expect(appliance.state.categories.shape).toBe('A');
  expect(appliance.faults.active()).toEqual([]);
  expect(appliance.requests).toEqual([]);
});

test('a watcher hears of each change', async () => {
  const { appliance, steer } = await start();
  let told = 0;
  const stop = appliance.onChange(() => {
    told += 1;
  });
  const isTold = async (act: () => unknown) => {
    told = 0;
    await act();
    return told > 0;
  };
  expect(await isTold(() => fetch(`${appliance.url}/categories/list`))).toBe(true);
  expect(await isTold(() => steer('/faults', 'PUT', slow))).toBe(true);
  expect(await isTold(() => steer('/faults', 'DELETE'))).toBe(true);
  expect(await isTold(() => steer('/switches', 'PUT', { categoryList: 'B' }))).toBe(true);
  expect(await isTold(() => steer('/reset', 'POST'))).toBe(true);
  stop();
  expect(await isTold(() => steer('/reset', 'POST'))).toBe(false);
});

test('only the main address can be steered, and only by the documented calls', async () => {
  const { appliance, steer } = await start();
  expect((await fetch(`${appliance.urls.web}/_simulator/faults`)).status).toBe(404);
  expect((await steer('/nothing')).status).toBe(404);
  expect((await steer('/constructor')).status).toBe(404);
  expect((await steer('/reset')).status).toBe(405);
  expect((await fetch(`${appliance.url}/_simulated`)).status).toBe(404);
});

/** Sends headers that `fetch` would not. */
function statusWith(
  url: string,
  method: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

test('a page on the Internet cannot steer it, in whosever browser it is open', async () => {
  const { appliance } = await start();
  const reset = `${appliance.url}/_simulator/reset`;
  const { port } = new URL(appliance.url);
  appliance.turn({ categoryList: 'B' });
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { 'sec-fetch-site': 'cross-site' },
    { host: `evil.example:${port}` },
  ]) {
    expect(await statusWith(reset, 'POST', headers)).toBe(403);
  }
  expect(await statusWith(`${appliance.url}/_simulator/faults`, 'GET', { host: 'evil.example' })).toBe(403);
  expect(await statusWith(reset, 'OPTIONS', { origin: 'https://evil.example' })).toBe(403);
  expect(appliance.state.categories.shape).toBe('B');
  expect(await statusWith(reset, 'POST', { origin: appliance.url, 'sec-fetch-site': 'same-origin' })).toBe(
    200,
  );
  expect(await statusWith(reset, 'POST', { host: `localhost:${port}` })).toBe(200);
});

test('the bare address explains how to steer it, with lines that can be run', async () => {
  const { appliance } = await start();
  const response = await fetch(`${appliance.url}/_simulator`);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const guide = (await response.json()) as ReturnType<typeof JSON.parse>;
  expect(guide.paths).toContain('GET, PUT, DELETE /_simulator/faults');
  expect(guide.kinds.slow).toEqual(kinds.slow);
  expect(guide.try).toHaveLength(4);
  for (const line of guide.try) {
    const [, method, url = '', body] = /^curl -X (\w+) (\S+)(?: -d '(.*)')?$/.exec(line) ?? [];
    const answer = await fetch(url, { method: `${method}`, ...(body !== undefined && { body }) });
    expect({ line, status: answer.status }).toEqual({ line, status: 200 });
  }
});
