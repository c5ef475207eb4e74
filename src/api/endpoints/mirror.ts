import { z } from 'zod';
import { area } from '../endpoint.ts';
import { field, isRecord } from '../reading/envelope.ts';
import { readExtent, withExtent } from '../reading/extent.ts';
import { anywhere, tellingReport, whole } from '../reading/reply-reader.ts';
import {
  amount,
  answered,
  component,
  integer,
  list,
  moment,
  optional,
  record,
  required,
  type Shape,
  text,
  truth,
  type ValueOf,
} from '../reading/shape.ts';

/** A moment that may not have come yet: undefined for the year 1 and for 1970, which servers write for "never". */
const momentOrNever: Shape<Date | undefined> = {
  ...moment,
  read(value) {
    const at = moment.read(value);
    return at.getTime() > 0 ? at : undefined;
  },
};

/** A finished sync of one repository (appliance-api.md §2.13). */
export type SyncEvent = ValueOf<typeof syncEvent>;
/** Syncs, and the mirror's count of them (§4.13). */
export type SyncEvents = ValueOf<typeof syncEvents>;
/** Sums per repository over all syncs (§4.13). */
export type RepositorySyncs = ValueOf<typeof repositorySyncs>;
/** Sums per day (§4.13). */
export type DailySyncs = ValueOf<typeof dailySyncs>;

/**
 * `YYYY-MM-DD`, without the time that some servers append. Another text stays as it is, so that no other day is
 * lost.
 */
const day: Shape<string> = {
  read(value) {
    const written = text.read(value).trim();
    const found = /^(\d{4}-\d\d-\d\d)(?:[T ].*)?$/.exec(written)?.[1];
    return found === undefined || Number.isNaN(Date.parse(found)) ? written : found;
  },
  wire: { type: 'string', format: 'date' },
};

const syncEvent = component(
  'SyncEvent',
  'A completed sync of one repository (§2.13).',
  record({
    id: optional('id', integer, 'The ID of the event.'),
    date: optional('date', momentOrNever, 'When it was.'),
    repository: optional('repository_name', text, 'The repository.'),
    files: optional('num_files', amount('things'), 'How many files were fetched.'),
    bytes: optional('num_size', amount('bytes'), 'How much was fetched: bytes.'),
    durationMs: optional('duration_ms', amount('milliseconds'), 'How long it took: milliseconds.'),
    failedFiles: optional('failed_files', amount('things'), 'How many files could not be fetched.'),
  }),
);

const syncEvents = component(
  'SyncEvents',
  'Syncs, and how many the mirror counts (§4.13).',
  record({
    count: optional('count', amount('things'), 'How many there are.'),
    events: required('events', list(syncEvent), 'The syncs.'),
  }),
);

const sumsOfRepository = component(
  'SyncsOfRepository',
  'Totals of all syncs of one repository (§4.13).',
  record({
    repository: required('repository_name', text, 'The repository.'),
    syncs: optional('total_syncs', amount('things'), 'How many syncs there were.'),
    files: optional('total_files', amount('things'), 'How many files were fetched.'),
    bytes: optional('total_size', amount('bytes'), 'How much was fetched: bytes.'),
    averageDurationMs: optional(
      'avg_duration_ms',
      amount('milliseconds'),
      'How long one took on average: milliseconds.',
    ),
    failedFiles: optional('total_failed', amount('things'), 'How many files could not be fetched.'),
    lastSync: optional('last_sync', momentOrNever, 'When the last one was; absent when there was none.'),
  }),
);

const repositorySyncs = component(
  'RepositorySyncs',
  'Sums over all syncs, by repository (§4.13).',
  ofRepositories(
    record({
      totalCount: optional(
        'total_count',
        amount('things'),
        'How many syncs there were of all repositories together.',
      ),
      repositories: required('stats', list(sumsOfRepository), 'The sums of each repository.'),
    }),
  ),
);

/** The total counts syncs, not repositories. */
function ofRepositories<Sums extends { readonly repositories: readonly unknown[] }>(
  shape: Shape<Sums>,
): Shape<Sums> {
  return {
    ...shape,
    read(value) {
      const read = shape.read(value);
      const others = isRecord(value)
        ? Object.entries(value).filter(([name]) => name.toLowerCase() !== 'total_count')
        : [];
      const { repositories } = read;
      withExtent(
        repositories,
        readExtent('mirror.eventStats', Object.fromEntries(others), repositories.length),
      );
      return read;
    },
  };
}

