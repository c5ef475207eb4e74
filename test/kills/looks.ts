import type { Journal } from '../../src/journal/journal.ts';

/** What only looks; whatever else the journal does is a step. */
export const looks: ReadonlySet<string> = new Set([
  'alive',
  'approvalsOf',
  'byId',
  'byToken',
  'changesIn',
  'dueLanes',
  'eventsOf',
  // What is done inside of it has steps of its own.
  'exclusively',
  'kept',
  'lease',
  'leases',
  'leasesOf',
  'offersOf',
  'overdue',
  'owed',
  'recent',
  'reloads',
  'sealed',
  'unsent',
] satisfies readonly (keyof Journal)[]);
