import type { Journal } from '../../src/journal/journal.ts';

/** What only looks; whatever else the journal does is a step. */
export const looks: ReadonlySet<string> = new Set([
  'actionsWithWebhooks',
  'alive',
  'approvalsOf',
  'byId',
  'byToken',
  'changesIn',
  'dueOrderingKeys',
  'eventsOf',
  // What is done inside of it has steps of its own.
  'exclusively',
  'fence',
  'generations',
  'hasRecord',
  'isWritten',
  'kept',
  'keptOf',
  'newestMoment',
  'timedChange',
  'timedChanges',
  'timedChangesOf',
  'others',
  'overdue',
  'pendingApplies',
  'pendingWebhooks',
  'recent',
  'reloads',
  'sealed',
  'unsent',
] satisfies readonly (keyof Journal)[]);