const sumsOfDay = component(
  'SyncsOfDay',
  'Totals of all syncs of one day (§4.13).',
  record({
    date: required('date', day, 'The day: `YYYY-MM-DD`.'),
    syncs: optional('sync_count', amount('things'), 'How many syncs there were.'),
    files: optional('total_files', amount('things'), 'How many files were fetched.'),
    bytes: optional('total_size', amount('bytes'), 'How much was fetched: bytes.'),
    failedFiles: optional('total_failed', amount('things'), 'How many files could not be fetched.'),
  }),
);

const dailySyncs = component(
  'DailySyncs',
  'Sums by day (§4.13).',
  record({
    days: optional('days', amount('things'), 'How many days were looked at.'),
    summary: required('summary', list(sumsOfDay), 'The sums of each day.'),
  }),
);

/** The mirror service's report about itself (appliance-api.md §2.12). */
export type MirrorStatus = ValueOf<typeof mirrorStatus>;
/** A machine that fetches from the mirror (§2.12). */
export type MirrorClient = ValueOf<typeof mirrorClient>;
/** Whether the repository has updates (§2.12). */
export type UpdateCheck = ValueOf<typeof updateCheck>;

/**
 * Sums of all syncs since the service was first started, and the time of the last one. From 1.1.1 on,
 * `failedFiles` covers only the last or the running sync (`MirrorStatus.atLeast`).
 */
export type SyncStats = ValueOf<typeof syncStats>;

const mirrorClient = component(
  'MirrorClient',
  'A machine that fetches from the mirror (§2.12).',
  record({
    ip: optional('ip', text, 'Its IP address.'),
    hostname: optional('hostname', text, 'Its name.'),
    firstSeen: optional('first_seen', momentOrNever, 'When it fetched for the first time.'),
    lastSeen: optional('last_seen', momentOrNever, 'When it fetched last.'),
    requestCount: optional('request_count', amount('things'), 'How many requests it made.'),
    bytesReceived: optional('bytes_received', amount('bytes'), 'How much it fetched: bytes.'),
  }),
);

const updateCheck = component(
  'UpdateCheck',
  'Whether updates are available in the repository (§2.12).',
  record({
    updatesAvailable: required('updates_available', truth, 'Whether there is.'),
    checkedAt: optional('checked_at', momentOrNever, 'When this was checked.'),
  }),
);

const toldSyncs = component(
  'SyncStats',
  'Totals of all syncs since the service was first started, and the time of the last one (§2.12).',
  record({
    totalFiles: optional('total_files', amount('things'), 'How many files were fetched.'),
    totalBytes: optional('total_bytes', amount('bytes'), 'How much was fetched: bytes.'),
    failedFiles: optional(
      'failed_files',
      amount('things'),
      'How many files could not be fetched: by all syncs, from 1.1.1 on by the last one; left out when none.',
    ),
    lastSyncStart: optional('last_sync_start', momentOrNever, 'When the last sync began.'),
    lastSyncEnd: optional('last_sync_end', momentOrNever, 'When it ended.'),
    lastSyncDuration: optional('last_sync_duration', text, 'How long it took, such as "2m3s".'),
    isRunning: optional('is_running', truth, 'Whether one runs now.'),
    lastError: optional(
      'last_error',
      text,
      'Why the last sync failed or did not start; absent when it succeeded, or when the service does not report it.',
    ),
  }),
);

type Told = ValueOf<typeof toldSyncs>;

/** A missing moment says nothing; a zero one says that there was none. */
const syncStats: Shape<Told & { readonly hasNeverSynced?: boolean }> = {
  ...toldSyncs,
  read(value) {
    const read = toldSyncs.read(value);
    const end = field(value, 'last_sync_end');
    const isUntold =
      end === undefined || end === null || end === '' || 'last_sync_end' in (read.unread ?? {});
    return isUntold || read.lastSyncEnd !== undefined ? read : { ...read, hasNeverSynced: true };
  },
};

const serverStats = component(
  'ServerStats',
  'What the mirror served (§2.12).',
  record({
    totalRequests: optional('total_requests', amount('things'), 'How many requests it answered.'),
    totalBytesSent: optional('total_bytes_sent', amount('bytes'), 'How much it sent: bytes.'),
    activeClients: optional('active_clients', amount('things'), 'How many machines fetch from it now.'),
  }),
);

const diskSpace = component(
  'DiskSpace',
  'The disk of the mirror (§2.12).',
  record({
    totalBytes: optional('total_bytes', amount('bytes'), 'Its size: bytes.'),
    usedBytes: optional('used_bytes', amount('bytes'), 'What is used of it: bytes.'),
    freeBytes: optional('free_bytes', amount('bytes'), 'What is free: bytes.'),
    usedPercent: optional('used_percent', amount('percent'), 'What is used of it: percent.'),
  }),
);

