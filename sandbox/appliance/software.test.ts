import { expect, test } from 'vitest';
import { appliance, get, pass, withAnAppliance } from './testing.ts';

withAnAppliance();

interface Indexes {
  Softwares: { ProductKey: string; Collection: { KeyVer: number; Version: string }[] }[];
}

async function versionsOf(product: string): Promise<string[]> {
  const { Softwares } = await get<Indexes>('/system/softwares/indexes');
  const found = Softwares.find(({ ProductKey }) => ProductKey === product);
  return found?.Collection.map(({ Version }) => Version) ?? [];
}

test('the collection has several products with several versions', async () => {
  const { Softwares } = await get<Indexes>('/system/softwares/indexes');
  expect(Softwares.length).toBeGreaterThan(5);
  expect(Softwares.every(({ Collection }) => Collection.length > 1)).toBe(true);
  expect(Softwares.find(({ ProductKey }) => ProductKey === 'APP_DNSFW')?.Collection[0]).toEqual({
    KeyVer: 11903,
    Version: '1.19.3',
    Url: 'http://repo.example/softwares/dnsfw/dnsfw-1.19.3.tar.gz',
    SizeBytes: 9_542_042,
    MD5: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test('a refresh is ordered, and shows the new versions when it has downloaded them', async () => {
  expect(await versionsOf('APP_PROXY')).toEqual(['6.9.0', '6.10.0', '6.12.0']);
  expect(await get('/system/softwares/refresh')).toEqual({ Status: true, Info: expect.any(String) });
  pass(2);
  expect(await versionsOf('APP_PROXY')).toHaveLength(3);
  pass(1);
  expect(await versionsOf('APP_PROXY')).toEqual(['6.9.0', '6.10.0', '6.12.0', '7.1.0']);
  appliance.state.software.repository.set('APP_PROXY', []);
  pass(60);
  expect(await versionsOf('APP_PROXY')).toHaveLength(4);
});

test('an installation tells its story in lines, and the state has the version', async () => {
  const reply = await get<{ Traces: string }>('/system/softwares/install/APP_PROXY/61200');
  expect(reply).toMatchObject({ Status: true, Info: 'APP_PROXY 6.12.0 is installed' });
  expect(reply.Traces.split('\n').length).toBeGreaterThan(5);
  expect(reply.Traces).toContain('Replacing version 6.10.0\n');
  expect(appliance.state.software.installed.get('APP_PROXY')).toBe('6.12.0');
});

test.each([
  'APP_AUTHDNS',
  'APP_DNSFW',
  'APP_FTPD',
  'APP_PROXY',
  'APP_RDPPROXY',
  'APP_REVERSE_PROXY',
  'APP_SQLDB',
])('an installation of %s restarts it', async (product) => {
  const row = async () =>
    (await get<{ services: Record<string, { version: string; uptime: number }> }>('/system/services'))
      .services[product];
  expect((await row())?.uptime).toBeGreaterThan(86_400);
  const wanted = appliance.state.software.collection.get(product)?.at(-1);
  const { Traces } = await get<{ Traces: string }>(`/system/softwares/install/${product}/${wanted?.keyVer}`);
  expect(Traces).toContain(`Restarting ${product}\n`);
  pass(60);
  expect(await row()).toMatchObject({ running: 1, version: wanted?.version });
  expect((await row())?.uptime).toBeLessThanOrEqual(60);
});

test('an installation does not restart a stopped service, and does not say so', async () => {
  await get('/ftpd/uninstall');
  for (const what of ['APP_ANTIVIRUS/10401', 'APP_FTPD/10308']) {
    const reply = await get<{ Traces: string }>(`/system/softwares/install/${what}`);
    expect(reply).toMatchObject({ Status: true });
    expect(reply.Traces).not.toContain('Restarting');
  }
  expect(appliance.state.ftpd.process).toBeUndefined();
});

test('the gateway reports the installed version', async () => {
  expect(await get('/rdpproxy/state')).toMatchObject({ State: { installed: 1, version: '10.2.11' } });
  await get('/system/softwares/install/APP_RDPPROXY/90140');
  expect(await get('/rdpproxy/state')).toMatchObject({
    State: { installed: 1, version: '9.1.40', service: 'restarting', open_sessions: 0 },
  });
});

test.each(['APP_NOTHING/61200', 'APP_PROXY/1', 'APP_PROXY/6.12.0', 'APP_PROXY/70100', 'APP_PROXY/061200'])(
  '%s is not in the collection, so nothing is installed',
  async (what) => {
    const before = new Map(appliance.state.software.installed);
    expect(await get(`/system/softwares/install/${what}`)).toMatchObject({
      Status: false,
      Error: expect.stringMatching(/./),
    });
    expect(appliance.state.software.installed).toEqual(before);
  },
);
