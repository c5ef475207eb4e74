import type { MirrorState } from '../../company/mirror.ts';
import type { Route } from '../../route.ts';
import { timestamp } from '../../times.ts';
import { progress, startSync } from './run.ts';
import { durationText } from './texts.ts';

/** Syncs of the mirror: appliance-api.md §4.13. The shapes are not documented; the numbers are those of §2.12. */
export const syncs: Route[] = [
  {
    method: 'GET',
    path: '/api/sync/stats',
    answer: ({ state, now }) => ({ status: true, info: '', ...syncStats(state.mirror, now) }),
  },
  {
    method: 'POST',
    path: '/api/sync/trigger',
    answer({ state: { mirror }, now }) {
      if (mirror.run !== undefined) return { status: false, info: 'A sync is already running' };
      return { status: true, info: `Sync of ${startSync(mirror, now)} started` };
    },
  },
];

/** The `sync_stats` of §2.12: totals of all syncs, with those of one that runs; the last end is that of the sync before. */
export function syncStats(mirror: MirrorState, now: Date) {
  const last = mirror.events.at(-1);
  const current = progress(mirror, now);
  const running = mirror.run === undefined ? undefined : current;
  const total = (key: 'files' | 'bytes' | 'failedFiles') =>
    mirror.events.reduce((sum, event) => sum + event[key], running?.[key] ?? 0);
  return {
    total_files: total('files'),
    total_bytes: total('bytes'),
    failed_files: total('failedFiles'),
    last_sync_start: current ? timestamp(current.startedAt) : '',
    last_sync_end: last ? timestamp(last.at) : '',
    last_sync_duration: durationText(last?.milliseconds ?? 0),
    is_running: mirror.run !== undefined,
  };
}
