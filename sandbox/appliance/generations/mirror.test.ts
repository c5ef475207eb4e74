import { describe, expect, test } from 'vitest';
import { appliance, call, get, pass, withAnAppliance } from '../testing.ts';

withAnAppliance({ generation: 'field-v1' });

const mirror = () => appliance.state.mirror;
const trigger = async (): Promise<unknown> =>
  JSON.parse((await call('/api/sync/trigger', { method: 'POST' })).text);

interface Stats {
  readonly total_files: number;
  readonly total_bytes: number;
  readonly is_running: boolean;
  readonly last_sync_end: string;
}

describe('the numbers of syncs', () => {
  test('are totals since the first start, and not those of the last run', async () => {
    const files = mirror().events.reduce((sum, event) => sum + event.files, 0);
    const failed = mirror().events.reduce((sum, event) => sum + event.failedFiles, 0);
    expect(await get('/api/sync/stats')).toMatchObject({ total_files: files, failed_files: failed });
    expect(await get('/api/status')).toMatchObject({ sync_stats: { total_files: files } });
  });

  test('survive a restart of the service, and grow with each run', async () => {
    const before = await get<Stats>('/api/sync/stats');
    mirror().startedAt = new Date('2026-11-20T12:00:00Z');
    expect(await get<Stats>('/api/sync/stats')).toEqual(before);
    await trigger();
    const planned = mirror().run?.planned.files ?? 0;
    pass(31);
    const after = await get<Stats>('/api/sync/stats');
    expect(after.total_files).toBeGreaterThanOrEqual(before.total_files + planned);
    expect(planned).toBeGreaterThan(0);
  });
});

describe('the verdict on the last run', () => {
  test('is absent when there is no error', async () => {
    expect(await get('/api/sync/stats')).not.toHaveProperty('last_error');
  });

  test('says that the disk became full, until a run succeeds', async () => {
    const { disk } = mirror();
    disk.used = disk.total - 1;
    await trigger();
    pass(31);
    expect(await get('/api/sync/stats')).toMatchObject({
      last_error: 'disk space exceeded during sync',
      is_running: false,
    });
    disk.used = 0;
    await trigger();
    pass(31);
    expect(await get('/api/sync/stats')).not.toHaveProperty('last_error');
  });

  test('covers a run that was refused before it began, too', async () => {
    const { disk, events } = mirror();
    const before = events.length;
    disk.used = disk.total;
    expect(await trigger()).toMatchObject({ status: 'triggered' });
    expect(await get('/api/sync/stats')).toMatchObject({ last_error: expect.any(String), is_running: false });
    expect(mirror().run).toBeUndefined();
    expect(events).toHaveLength(before);
  });
});

test('a triggered sync is reported as started, also while one runs', async () => {
  const started = { status: 'triggered', message: 'Synchronization started' };
  expect(await trigger()).toEqual(started);
  const run = mirror().run;
  expect(run).toBeDefined();
  expect(await trigger()).toEqual(started);
  expect(mirror().run).toBe(run);
});

describe('times', () => {
  test('are zero for never', async () => {
    mirror().events.length = 0;
    expect(await get('/api/sync/stats')).toMatchObject({
      last_sync_start: '0001-01-01T00:00:00Z',
      last_sync_end: '0001-01-01T00:00:00Z',
    });
  });

  test('have a local offset and nanoseconds when they are live, and are the right moment', async () => {
    const { checked_at } = await get<{ checked_at: string }>('/api/updates/check');
    expect(checked_at).toMatch(/^2026-11-20T14:00:00\.\d{9}\+02:00$/);
    expect(new Date(checked_at).getTime()).toBeCloseTo(Date.parse('2026-11-20T12:00:00Z'), -1);
    const [client] = await get<{ last_seen: string }[]>('/api/clients');
    expect(client?.last_seen).toMatch(/\.\d{9}\+02:00$/);
  });

  test('are UTC in events', async () => {
    const { events } = await get<{ events: { date: string }[] }>('/api/console/events?limit=1');
    expect(events[0]?.date).toMatch(/^2026-11-20T[\d:]+Z$/);
  });
});

describe('events', () => {
  test('leave out what is zero', async () => {
    const { events } = await get<{ events: { id: number }[] }>('/api/console/events?limit=30');
    const shown = new Map(events.map((event) => [event.id, event]));
    for (const { id, failedFiles } of mirror().events.slice(-30))
      expect('failed_files' in (shown.get(id) ?? {})).toBe(failedFiles > 0);
    expect(
      mirror()
        .events.slice(-30)
        .some(({ failedFiles }) => failedFiles > 0),
    ).toBe(true);
  });

  test('are null when there are none, and so are their sums', async () => {
    mirror().events.length = 0;
    expect(await get('/api/console/events')).toEqual({ count: 0, events: null });
    expect(await get('/api/console/events/stats')).toEqual({ total_count: 0, stats: null });
    expect(await get('/api/console/events/daily')).toMatchObject({ summary: null });
  });

  test('report an error with HTTP 200 and a lower-case key', async () => {
    const { status, text } = await call('/api/console/events?limit=many');
    expect({ status, reply: JSON.parse(text) }).toEqual({
      status: 200,
      reply: { error: expect.any(String) },
    });
  });
});

describe('from 1.1.1 on', () => {
  const status = () =>
    get<{ updates_available: boolean; disk_error?: string; sync_stats: Stats & { failed_files?: number } }>(
      '/api/status',
    );

  test('a triggered sync waits for the allowed hours', async () => {
    appliance.turn({ mirrorService: 'waiting' });
    expect(await trigger()).toMatchObject({ status: 'triggered' });
    pass(3_600);
    expect((await status()).sync_stats.is_running).toBe(false);
    pass(5 * 3_600);
    expect((await status()).sync_stats.is_running).toBe(true);
  });

  test('files that failed are counted anew with each sync, and the others are not', async () => {
    appliance.turn({ mirrorService: 'current' });
    mirror().failing = 3;
    const before = (await status()).sync_stats.total_files;
    await trigger();
    pass(31);
    const after = (await status()).sync_stats;
    expect(after.failed_files).toBe(3);
    expect(after.total_files).toBeGreaterThan(before);
    mirror().failing = 0;
    await trigger();
    expect((await status()).sync_stats).not.toHaveProperty('failed_files');
  });

  test('the status has one key more, and says that there are no updates when the check failed', async () => {
    expect(await status()).not.toHaveProperty('disk_error');
    appliance.turn({ mirrorService: 'current' });
    expect(await status()).toMatchObject({ disk_error: '', updates_available: true });
    mirror().checkError = 'the repository is unreachable';
    expect(await status()).toMatchObject({ updates_available: false });
    expect((await call('/api/updates/check')).status).toBe(500);
  });
});
