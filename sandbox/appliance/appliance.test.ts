import { afterEach, describe, expect, test } from 'vitest';
import { type SimulatedApplianceSettings, startSimulatedAppliance } from './index.ts';

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of open.splice(0)) await stop();
});

async function start(settings: SimulatedApplianceSettings = {}) {
  const appliance = await startSimulatedAppliance(settings);
  open.push(() => appliance.close());
  return appliance;
}

/** The caller names the parts of the answer that it checks. */
async function get<Reply = unknown>(url: string, headers: Record<string, string> = {}): Promise<Reply> {
  return (await fetch(url, { headers })).json() as Promise<Reply>;
}

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

  test('two appliances share no state', async () => {
    const { url, state } = await start();
    const listed = await get<{ Categories: unknown[] }>(`${url}/categories/list`);
    expect(listed.Categories.length).toBeGreaterThanOrEqual(60);
    state.categories.shape = 'B';
    const keyed = await get<{ categories: Record<string, unknown> }>(`${url}/categories/list`);
    expect(Object.keys(keyed.categories)).toHaveLength(listed.Categories.length);
    expect(keyed.categories['252']).toEqual({
      table: 'category_shopping',
      items: expect.any(Number),
      name: 'shopping',
      description: 'Online shops and auctions',
    });
  });

  test('no ID and no name is given twice', async () => {
    const { state } = await start();
    const all = [...state.categories.all];
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
    expect(state.rdp.sessions.has(12)).toBe(false);
    expect(await post()).toEqual({ Status: false, Error: 'session not found' });
    expect(state.rdp.sessions.size).toBe(14);
  });

  test('an ID that only looks like one finds nobody', async () => {
    const { url, state } = await start();
    for (const id of ['12.0', '0xc', '1e1', '%2012']) {
      const response = await fetch(`${url}/rdpproxy/sessions/${id}/disconnect`, { method: 'POST' });
      expect(await response.json()).toMatchObject({ Status: false });
    }
    expect(state.rdp.sessions.size).toBe(15);
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

  test('each request is in the log, in order', async () => {
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
    first.state.rdp.sessions.clear();
    expect(second.state.rdp.sessions.size).toBe(15);
  });

  test('a body that cannot be read, and a mistake of the simulator itself, are pages with 500', async () => {
    const { url, state } = await start();
    const headers = { 'content-type': 'multipart/form-data' };
    const unreadable = await fetch(`${url}/shell_upload`, { method: 'POST', headers, body: 'x' });
    expect(unreadable.status).toBe(500);
    Object.assign(state, { rdp: undefined });
    const mistaken = await fetch(`${url}/rdpproxy/sessions`);
    expect(mistaken.status).toBe(500);
    expect(await mistaken.text()).toContain('The simulator itself failed: TypeError');
  });

  test('an appliance that cannot have one of its ports opens none', async () => {
    const { urls } = await start();
    const taken = Number(new URL(urls.web).port);
    const free = await start();
    const port = Number(new URL(free.url).port);
    await free.close();
    await expect(startSimulatedAppliance({ port, ports: { mirror: taken } })).rejects.toMatchObject({
      code: 'EADDRINUSE',
      port: taken,
    });
    expect((await start({ port })).url).toBe(free.url);
  });

  test('a stopped appliance is down, and stopping twice does no harm', async () => {
    const appliance = await start();
    await appliance.close();
    await appliance.close();
    await expect(fetch(appliance.url)).rejects.toThrow();
  });
});
