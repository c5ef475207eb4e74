import { request } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { type Fault, type SimulatedApplianceSettings, startSimulatedAppliance } from './index.ts';

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of open.splice(0)) await stop();
});

async function start(settings: SimulatedApplianceSettings = {}) {
  const appliance = await startSimulatedAppliance(settings);
  open.push(() => appliance.stop());
  return appliance;
}

/** The caller names the parts of the answer it goes on to check. */
async function get<Reply = unknown>(url: string, headers: Record<string, string> = {}): Promise<Reply> {
  return (await fetch(url, { headers })).json() as Promise<Reply>;
}

const listSessions = 'GET /rdpproxy/sessions';
const disconnect = 'POST /rdpproxy/sessions/{id}/disconnect';

describe('categories', () => {
  test('example.com is in exactly one category, and example.org in none', async () => {
    const { url } = await start();
    expect(await get(`${url}/categories/query/example.com`)).toEqual({
      Status: true,
      Info: '1 category',
      Error: '',
      Categories: [
        {
          table_name: 'category_shopping',
          category_name: 'shopping',
          category_id: 252,
          rpz_enabled: 0,
          rpz_action: 0,
          rpz_redirect: '',
        },
      ],
    });
    expect(await get(`${url}/categories/query/example.org`)).toEqual({
      Status: false,
      Info: '0 categories',
      Error: '',
      Categories: [],
    });
  });

  test('a domain can be in two categories, and is found by the domain above it, in any case', async () => {
    const { url } = await start();
    const reply = await get<{ Categories: { category_name: string }[] }>(
      `${url}/categories/query/WWW.Reddit.com.`,
    );
    expect(reply.Categories.map((one) => one.category_name)).toEqual(['forums', 'social_networks']);
    expect(await get(`${url}/categories/query/notexample.com`)).toMatchObject({ Status: false });
  });

  test('the list has both documented shapes', async () => {
    const { url, state } = await start();
    const listed = await get<{ Categories: unknown[] }>(`${url}/categories/list`);
    expect(listed.Categories.length).toBeGreaterThanOrEqual(60);
    state.categoryShape = 'B';
    const keyed = await get<{ categories: Record<string, unknown> }>(`${url}/categories/list`);
    expect(Object.keys(keyed.categories)).toHaveLength(listed.Categories.length);
    expect(keyed.categories['252']).toEqual({
      table: 'category_shopping',
      items: 8,
      name: 'shopping',
      description: 'Online shops and auctions',
    });
  });

  test('no ID and no name is given twice', async () => {
    const { state } = await start();
    const all = [...state.categories];
    expect(new Set(all.map(([, { name }]) => name)).size).toBe(all.length);
    expect(all.every(([id, category]) => id === category.id)).toBe(true);
    expect(all.reduce((sum, [, { sites }]) => sum + sites.size, 0)).toBeGreaterThan(300);
  });
});

describe('remote-desktop sessions', () => {
  test('fifteen are open, told by the clock', async () => {
    const { url } = await start({ clock: () => new Date('2026-11-20T12:00:00Z') });
    const { Sessions } = await get<{ Sessions: { id: number }[] }>(`${url}/rdpproxy/sessions`);
    expect(Sessions).toHaveLength(15);
    expect(Sessions.find(({ id }) => id === 12)).toEqual({
      id: 12,
      username: 'bob.miller',
      target: 'srv-files-01',
      client_ip: '10.20.6.71',
      protocol: 'rdp',
      started_at: '2026-11-20T11:13:00Z',
    });
  });

  test('a session is disconnected once; then it is not found', async () => {
    const { url, state } = await start();
    const post = async () =>
      (await fetch(`${url}/rdpproxy/sessions/12/disconnect`, { method: 'POST' })).json();
    expect(await post()).toEqual({ Status: true, Error: '' });
    expect(state.sessions.has(12)).toBe(false);
    expect(await post()).toEqual({ Status: false, Error: 'session not found' });
    expect(state.sessions.size).toBe(14);
  });

  test('an ID that only looks like one finds nobody', async () => {
    const { url, state } = await start();
    for (const id of ['12.0', '0xc', '1e1', '%2012']) {
      const response = await fetch(`${url}/rdpproxy/sessions/${id}/disconnect`, { method: 'POST' });
      expect(await response.json()).toMatchObject({ Status: false });
    }
    expect(state.sessions.size).toBe(15);
  });

  test('want the key, where one is set; the other calls do not', async () => {
    const { url, requests } = await start({ key: 'sesame-4711' });
    expect((await fetch(`${url}/rdpproxy/sessions`)).status).toBe(403);
    expect((await fetch(`${url}/rdpproxy/sessions`, { headers: { 'x-auth-token': 'other' } })).status).toBe(
      403,
    );
    expect(await get(`${url}/rdpproxy/sessions`, { 'X-Auth-Token': 'sesame-4711' })).toMatchObject({
      Status: true,
    });
    expect((await fetch(`${url}/categories/list`)).status).toBe(200);
    expect(requests[2]?.headers['x-auth-token']).toBe('[hidden]');
    expect(JSON.stringify(requests)).not.toContain('sesame');
  });
});

