import type { Journal, NewTimedChange, TimedChangeRow } from '../src/journal/journal.ts';

/** Begins one timed change. Undefined where there is one of its subject already. */
export const startOne = async (
  journal: Pick<Journal, 'startTimedChanges'>,
  one: NewTimedChange,
): Promise<TimedChangeRow | undefined> => (await journal.startTimedChanges([one])).started[0];
