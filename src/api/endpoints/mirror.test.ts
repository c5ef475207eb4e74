import nock from 'nock';
import { afterAll, describe, expect, test } from 'vitest';
import { onlyNockAnswers } from '../../../test/nock.ts';
import { connectAppliance } from '../client.ts';

const url = 'http://192.0.2.10:9503';
const mirrorUrl = 'http://192.0.2.10:9090';
const consoleUrl = 'http://192.0.2.10:8081';
const appliance = connectAppliance({ name: 'lab', url, mirrorUrl, release: '4.50 SP5' });
const { mirror } = appliance;

onlyNockAnswers();
afterAll(() => appliance.close());

const answers = (path: string, body: nock.Body) => nock(mirrorUrl).get(path).reply(200, body);
const tellsConsole = (path: string, body: nock.Body) => nock(consoleUrl).get(path).reply(200, body);

const client = {
  ip: '10.20.6.71',
  hostname: 'branch-01',
  first_seen: '2026-10-01T06:00:00Z',
  last_seen: '2026-11-20T08:15:00.123456789+01:00',
  request_count: 412,
  bytes_received: 9_000_000_000,
};
const typedClient = {
  ip: '10.20.6.71',
  hostname: 'branch-01',
  firstSeen: new Date('2026-10-01T06:00:00Z'),
  lastSeen: new Date('2026-11-20T07:15:00.123Z'),
  requestCount: 412,
  bytesReceived: 9_000_000_000,
};

describe('the status', () => {
  test('every documented field is typed, and its status is a word', async () => {
    answers('/api/status', {
      status: 'healthy',
      uptime: '295h12m4s',
      version: '1.4.2',
      sync_stats: {
        ...{ total_files: 240, total_bytes: 81_234, failed_files: 1, is_running: false },
        ...{ last_sync_start: '2026-11-20T06:00:00Z', last_sync_end: '2026-11-20T06:00:41Z' },
        last_sync_duration: '41.25s',
      },
      server_stats: { total_requests: 412, total_bytes_sent: 9_000, active_clients: 3 },
      disk_space: { total_bytes: 1_000, used_bytes: 415, free_bytes: 585, used_percent: 41.5 },
      updates_available: true,
      repository_size_bytes: 400,
      clients: [client],
    });
    expect(await mirror.status()).toEqual({
      status: 'healthy',
      uptime: '295h12m4s',
      version: '1.4.2',
      syncStats: {
        ...{ totalFiles: 240, totalBytes: 81_234, failedFiles: 1, isRunning: false },
        lastSyncStart: new Date('2026-11-20T06:00:00Z'),
        lastSyncEnd: new Date('2026-11-20T06:00:41Z'),
        lastSyncDuration: '41.25s',
      },
      serverStats: { totalRequests: 412, totalBytesSent: 9_000, activeClients: 3 },
      diskSpace: { totalBytes: 1_000, usedBytes: 415, freeBytes: 585, usedPercent: 41.5 },
      updatesAvailable: true,
      repositorySizeBytes: 400,
      clients: [typedClient],
    });
  });

  test.each<[string | null, object]>([
    ['0001-01-01T00:00:00Z', { hasNeverSynced: true }],
    ['1970-01-01T00:00:00Z', { hasNeverSynced: true }],
    ['', {}],
    [null, {}],
  ])('a last sync at %j tells %j', async (at, told) => {
    answers('/api/status', {
      status: 'ok',
      sync_stats: { last_sync_start: at, last_sync_end: at, is_running: 'False' },
    });
    expect(await mirror.status()).toEqual({ status: 'ok', syncStats: { isRunning: false, ...told } });
  });

  test('a moment without a time zone is not guessed, and loses nothing else', async () => {
    answers('/api/status', {
      status: 'healthy',
      sync_stats: { last_sync_end: '2026-11-20 06:00:41', total_files: 240 },
      disk_space: 'n/a',
      server_stats: { Active_Clients: 'three' },
      clients: [{ ...client, last_seen: 'today' }],
    });
    const { lastSeen, ...others } = typedClient;
    expect(await mirror.status()).toEqual({
      status: 'healthy',
      syncStats: { totalFiles: 240, unread: { last_sync_end: '2026-11-20 06:00:41' } },
      serverStats: { unread: { active_clients: 'three' } },
      clients: [{ ...others, unread: { last_seen: 'today' } }],
      unread: { disk_space: 'n/a' },
    });
  });

  test('unreadable clients are not silently left out of the status', async () => {
    answers('/api/status', { status: 'healthy', clients: [{ hostname: 'branch-02' }, 7] });
    expect(await mirror.status()).toEqual({
      status: 'healthy',
      unread: { clients: '[{"hostname":"branch-02"},7]' },
    });
  });

  test('an answer of odd fields only is no status', async () => {
    answers('/api/status', { updates_available: 'perhaps' });
    await expect(mirror.status()).rejects.toMatchObject({ code: 'unexpected_reply' });
  });

  test('an answer about something else is no status', async () => {
    answers('/api/status', { hello: 'world' });
    await expect(mirror.status()).rejects.toMatchObject({ code: 'unexpected_reply' });
  });

  test('the health word is reported and refuses nothing', async () => {
    answers('/api/health', { status: 'healthy', uptime: '12h' });
    expect(await mirror.health()).toMatchObject({ fields: { status: 'healthy', uptime: '12h' } });
  });

  test('a false of the envelope is a refusal', async () => {
    answers('/api/health', { status: false, info: 'starting' });
    await expect(mirror.health()).rejects.toMatchObject({ code: 'refused', reason: 'starting' });
  });
});

