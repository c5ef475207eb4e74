import { progress, startSync } from '../../areas/mirror/run.ts';
import { syncStats } from '../../areas/mirror/syncs.ts';
import type { MirrorState } from '../../company/mirror.ts';
import { isRecord } from '../../read-fault.ts';
import type { Order } from '../../route.ts';
import { Sent } from '../../sent.ts';
import { type Layers, over, type Reply } from '../generation.ts';

/** Never. */
const zero = '0001-01-01T00:00:00Z';

/** Minutes that the appliance's own time is ahead of UTC. */
const ahead = 120;

/** The mirror service, another program with ways of its own. */
export const mirror: Layers = {
  'GET /api/status': (order, documented) => ({
    ...(inLocalTime(documented(order)) as Reply),
    sync_stats: stats(order),
    ...(order.state.mirror.release === '1.1.1' && since111(order.state.mirror)),
  }),
  'GET /api/sync/stats': (order) => stats(order),
  'GET /api/clients': (order, documented) => inLocalTime(documented(order)),
  'GET /api/updates/check': (order, documented) => {
    const { release, checkError } = order.state.mirror;
    return release === '1.1.1' && checkError !== ''
      ? new Sent({ status: 500, reply: { error: checkError } })
      : inLocalTime(documented(order));
  },
  'POST /api/sync/trigger': ({ state, now }) => {
    trigger(state.mirror, now);
    return { status: 'triggered', message: 'Synchronization started' };
  },
  ...over(
    ['GET /api/console/events', 'GET /api/console/events/stats', 'GET /api/console/events/daily'],
    (order, documented) => ofTheConsole(documented(order) as Reply),
  ),
};

/** A running sync continues; one without room is refused before it begins. */
function trigger(mirror: MirrorState, now: Date): void {
  if (mirror.run !== undefined) return;
  if (mirror.release === '1.1.1' && mirror.opensAt !== undefined) {
    mirror.isWaiting = true;
    return;
  }
  if (mirror.disk.used < mirror.disk.total) startSync(mirror, now);
  else mirror.lastError = 'not enough disk space to start sync';
}

/** The totals, and the verdict on the last run. */
function stats({ state: { mirror }, now }: Order) {
  const current = syncStats(mirror, now);
  return {
    total_files: current.total_files,
    total_bytes: current.total_bytes,
    ...withoutZeros({
      failed_files: mirror.release === '1.1.1' ? ofTheRun(mirror, now) : current.failed_files,
    }),
    last_sync_start: local(current.last_sync_start),
    last_sync_end: local(current.last_sync_end),
    last_sync_duration: current.last_sync_duration,
    is_running: current.is_running,
    ...(mirror.lastError !== undefined && { last_error: mirror.lastError }),
  };
}

/** The mirror starts this count anew with each sync. */
const ofTheRun = (mirror: MirrorState, now: Date): number => progress(mirror, now)?.failedFiles ?? 0;

/** Drops the error of its check for updates; an unread disk is zero. */
function since111({ checkError, diskError, updatesAvailable }: MirrorState) {
  const unread = { total_bytes: 0, used_bytes: 0, free_bytes: 0, used_percent: 0 };
  return {
    updates_available: checkError === '' && updatesAvailable,
    disk_error: diskError,
    ...(diskError !== '' && { disk_space: unread }),
  };
}

/** Events stay in UTC. An error is HTTP 200 as well. */
function ofTheConsole(reply: Reply): unknown {
  if (reply.status === false) return { error: reply.info };
  return Object.fromEntries(
    Object.entries(reply).map(([key, value]) => [
      key,
      Array.isArray(value) ? (value.length === 0 ? null : value.map(withoutZeros)) : value,
    ]),
  );
}

/** Some keys are left out when there is nothing to count. */
function withoutZeros(event: object): object {
  return Object.fromEntries(
    Object.entries(event).filter(
      ([key, value]) => value !== 0 || !['duration_ms', 'failed_files'].includes(key),
    ),
  );
}

function inLocalTime<Value>(value: Value): Value {
  if (typeof value === 'string') return (isTime(value) ? local(value) : value) as Value;
  if (Array.isArray(value)) return value.map(inLocalTime) as Value;
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inLocalTime(one)])) as Value;
}

function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(text);
}

/** A time with nanoseconds and the offset, as `2026-11-20T14:00:00.000417283+02:00`; '' means never. */
function local(time: string): string {
  if (time === '') return zero;
  const there = new Date(Date.parse(time) + ahead * 60_000);
  return `${there.toISOString().slice(0, -1)}417283+02:00`;
}
