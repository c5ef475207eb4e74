import { expect, test } from 'vitest';
import { startSimulatedAppliance } from './index.ts';
import { appliance, get, now, pass, withAnAppliance } from './testing.ts';

withAnAppliance();

interface Events {
  count: number;
  events: { id: number; date: string; repository_name: string; failed_files: number; num_files: number }[];
}

const trigger = async () => (await fetch(`${appliance.url}/api/sync/trigger`, { method: 'POST' })).json();
const syncStats = () => get<{ total_files: number }>('/api/sync/stats');

test('a sync that is triggered counts its files for half a minute and leaves an event', async () => {
  const before = await get<Events>('/api/console/events?limit=1');
  const { total_files: total } = await syncStats();
  expect(await syncStats()).toMatchObject({ is_running: false, last_sync_end: before.events[0]?.date });
  expect(await trigger()).toMatchObject({ status: true });
  expect(await syncStats()).toMatchObject({ is_running: true, total_files: total });
  pass(10);
  const early = (await syncStats()).total_files;
  pass(10);
  expect((await syncStats()).total_files).toBeGreaterThan(early);
  expect(await trigger()).toEqual({ status: false, info: 'A sync is already running' });
  expect(await get<Events>('/api/console/events?limit=1')).toEqual(before);
  pass(3600);
  expect(await get('/api/status')).toMatchObject({
    status: 'idle',
    updates_available: false,
    sync_stats: {
      is_running: false,
      last_sync_start: '2026-11-20T12:00:00Z',
      last_sync_end: '2026-11-20T12:00:30Z',
      last_sync_duration: '30s',
    },
  });
  const after = await get<Events>('/api/console/events?limit=1');
  expect(after.events[0]).toMatchObject({
    id: (before.events[0]?.id ?? 0) + 1,
    date: '2026-11-20T12:00:30Z',
    num_files: (await syncStats()).total_files - total,
  });
  expect(await trigger()).toMatchObject({ status: true });
});

test('the status has every documented field, and its numbers move with time', async () => {
  const status = await get<{ server_stats: { total_requests: number }; clients: { last_seen: string }[] }>(
    '/api/status',
  );
  expect(Object.keys(status)).toEqual([
    'status',
    'uptime',
    'version',
    'sync_stats',
    'server_stats',
    'disk_space',
    'updates_available',
    'repository_size_bytes',
    'clients',
  ]);
  expect(status).toMatchObject({ uptime: '295h12m0s', server_stats: { active_clients: 6 } });
  expect(status.clients[0]).toEqual({
    ip: '10.20.4.2',
    hostname: 'appliance-hq-01',
    first_seen: '2026-11-08T12:00:00Z',
    last_seen: '2026-11-20T11:59:56Z',
    request_count: 48_211,
    bytes_received: 61_220_000_000,
  });
  pass(60);
  const clients = await get<{ last_seen: string; request_count: number }[]>('/api/clients');
  expect(clients[0]).toMatchObject({ last_seen: '2026-11-20T12:00:56Z', request_count: 48_214 });
  const { total_requests } = await get<{ total_requests: number }>('/api/server/stats');
  expect(total_requests).toBeGreaterThan(status.server_stats.total_requests);
  expect(await get('/api/updates/check')).toEqual({
    updates_available: true,
    checked_at: '2026-11-20T12:01:00Z',
  });
  expect(await get('/api/health')).toMatchObject({ status: true });
});

test('the disk fills by the size of each sync', async () => {
  const disk = () => get<{ total_bytes: number; used_bytes: number; free_bytes: number }>('/api/disk');
  const before = await disk();
  expect(before.used_bytes + before.free_bytes).toBe(before.total_bytes);
  await trigger();
  pass(30);
  expect((await disk()).used_bytes - before.used_bytes).toBe(appliance.state.mirror.events.at(-1)?.bytes);
});

