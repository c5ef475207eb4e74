import { field } from '../reading/envelope.ts';
import {
  integer,
  list,
  Misfit,
  number,
  optional,
  record,
  required,
  type Shape,
  text,
  truth,
  type ValueOf,
} from '../reading/shape.ts';
import { lenient } from './lenient.ts';
import { momentOrNever, withoutNever } from './never.ts';

/** What the mirror service tells of itself (appliance-api.md §2.12). */
export type MirrorStatus = ValueOf<typeof mirrorStatus>;
/** A machine that fetches from the mirror (§2.12). */
export type MirrorClient = ValueOf<typeof mirrorClient>;
/** Whether there is something to fetch from the repository (§2.12). */
export type UpdateCheck = ValueOf<typeof updateCheck>;

/**
 * All syncs summed up since the service was started for the first time, and when the last one was. Which files failed in
 * the last one stands in its event alone.
 */
export type SyncStats = ValueOf<typeof syncStats>;

export const mirrorClient = lenient({
  ip: required('ip', text),
  hostname: optional('hostname', text),
  firstSeen: optional('first_seen', momentOrNever),
  lastSeen: optional('last_seen', momentOrNever),
  requestCount: optional('request_count', integer),
  bytesReceived: optional('bytes_received', integer),
});

export const updateCheck = withoutNever(
  record({
    updatesAvailable: required('updates_available', truth),
    checkedAt: optional('checked_at', momentOrNever),
  }),
);

const toldSyncs = lenient({
  totalFiles: optional('total_files', integer),
  totalBytes: optional('total_bytes', integer),
  failedFiles: optional('failed_files', integer),
  lastSyncStart: optional('last_sync_start', momentOrNever),
  lastSyncEnd: optional('last_sync_end', momentOrNever),
  /** As the service writes it, such as "2m3s". */
  lastSyncDuration: optional('last_sync_duration', text),
  isRunning: optional('is_running', truth),
  /** Why the last sync failed or was not begun; absent when it went well, or when the service does not say. */
  lastError: optional('last_error', text),
});

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

const everything = lenient({
  /** A word, such as "healthy", and not the envelope's boolean. */
  status: optional('status', text),
  /** As the service writes it, such as "12h3m". */
  uptime: optional('uptime', text),
  version: optional('version', text),
  syncStats: optional('sync_stats', syncStats),
  serverStats: optional(
    'server_stats',
    lenient({
      totalRequests: optional('total_requests', integer),
      totalBytesSent: optional('total_bytes_sent', integer),
      activeClients: optional('active_clients', integer),
    }),
  ),
  diskSpace: optional(
    'disk_space',
    lenient({
      totalBytes: optional('total_bytes', integer),
      usedBytes: optional('used_bytes', integer),
      freeBytes: optional('free_bytes', integer),
      usedPercent: optional('used_percent', number),
    }),
  ),
  updatesAvailable: optional('updates_available', truth),
  repositorySizeBytes: optional('repository_size_bytes', integer),
  clients: optional('clients', list(mirrorClient)),
});

/** With no field that can be read, the answer is about something else. */
export const mirrorStatus: Shape<ValueOf<typeof everything>> = {
  ...everything,
  read(value) {
    const found = everything.read(value);
    if (Object.keys(found).every((name) => name === 'unread')) {
      throw new Misfit('', 'has none of the documented fields');
    }
    return found;
  },
};
