import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SimulatedAppliance, startSimulatedAppliance } from './index.ts';

const now = new Date('2026-11-20T12:00:00Z');
let appliance: SimulatedAppliance;

beforeEach(async () => {
  appliance = await startSimulatedAppliance({ clock: () => now });
});

afterEach(() => appliance.close());

/** The caller names the parts of the answer that it checks. */
async function call<Reply = unknown>(path: string, init?: RequestInit): Promise<Reply> {
  return (await fetch(appliance.url + path, init)).json() as Promise<Reply>;
}

function send(method: 'PUT' | 'POST', path: string, fields: Record<string, string>) {
  return call(path, { method, body: new URLSearchParams(fields) });
}

async function categoriesOf(site: string): Promise<string[]> {
  const { Categories } = await call<{ Categories: { category_name: string }[] }>(`/categories/query/${site}`);
  return Categories.map(({ category_name }) => category_name);
}

/** How far a site has come in category 207, personal_allowed. */
function stages(site: string): string[] {
  const category = appliance.state.categories.all.get(207);
  return (['sites', 'compiled', 'live'] as const).filter((stage) => category?.[stage].has(site));
}

test('thousands of sites are in the categories, the same ones in every appliance', async () => {
  const other = await startSimulatedAppliance();
  try {
    expect(other.state.categories).toEqual(appliance.state.categories);
  } finally {
    await other.close();
  }
  const all = [...appliance.state.categories.all.values()];
  expect(all.length).toBeGreaterThanOrEqual(60);
  expect(all.reduce((sum, { sites }) => sum + sites.size, 0)).toBeGreaterThan(5000);
});

describe('a site', () => {
  test('is found when it is added, but live only after its category and the rules are compiled', async () => {
    expect(await call('/categories/207/partner.example.org')).toMatchObject({ Status: true });
    expect(await categoriesOf('partner.example.org')).toEqual(['personal_allowed']);
    expect(stages('partner.example.org')).toEqual(['sites']);
    await call('/webfilter/rules/compile');
    expect(stages('partner.example.org')).toEqual(['sites']);
    expect(await call('/categories/207/compile')).toEqual({
      status: true,
      info: expect.stringContaining('personal_allowed'),
    });
    expect(stages('partner.example.org')).toEqual(['sites', 'compiled']);
    await call('/webfilter/rules/compile');
    expect(stages('partner.example.org')).toEqual(['sites', 'compiled', 'live']);
    await call('/categories/207/later.example.org');
    expect(stages('later.example.org')).toEqual(['sites']);
  });

  test('stays live until then when it is deleted', async () => {
    await call('/categories/delete/207/intranet.northwind.example');
    expect(await categoriesOf('intranet.northwind.example')).toEqual([]);
    expect(stages('intranet.northwind.example')).toEqual(['compiled', 'live']);
    await call('/categories/207/compile');
    await call('/webfilter/rules/compile');
    expect(stages('intranet.northwind.example')).toEqual([]);
  });

  test('is added although another category has it, and the answer says so', async () => {
    expect(await call('/categories/207/example.com')).toMatchObject({
      Status: true,
      Info: 'example.com is added to personal_allowed; it is in shopping too',
    });
    expect(await categoriesOf('example.com')).toEqual(['personal_allowed', 'shopping']);
  });

  test('is moved; where it was not in the first category, it is still forced into the second', async () => {
    await call('/categories/move/252/example.com/207');
    expect(await categoriesOf('example.com')).toEqual(['personal_allowed']);
    expect(await call('/categories/move/252/new.example.org/207')).toMatchObject({ Status: true });
    expect(await categoriesOf('new.example.org')).toEqual(['personal_allowed']);
  });

  test('is a domain name in any case, an international one or an address', async () => {
    for (const site of ['Partner.Example.ORG.', 'münchen.de', '10.9.8.7', '2001:db8::7'])
      await call(`/categories/207/${encodeURIComponent(site)}`);
    expect([...(appliance.state.categories.all.get(207)?.sites ?? [])].slice(-4)).toEqual([
      'partner.example.org',
      'xn--mnchen-3ya.de',
      '10.9.8.7',
      '2001:db8::7',
    ]);
    for (const asked of ['www.PARTNER.example.org.', 'www.münchen.de', 'XN--MNCHEN-3YA.de', '2001:DB8::7'])
      expect(await categoriesOf(encodeURIComponent(asked)), asked).toContain('personal_allowed');
    expect(await categoriesOf('no%20site')).toEqual([]);
  });
});