test.each<[string, nock.Body]>([
  ['a bare array', [client]],
  ['an object around it', { clients: [client] }],
])('the clients come out of %s', async (_, body) => {
  answers('/api/clients', body);
  expect(await mirror.listClients()).toEqual([typedClient]);
});

test.each([null, '0001-01-01T00:00:00Z', '1970-01-01T00:00:00Z'])(
  'the moment %j means never, in any field',
  async (never) => {
    answers('/api/clients', [{ ip: '10.20.6.71', first_seen: never, last_seen: never }]);
    expect(await mirror.listClients()).toStrictEqual([{ ip: '10.20.6.71' }]);
    answers('/api/updates/check', { updates_available: false, checked_at: never });
    expect(await mirror.checkUpdates()).toStrictEqual({ updatesAvailable: false });
    tellsConsole('/api/console/events/stats', { stats: [{ repository_name: 'core', last_sync: never }] });
    expect(await mirror.eventStats()).toStrictEqual({ repositories: [{ repository: 'core' }] });
    tellsConsole('/api/console/events', { events: [{ id: 9, date: never }] });
    expect(await mirror.listEvents()).toStrictEqual({ events: [{ id: 9 }] });
  },
);

test('a client without an address is not left out', async () => {
  answers('/api/clients', [client, { hostname: 'branch-02' }]);
  expect(await mirror.listClients()).toEqual([typedClient, { hostname: 'branch-02' }]);
});

test('the check for updates includes its time', async () => {
  answers('/api/updates/check', { updates_available: 'False', checked_at: '2026-11-20T08:15:00Z' });
  expect(await mirror.checkUpdates()).toEqual({
    updatesAvailable: false,
    checkedAt: new Date('2026-11-20T08:15:00Z'),
  });
});

test.each([
  ['syncStats', '/api/sync/stats'],
  ['serverStats', '/api/server/stats'],
  ['disk', '/api/disk'],
] as const)('%s reports whatever %s says', async (call, path) => {
  answers(path, { total_bytes: 5, is_running: true });
  expect(await mirror[call]()).toMatchObject({ fields: { total_bytes: '5', is_running: 'true' } });
});

test('a sync is triggered by POST', async () => {
  nock(mirrorUrl).post('/api/sync/trigger').reply(200, { status: 'started' });
  expect(await mirror.triggerSync()).toEqual({ confirmed: false, info: '' });
});

describe('the events, at the port of the console', () => {
  test('are requested by number and repository', async () => {
    tellsConsole('/api/console/events?limit=2&repository=appliance+core', {
      count: 1,
      events: [
        {
          ...{ id: 9, date: '2026-11-20T06:00:41Z', repository_name: 'appliance core' },
          ...{ num_files: 240, num_size: 81_234, duration_ms: 41_250, failed_files: 1 },
        },
      ],
    });
    expect(await mirror.listEvents({ limit: 2, repository: 'appliance core' })).toEqual({
      count: 1,
      events: [
        {
          ...{ id: 9, date: new Date('2026-11-20T06:00:41Z'), repository: 'appliance core' },
          ...{ files: 240, bytes: 81_234, durationMs: 41_250, failedFiles: 1 },
        },
      ],
    });
  });

  test('are requested without a filter by default', async () => {
    tellsConsole('/api/console/events', { Count: '0', Events: null });
    expect(await mirror.listEvents()).toEqual({ count: 0, events: [] });
  });

  test('are summed up by repository', async () => {
    tellsConsole('/api/console/events/stats', {
      total_count: 12,
      stats: [
        {
          ...{ repository_name: 'core', total_syncs: 12, total_files: 2_880, total_size: 9_000 },
          ...{ avg_duration_ms: 40_000.5, total_failed: 2, last_sync: '2026-11-20T06:00:41Z' },
        },
      ],
    });
    expect(await mirror.eventStats()).toEqual({
      totalCount: 12,
      repositories: [
        {
          ...{ repository: 'core', syncs: 12, files: 2_880, bytes: 9_000 },
          ...{ averageDurationMs: 40_000.5, failedFiles: 2, lastSync: new Date('2026-11-20T06:00:41Z') },
        },
      ],
    });
  });

  test.each(['2026-11-20', '2026-11-20T00:00:00Z', '2026-11-20T00:00:00+02:00', '2026-11-20 00:00:00'])(
    'are summed up by day, written %s',
    async (date) => {
      const sums = { sync_count: 3, total_files: 720, total_size: 9_000, total_failed: 0 };
      tellsConsole('/api/console/events/daily?days=7', { days: 7, summary: [{ date, ...sums }] });
      expect(await mirror.dailyEvents({ days: 7 })).toEqual({
        days: 7,
        summary: [{ date: '2026-11-20', syncs: 3, files: 720, bytes: 9_000, failedFiles: 0 }],
      });
    },
  );

  test('with an invalid date keep it as written, and lose no other day', async () => {
    tellsConsole('/api/console/events/daily', { summary: [{ date: 'yesterday' }, { date: '2026-11-20' }] });
    const { summary } = await mirror.dailyEvents();
    expect(summary).toEqual([{ date: 'yesterday' }, { date: '2026-11-20' }]);
  });

  test.each<[nock.Body, string]>([
    [{ days: 7 }, 'summary'],
    [{ summary: [{ sync_count: 3 }] }, 'summary.0.date'],
  ])('nothing is left out in silence: %j', async (body, at) => {
    tellsConsole('/api/console/events/daily', body);
    await expect(mirror.dailyEvents()).rejects.toMatchObject({ code: 'unexpected_reply', at });
  });

  test.each([{ limit: 0 }, { limit: -1 }, { limit: 1.5 }])('%j is no number of events', async (given) => {
    await expect(mirror.listEvents(given)).rejects.toMatchObject({ code: 'bad_argument', argument: 'limit' });
  });
});
