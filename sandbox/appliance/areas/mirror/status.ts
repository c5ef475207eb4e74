import type { MirrorClient, MirrorState } from '../../company/mirror.ts';
import type { Order, Route } from '../../route.ts';
import type { State } from '../../state.ts';
import { secondsBetween, timestamp } from '../../times.ts';
import { syncStats } from './syncs.ts';
import { durationText } from './texts.ts';

/** How the mirror service is: appliance-api.md §4.13. §2.12 documents the status, the clients and the update check. */
export const status: Route[] = [
  // The shapes of the health, the server's numbers and the disk are not documented on their own.
  {
    method: 'GET',
    path: '/api/health',
    answer: ({ state, now }) => ({
      status: true,
      info: 'healthy',
      uptime: uptime(state.mirror, now),
      version: versionOf(state),
    }),
  },
  {
    method: 'GET',
    path: '/api/server/stats',
    answer: ({ state, now }) => ({ status: true, info: '', ...serverStats(state.mirror, now) }),
  },
  {
    method: 'GET',
    path: '/api/disk',
    answer: ({ state }) => ({ status: true, info: '', ...diskSpace(state.mirror) }),
  },
  { method: 'GET', path: '/api/status', answer: wholeStatus },
  { method: 'GET', path: '/api/clients', answer: ({ state, now }) => clients(state.mirror, now) },
  {
    method: 'GET',
    path: '/api/updates/check',
    answer: ({ state, now }) => ({
      updates_available: state.mirror.updatesAvailable,
      checked_at: timestamp(now),
    }),
  },
];

function wholeStatus({ state, now }: Order) {
  const { mirror } = state;
  return {
    status: mirror.run === undefined ? 'idle' : 'syncing',
    uptime: uptime(mirror, now),
    version: versionOf(state),
    sync_stats: syncStats(mirror, now),
    server_stats: serverStats(mirror, now),
    disk_space: diskSpace(mirror),
    updates_available: mirror.updatesAvailable,
    repository_size_bytes: mirror.disk.repositories,
    clients: clients(mirror, now),
  };
}

function versionOf({ software }: State): string {
  return software.installed.get('APP_MIRROR') ?? '';
}

function uptime({ startedAt }: MirrorState, now: Date): string {
  return durationText(secondsBetween(startedAt, now) * 1000);
}

function diskSpace({ disk }: MirrorState) {
  return {
    total_bytes: disk.total,
    used_bytes: disk.used,
    free_bytes: disk.total - disk.used,
    used_percent: Math.round((disk.used / disk.total) * 10_000) / 100,
  };
}

function serverStats(mirror: MirrorState, now: Date) {
  const all = mirror.clients.map((client) => activity(client, mirror.countedAt, now));
  return {
    total_requests: all.reduce((sum, { requests }) => sum + requests, 0),
    total_bytes_sent: all.reduce((sum, { bytes }) => sum + bytes, 0),
    active_clients: all.filter(({ lastSeen }) => now.getTime() - lastSeen.getTime() < 300_000).length,
  };
}

function clients(mirror: MirrorState, now: Date) {
  return mirror.clients.map((client) => {
    const { requests, bytes, lastSeen } = activity(client, mirror.countedAt, now);
    return {
      ip: client.ip,
      hostname: client.hostname,
      first_seen: timestamp(client.firstSeen),
      last_seen: timestamp(lastSeen),
      request_count: requests,
      bytes_received: bytes,
    };
  });
}

/** A client's requests until now: one of the usual size at each of its intervals. */
function activity({ requests, bytes, lastSeen, everySeconds }: MirrorClient, countedAt: Date, now: Date) {
  const interval = everySeconds * 1000;
  if (interval === 0 || now <= countedAt) return { requests, bytes, lastSeen };
  const added = Math.floor((now.getTime() - lastSeen.getTime()) / interval);
  return {
    requests: requests + added,
    bytes: bytes + added * Math.round(bytes / requests),
    lastSeen: new Date(lastSeen.getTime() + added * interval),
  };
}
