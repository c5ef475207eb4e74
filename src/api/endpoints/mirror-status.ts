import { field } from '../reading/envelope.ts';
import {
  amount,
  answered,
  component,
  list,
  optional,
  record,
  required,
  type Shape,
  text,
  truth,
  type ValueOf,
} from '../reading/shape.ts';
import { momentOrNever } from './never.ts';

/** What the mirror service tells of itself (appliance-api.md §2.12). */
export type MirrorStatus = ValueOf<typeof mirrorStatus>;
/** A machine that fetches from the mirror (§2.12). */
export type MirrorClient = ValueOf<typeof mirrorClient>;
/** Whether there is something to fetch from the repository (§2.12). */
export type UpdateCheck = ValueOf<typeof updateCheck>;

/**
 * All syncs summed up since the service was started for the first time, and when the last one was. From 1.1.1 on
 * `failedFiles` is that of the last sync alone, or of the one that runs (`MirrorStatus.atLeast`).
 */
export type SyncStats = ValueOf<typeof syncStats>;

export const mirrorClient = component(
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

export const updateCheck = component(
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

/** A moment that is missing says nothing, one that is zero says that there was none. */
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

/** `atLeast`: what its version is at least, by what it reports; absent where nothing tells. */
type Versioned = ValueOf<typeof everything> & { readonly atLeast?: '1.1.1' };

/** With no field that can be read, the answer is about something else. */
export const mirrorStatus: Shape<Versioned> = {
  ...everything,
  read(value) {
    const { diskError, diskSpace: disk, ...rest } = answered(everything).read(value);
    const isRead = diskError === undefined || diskError === 'false';
    // What stands under a disk that was not read is no number.
    const found = isRead ? { ...rest, ...(disk && { diskSpace: disk }) } : { ...rest, diskError };
    return field(value, 'disk_error') === undefined ? found : { ...found, atLeast: '1.1.1' };
  },
};
