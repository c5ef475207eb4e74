import type { SyncEvent } from '../../company/mirror/syncs.ts';
import type { Order, Route } from '../../route.ts';
import { timestamp } from '../../times.ts';

/** Not documented (§8.4). */
const defaultLimit = 100;
const defaultDays = 7;

/** The history of syncs: appliance-api.md §4.13, §2.13. */
export const eventsOfTheConsole: Route[] = [
  { method: 'GET', path: '/api/console/events', answer: listEvents },
  { method: 'GET', path: '/api/console/events/stats', answer: statsOfRepositories },
  { method: 'GET', path: '/api/console/events/daily', answer: dailySummary },
];

/** Newest first. */
function listEvents({ state, query }: Order) {
  const limit = positive(query.get('limit'), defaultLimit);
  if (limit === undefined) return refused('limit');
  const repository = query.get('repository');
  const events = state.mirror.events
    .filter((event) => !repository || event.repository === repository)
    .toReversed()
    .slice(0, limit);
  return {
    count: events.length,
    events: events.map((event) => ({
      id: event.id,
      date: timestamp(event.at),
      num_files: event.files,
      num_size: event.bytes,
      repository_name: event.repository,
      duration_ms: event.milliseconds,
      failed_files: event.failedFiles,
    })),
  };
}

function statsOfRepositories({ state }: Order) {
  const { events } = state.mirror;
  const stats = [...Map.groupBy(events, ({ repository }) => repository)].map(([repository_name, own]) => ({
    repository_name,
    total_syncs: own.length,
    ...totals(own),
    avg_duration_ms: Math.round(sumOf(own, 'milliseconds') / own.length),
    last_sync: timestamp(own.at(-1)?.at ?? new Date(0)),
  }));
  return {
    total_count: events.length,
    stats: stats.toSorted((one, other) => (one.repository_name < other.repository_name ? -1 : 1)),
  };
}

/** Today and the days before it, in UTC, newest first; a day without a sync is left out. */
function dailySummary({ state, now, query }: Order) {
  const days = positive(query.get('days'), defaultDays);
  if (days === undefined) return refused('days');
  const today = Date.parse(dayOf(now));
  const included = state.mirror.events.filter(({ at }) => today - Date.parse(dayOf(at)) < days * 86_400_000);
  return {
    days,
    summary: [...Map.groupBy(included, ({ at }) => dayOf(at))]
      .map(([date, own]) => ({ date, sync_count: own.length, ...totals(own) }))
      .toReversed(),
  };
}

function totals(events: readonly SyncEvent[]) {
  return {
    total_files: sumOf(events, 'files'),
    total_size: sumOf(events, 'bytes'),
    total_failed: sumOf(events, 'failedFiles'),
  };
}

function sumOf(events: readonly SyncEvent[], key: 'files' | 'bytes' | 'milliseconds' | 'failedFiles') {
  return events.reduce((sum, event) => sum + event[key], 0);
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** undefined: it is no number above zero. */
function positive(text: string | null, otherwise: number): number | undefined {
  if (!text) return otherwise;
  return /^[1-9]\d*$/.test(text) ? Number(text) : undefined;
}

/** The document shows no errors of this service; these follow §7.2. */
function refused(name: string) {
  return { status: false, info: `${name} must be a number above zero` };
}