const everything = component(
  'MirrorStatus',
  'The status of the mirror service (§2.12).',
  record({
    status: optional('status', text, 'A word, such as "healthy", and not the boolean of the envelope.'),
    uptime: optional('uptime', text, 'How long it has been running, such as "12h3m".'),
    version: optional('version', text, 'Its version.'),
    syncStats: optional('sync_stats', syncStats, 'Its syncs.'),
    serverStats: optional('server_stats', serverStats, 'What it served.'),
    diskSpace: optional('disk_space', diskSpace, 'Its disk.'),
    diskError: optional(
      'disk_error',
      text,
      'Why the disk could not be read; empty where it was. Reported from version 1.1.1 on.',
    ),
    updatesAvailable: optional(
      'updates_available',
      truth,
      'Whether updates are available in the repository; from 1.1.1 on also false where it could not look.',
    ),
    repositorySizeBytes: optional(
      'repository_size_bytes',
      amount('bytes'),
      'The size of the repository: bytes.',
    ),
    clients: optional('clients', list(mirrorClient), 'The machines that fetch from it.'),
  }),
);

/** `atLeast`: the minimum version that its fields show; absent if unknown. */
type Versioned = ValueOf<typeof everything> & { readonly atLeast?: '1.1.1' };

/** Without any readable field, the answer is about something else. */
const mirrorStatus: Shape<Versioned> = {
  ...everything,
  read(value) {
    const { diskError, diskSpace: disk, ...rest } = answered(everything).read(value);
    const isRead = diskError === undefined || diskError === 'false';
    // Values beside a disk error are no numbers.
    const found = isRead ? { ...rest, ...(disk && { diskSpace: disk }) } : { ...rest, diskError };
    return field(value, 'disk_error') === undefined ? found : { ...found, atLeast: '1.1.1' };
  },
};

const endpoint = area({ section: '§4.13', service: 'mirror' });
/** The events have another port (§1 addressing). */
const consoleEndpoint = area({ section: '§4.13', service: 'mirrorConsole' });

/** The mirror-synchronisation service. Its `status` is a word and not the envelope's boolean (§2.12). */
export const mirror = {
  health: endpoint('GET /api/health', {
    summary: 'The health of the mirror service.',
    effect: 'read',
    reply: tellingReport,
  }),

  status: endpoint('GET /api/status', {
    summary: 'Everything about the mirror: its last sync, its clients, its disk.',
    effect: 'read',
    section: '§2.12',
    reply: whole(mirrorStatus),
  }),

  syncStats: endpoint('GET /api/sync/stats', {
    summary: 'Statistics of all syncs, and the time of the last one.',
    effect: 'read',
    reply: tellingReport,
  }),

  serverStats: endpoint('GET /api/server/stats', {
    summary: 'Statistics of what the mirror served.',
    effect: 'read',
    reply: tellingReport,
  }),

  listClients: endpoint('GET /api/clients', {
    summary: 'The machines that fetch from the mirror.',
    effect: 'read',
    section: '§2.12',
    reply: anywhere(list(mirrorClient), ['clients'], 'The machines that fetch from the mirror.'),
    large: true,
  }),

  disk: endpoint('GET /api/disk', {
    summary: 'The disk space of the mirror.',
    effect: 'read',
    reply: tellingReport,
  }),

  checkUpdates: endpoint('GET /api/updates/check', {
    summary: 'Whether updates are available.',
    effect: 'read',
    section: '§2.12',
    reply: whole(updateCheck),
  }),

  triggerSync: endpoint('POST /api/sync/trigger', {
    summary: 'Starts a sync.',
    effect: 'write',
  }),

  /** §8.4: the default number is undocumented. */
  listEvents: consoleEndpoint('GET /api/console/events', {
    summary: 'Past syncs of all repositories, or of one.',
    effect: 'read',
    section: '§2.13',
    query: {
      limit: z.int().positive().optional().describe('The maximum number of events.'),
      repository: z.string().min(1).optional().describe('Only the syncs of the repository with this name.'),
    },
    reply: whole(syncEvents),
    large: true,
  }),

  eventStats: consoleEndpoint('GET /api/console/events/stats', {
    summary: 'Totals of all syncs, by repository.',
    effect: 'read',
    reply: whole(repositorySyncs),
  }),

  dailyEvents: consoleEndpoint('GET /api/console/events/daily', {
    summary: 'Totals of the syncs of the last days, by day.',
    effect: 'read',
    query: { days: z.int().positive().optional().describe('How many days to look back.') },
    reply: whole(dailySyncs),
  }),
};
