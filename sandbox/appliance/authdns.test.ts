import { expect, test } from 'vitest';
import { appliance, get, pass, withAnAppliance } from './testing.ts';

withAnAppliance();

test('a restart goes on in the background: the server is away, and then counts from zero', async () => {
  const before = await get<{ PID: number }>('/authdns/status');
  expect(before).toMatchObject({ Status: true, State: 'running' });
  expect(await get('/authdns/restart')).toMatchObject({ Status: true });
  pass(4);
  expect(await get('/authdns/status')).toMatchObject({ State: 'restarting', PID: 0 });
  expect(await get('/authdns/statistics')).toMatchObject({ Status: false });
  expect(await get('/authdns/reload')).toMatchObject({ Status: false });
  pass(3);
  const after = await get<{ PID: number }>('/authdns/status');
  expect(after).toMatchObject({ State: 'running', Started: '2026-11-20 12:00:05', Uptime: 2 });
  expect(after.PID).not.toBe(before.PID);
  expect(await get('/authdns/statistics')).toMatchObject({ Statistics: { uptime: 2, udp_queries: 61 } });
});

test('the statistics move with time', async () => {
  const queries = async () =>
    (await get<{ Statistics: { udp_queries: number } }>('/authdns/statistics')).Statistics.udp_queries;
  const before = await queries();
  pass(10);
  expect(await queries()).toBeGreaterThan(before);
});

test('the status shows the time of a reload', async () => {
  await get('/authdns/reload');
  expect(await get('/authdns/status')).toMatchObject({ Reloaded: '2026-11-20 12:00:00' });
});

test('a new domain is listed; the same one in another spelling is refused', async () => {
  const names = async () =>
    (await get<{ Domains: { Name: string }[] }>('/authdns/domains')).Domains.map(({ Name }) => Name);
  expect(await get('/authdns/add/domain/Branch.Example')).toMatchObject({ Status: true });
  expect((await names()).at(-1)).toBe('branch.example');
  for (const name of ['branch.example', 'BRANCH.example.'])
    expect(await get(`/authdns/add/domain/${name}`)).toMatchObject({
      Status: false,
      Error: 'The domain branch.example exists already',
    });
  expect(await names()).toHaveLength(8);
});

test.each([
  'localhost',
  '-a.example',
  'a..example',
  'a%20b.example',
  'a%2Fb.example',
  `${'a'.repeat(64)}.example`,
])('%s is no domain', async (name) => {
  expect(await get(`/authdns/add/domain/${name}`)).toMatchObject({ Status: false });
  expect(appliance.state.authdns.domains.size).toBe(7);
});