describe('everything else', () => {
  test.each([
    ['GET', '/nothing'],
    ['GET', '/rdpproxy/sessions/12/disconnect'],
    ['POST', '/categories/list'],
    ['GET', '/categories/query/%E0%A4%A'],
  ])('%s %s is a page with 404', async (method, path) => {
    const { url } = await start();
    const response = await fetch(url + path, { method });
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('<h1>404 Not Found</h1>');
  });

  test('what arrived is in the log, in order', async () => {
    const at = new Date('2026-11-20T12:00:00Z');
    const { url, requests } = await start({ clock: () => at });
    await fetch(`${url}/categories/list?x=1`);
    await fetch(`${url}/rdpproxy/sessions/3/disconnect`, { method: 'POST' });
    expect(requests).toMatchObject([
      { method: 'GET', path: '/categories/list?x=1', at },
      { method: 'POST', path: '/rdpproxy/sessions/3/disconnect', at },
    ]);
  });

  test('two appliances know nothing of each other', async () => {
    const [first, second] = [await start(), await start()];
    first.state.sessions.clear();
    expect(second.state.sessions.size).toBe(15);
  });

  test('a stopped appliance is down, and stopping twice does no harm', async () => {
    const appliance = await start();
    await appliance.stop();
    await appliance.stop();
    await expect(fetch(appliance.url)).rejects.toThrow();
  });
});

describe('faults', () => {
  async function disconnectUnder(fault: Fault) {
    const appliance = await start();
    appliance.faults.set(disconnect, fault);
    const answer = fetch(`${appliance.url}/rdpproxy/sessions/12/disconnect`, { method: 'POST' });
    return { appliance, answer, gone: () => !appliance.state.sessions.has(12) };
  }

  test.each<[Fault, number, RegExp]>([
    [{ kind: 'slow', ms: 30 }, 200, /^\{"Status":true/],
    [{ kind: 'empty' }, 200, /^$/],
    [{ kind: 'broken_json' }, 200, /^\{"Status":true[^}]*$/],
    [{ kind: 'html' }, 200, /<html>/],
    [{ kind: 'huge', bytes: 300_000 }, 200, /^\{"Status":true,"Info":"x+"\}$/],
  ])('$kind: the answer suffers, but the order is carried out', async (fault, status, text) => {
    const { answer, gone } = await disconnectUnder(fault);
    const response = await answer;
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(text);
    expect(gone()).toBe(true);
  });

  test.each<[Fault, number, RegExp]>([
    [{ kind: 'status' }, 500, /500 Internal Server Error/],
    [{ kind: 'status', status: 404 }, 404, /404 Not Found/],
    [{ kind: 'forget' }, 200, /^\{"Status":true/],
    [
      { kind: 'refuse', error: 'database is locked' },
      200,
      /^\{"Status":false,"Error":"database is locked"\}$/,
    ],
    [{ kind: 'empty', happens: false }, 200, /^$/],
  ])('%j: the order is not carried out', async (fault, status, text) => {
    const { answer, gone } = await disconnectUnder(fault);
    const response = await answer;
    expect(response.status).toBe(status);
    expect(await response.text()).toMatch(text);
    expect(gone()).toBe(false);
  });

  test('reset: the connection breaks in the middle of the answer', async () => {
    const { answer, gone } = await disconnectUnder({ kind: 'reset' });
    await expect(answer.then((response) => response.text())).rejects.toThrow();
    expect(gone()).toBe(true);
  });

  test('hang: nothing comes, until the appliance is stopped', async () => {
    const { appliance, answer, gone } = await disconnectUnder({ kind: 'hang' });
    await expect.poll(gone).toBe(true);
    await appliance.stop();
    await expect(answer).rejects.toThrow();
  });

  test('huge: ten million bytes, unless told otherwise', async () => {
    const { url, faults } = await start();
    faults.set(listSessions, { kind: 'huge' });
    expect((await (await fetch(`${url}/rdpproxy/sessions`)).text()).length).toBeGreaterThan(10_000_000);
  });

  test('huge: a reader who leaves is not written to for ever', async () => {
    const { url, faults } = await start();
    faults.set(listSessions, { kind: 'huge' });
    await new Promise<void>((resolve) => {
      const call = request(`${url}/rdpproxy/sessions`, (response) => {
        response.once('data', () => call.destroy());
        response.once('close', resolve);
      });
      call.end();
    });
    faults.clear();
    expect(await get(`${url}/rdpproxy/sessions`)).toMatchObject({ Status: true });
  });

  test('a fault lasts as many times as asked, or until it is cleared', async () => {
    const { url, faults } = await start();
    const status = async () => (await fetch(`${url}/rdpproxy/sessions`)).status;
    faults.set(listSessions, { kind: 'status', times: 2 });
    expect([await status(), await status(), await status()]).toEqual([500, 500, 200]);
    faults.set(listSessions, { kind: 'status', status: 503 });
    expect([await status(), await status()]).toEqual([503, 503]);
    faults.clear(listSessions);
    expect(await status()).toBe(200);
  });

  test('a misspelt operation is told at once', async () => {
    const { faults } = await start();
    expect(() => faults.set('POST /rdpproxy/session/{id}/disconnect', { kind: 'hang' })).toThrow(RangeError);
  });
});
