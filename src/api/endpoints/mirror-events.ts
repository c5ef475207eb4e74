import {
  amount,
  component,
  integer,
  list,
  Misfit,
  optional,
  record,
  required,
  type Shape,
  text,
  type ValueOf,
} from '../reading/shape.ts';
import { momentOrNever } from './never.ts';

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
    if (found === undefined) throw new Misfit('', 'is not a date');
    return found;
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

export const syncEvents = component(
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

export const repositorySyncs = component(
  'RepositorySyncs',
  'Sums over all syncs, by repository (§4.13).',
  record({
    totalCount: optional(
      'total_count',
      amount('things'),
      'How many syncs there were of all repositories together.',
    ),
    repositories: required('stats', list(sumsOfRepository), 'The sums of each repository.'),
  }),
);

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

export const dailySyncs = component(
  'DailySyncs',
  'Sums by day (§4.13).',
  record({
    days: optional('days', amount('things'), 'How many days were looked at.'),
    summary: required('summary', list(sumsOfDay), 'The sums of each day.'),
  }),
);