test('thirty days of history and today: newest first, a hundred unless told otherwise, by repository when asked', async () => {
  expect(await get('/api/console/events')).toMatchObject({ count: 100 });
  const { count, events } = await get<Events>('/api/console/events?limit=100000');
  expect(count).toBe(events.length);
  expect(count).toBe(786);
  expect(events.map(({ date }) => date)).toEqual(
    events
      .map(({ date }) => date)
      .toSorted()
      .toReversed(),
  );
  expect(events.at(-1)?.date.slice(0, 10)).toBe('2026-10-21');
  expect(events.filter(({ failed_files }) => failed_files > 0).length).toBeGreaterThan(20);
  const filtered = await get<Events>('/api/console/events?limit=5&repository=debian-main');
  expect(filtered.events.map(({ repository_name }) => repository_name)).toEqual(Array(5).fill('debian-main'));
  expect(await get('/api/console/events?repository=none')).toEqual({ count: 0, events: [] });
});

test('syncs go on by schedule without anybody looking', async () => {
  const other = await startSimulatedAppliance({ clock: () => now });
  try {
    await trigger();
    await fetch(`${other.url}/api/sync/trigger`, { method: 'POST' });
    for (let hour = 0; hour < 96; hour += 1) {
      pass(3600);
      await get('/api/health');
    }
    expect(await get('/api/status')).toMatchObject({ status: 'idle', updates_available: false });
    const { count, events } = await get<Events>('/api/console/events?limit=100000');
    expect(count).toBe(786 + 1 + 4 * 26);
    expect(events.map(({ id }) => id)).toEqual(Array.from({ length: count }, (_, index) => count - index));
    expect(events.map(({ date }) => date)).toEqual(
      events
        .map(({ date }) => date)
        .toSorted()
        .toReversed(),
    );
    expect(Date.parse(events[0]?.date ?? '')).toBeGreaterThan(now.getTime() - 3 * 3_600_000);
    expect(await get('/api/console/events/daily?days=2')).toMatchObject({
      summary: [{ date: '2026-11-24' }, { date: '2026-11-23', sync_count: 26 }],
    });
    const atOnce = await fetch(`${other.url}/api/console/events?limit=100000`);
    expect(await atOnce.json()).toEqual({ count, events });
  } finally {
    await other.close();
  }
});

test('the disk is never more than full, however long syncs go on', async () => {
  pass(3 * 365 * 86_400);
  expect(await get('/api/disk')).toMatchObject({ free_bytes: 0, used_percent: 100 });
});

test('its version is the installed one, and an installation starts it anew', async () => {
  expect(await get('/api/health')).toMatchObject({ version: '1.8.2', uptime: '295h12m0s' });
  await trigger();
  await get('/system/softwares/install/APP_MIRROR/10900');
  pass(31);
  expect(await get('/api/status')).toMatchObject({ status: 'idle', version: '1.9.0', uptime: '31s' });
});

test('the totals by repository and by day are those of the events', async () => {
  const { total_count, stats } = await get<{ total_count: number; stats: { total_syncs: number }[] }>(
    '/api/console/events/stats',
  );
  expect(stats).toHaveLength(6);
  expect(stats.reduce((sum, { total_syncs }) => sum + total_syncs, 0)).toBe(total_count);
  expect(Object.keys(stats[0] ?? {})).toEqual([
    'repository_name',
    'total_syncs',
    'total_files',
    'total_size',
    'total_failed',
    'avg_duration_ms',
    'last_sync',
  ]);
  const daily = await get<{ days: number; summary: { date: string; sync_count: number }[] }>(
    '/api/console/events/daily?days=3',
  );
  expect(daily.days).toBe(3);
  expect(daily.summary.map(({ date }) => date)).toEqual(['2026-11-20', '2026-11-19', '2026-11-18']);
  expect(daily.summary[1]?.sync_count).toBe(26);
});

test.each(['events?limit=0', 'events?limit=-1', 'events?limit=ten', 'events/daily?days=1.5'])(
  '%s is refused',
  async (query) => {
    expect(await get(`/api/console/${query}`)).toMatchObject({ status: false, info: expect.any(String) });
  },
);

test('the console events are answered at their own address, and nothing else there', async () => {
  const { urls } = appliance;
  expect((await fetch(`${urls.mirrorConsole}/api/console/events`)).status).toBe(200);
  expect((await fetch(`${urls.mirrorConsole}/api/health`)).status).toBe(404);
  expect((await fetch(`${urls.mirror}/api/health`)).status).toBe(200);
  expect((await fetch(`${urls.mirror}/api/console/events`)).status).toBe(404);
});