describe('many sites', () => {
  test('are added with `quick`, compiled and applied at once', async () => {
    const reply = await send('PUT', '/categories/quick/207', {
      items: 'a.example.org, b.example.org,not a site',
    });
    expect(reply).toEqual({
      Status: true,
      Error: '',
      Info: '2 sites added to personal_allowed and live; 1 left out',
    });
    for (const site of ['a.example.org', 'b.example.org'])
      expect(stages(site)).toEqual(['sites', 'compiled', 'live']);
  });

  test('are added line by line, and counted under a name that no document shows', async () => {
    const sites = 'a.example.org\nexample.com\n\nA.example.org\r\nnonsense\nintranet.northwind.example';
    expect(await send('POST', '/categories/207/add', { sites })).toEqual({ status: true, pushed: 2 });
    expect(stages('a.example.org')).toEqual(['sites']);
    // No other category is looked at.
    expect(await categoriesOf('example.com')).toEqual(['personal_allowed', 'shopping']);
  });

  test('by the ten thousand are all there', async () => {
    const sites = Array.from({ length: 10_000 }, (_, index) => `host-${index}.bulk.example`);
    expect(await send('POST', '/categories/207/add', { sites: sites.join('\n') })).toEqual({
      status: true,
      pushed: 10_000,
    });
    const quick = sites.map((site) => `quick-${site}`);
    await send('PUT', '/categories/quick/207', { items: quick.join(',') });
    expect(stages('host-9999.bulk.example')).toEqual(['sites', 'compiled', 'live']);
    expect(stages('quick-host-9999.bulk.example')).toEqual(['sites', 'compiled', 'live']);
  });
});

test('a created category is empty, has an ID of its own, and takes sites', async () => {
  const fields = { name: 'Travel agencies', description: 'Approved by purchasing' };
  expect(await send('PUT', '/categories/create', fields)).toMatchObject({ Status: true, category_id: 297 });
  await call('/categories/297/voyages.example.org');
  appliance.state.categories.shape = 'B';
  const { categories } = await call<{ categories: Record<string, object> }>('/categories/list');
  expect(categories['297']).toEqual({
    table: 'category_travel_agencies',
    items: 1,
    name: 'Travel agencies',
    description: 'Approved by purchasing',
  });
  expect(await send('PUT', '/categories/create', { ...fields, name: 'TRAVEL agencies' })).toMatchObject({
    Status: false,
    Error: 'There is a category TRAVEL agencies already',
  });
});

test('a backup is recorded with what it holds', async () => {
  expect(await call('/categories/backup')).toMatchObject({ Status: true });
  expect(appliance.state.categories.backups).toEqual([
    {
      at: now,
      folder: '/home/appliance/backup-categories',
      categories: appliance.state.categories.all.size,
      sites: [...appliance.state.categories.all.values()].reduce((sum, { sites }) => sum + sites.size, 0),
    },
  ]);
});

test.each([
  ['GET', '/categories/999/a.example.org', 'No category has the ID 999'],
  ['GET', '/categories/252x/a.example.org', 'No category has the ID 252x'],
  ['GET', '/categories/0252/a.example.org', 'No category has the ID 0252'],
  ['GET', '/categories/252/nonsense', 'nonsense is not a domain name and not an IP address'],
  ['GET', '/categories/252/1.2.3', '1.2.3 is not a domain name and not an IP address'],
  ['GET', '/categories/delete/252/a.example.org', 'a.example.org is not in shopping'],
  ['GET', '/categories/move/252/example.com/999', 'No category has the ID 999'],
  ['PUT', '/categories/quick/252', 'No sites were sent'],
  ['PUT', '/categories/create', 'A category needs a name'],
])('%s %s is refused: %s', async (method, path, reason) => {
  const before = structuredClone(appliance.state.categories);
  expect(await call(path, { method })).toMatchObject({ Status: false, Error: reason });
  expect(appliance.state.categories).toEqual(before);
});

test('the calls with the ID in front refuse in lower case', async () => {
  const unknown = { status: false, info: 'No category has the ID 999' };
  expect(await call('/categories/999/compile')).toEqual(unknown);
  expect(await send('POST', '/categories/999/add', { sites: 'a.example.org' })).toEqual(unknown);
  expect(await send('POST', '/categories/252/add', { sites: 'nonsense' })).toMatchObject({ status: false });
});
