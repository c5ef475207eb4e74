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
  type ValueOf,
} from '../reading/shape.ts';
import { momentOrNever, withoutNever } from './never.ts';

/** A sync of one repository that is over (appliance-api.md §2.13). */
export type SyncEvent = ValueOf<typeof syncEvent>;
/** Syncs, and how many the mirror counts (§4.13). */
export type SyncEvents = ValueOf<typeof syncEvents>;
/** Sums per repository over all syncs (§4.13). */
export type RepositorySyncs = ValueOf<typeof repositorySyncs>;
/** Sums per day (§4.13). */
export type DailySyncs = ValueOf<typeof dailySyncs>;

/** `YYYY-MM-DD`; the midnight that some servers write behind it is left out. */
const day: Shape<string> = {
  read(value) {
    const found = /^(\d{4}-\d\d-\d\d)(?:T00:00:00(?:\.0+)?Z)?$/.exec(text.read(value).trim())?.[1];
    if (found === undefined) throw new Misfit('', 'is not a day');
    return found;
  },
  wire: { type: 'string', format: 'date' },
};

const syncEvent = withoutNever(
  record({
    id: required('id', integer),
    date: optional('date', momentOrNever),
    repository: optional('repository_name', text),
    files: optional('num_files', integer),
    bytes: optional('num_size', integer),
    durationMs: optional('duration_ms', integer),
    failedFiles: optional('failed_files', integer),
  }),
);

export const syncEvents = record({
  count: optional('count', integer),
  events: required('events', list(syncEvent)),
});

export const repositorySyncs = record({
  /** Of all repositories together. */
  totalCount: optional('total_count', integer),
  repositories: required(
    'stats',
    list(
      withoutNever(
        record({
          repository: required('repository_name', text),
          syncs: optional('total_syncs', integer),
          files: optional('total_files', integer),
          bytes: optional('total_size', integer),
          averageDurationMs: optional('avg_duration_ms', number),
          failedFiles: optional('total_failed', integer),
          /** Absent when there was none. */
          lastSync: optional('last_sync', momentOrNever),
        }),
      ),
    ),
  ),
});

export const dailySyncs = record({
  /** How many days were looked at. */
  days: optional('days', integer),
  summary: required(
    'summary',
    list(
      record({
        /** `YYYY-MM-DD`. */
        date: required('date', day),
        syncs: optional('sync_count', integer),
        files: optional('total_files', integer),
        bytes: optional('total_size', integer),
        failedFiles: optional('total_failed', integer),
      }),
    ),
  ),
});
