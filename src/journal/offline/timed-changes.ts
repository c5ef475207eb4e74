import type { Journal } from '../journal.ts';
import type { Ended, TimedChangeRow } from '../timed/timed-change-row.ts';
import type { TimedChangeStore } from '../timed/timed-changes.ts';
import type { BufferedDatabase } from './database.ts';
import { memoryOf } from './memory.ts';

/**
 * What must not last. While the database is away nothing of the kind is begun or put off, what is on is known as it was
 * last seen, and what became of it is not forgotten.
 */
export function bufferedTimedChanges(
  journal: Journal,
  { ask, askOr, writeBehind }: BufferedDatabase,
  now: () => number,
): Pick<
  TimedChangeStore,
  | 'startTimedChanges'
  | 'timedChange'
  | 'timedChangesOf'
  | 'timedChanges'
  | 'cutTimedChange'
  | 'failTimedEnd'
  | 'endTimedChange'
> {
  const seen = memoryOf<TimedChangeRow>(({ id }) => id);

  function timedChangeOf(which: (row: TimedChangeRow) => boolean): TimedChangeRow | undefined {
    return seen.all().findLast(which);
  }

  /** A timed change as it will be. */
  function turn(
    id: number,
    is: (row: TimedChangeRow) => boolean,
    changes: Partial<TimedChangeRow>,
  ): TimedChangeRow | undefined {
    const row = timedChangeOf((one) => one.id === id && is(one));
    return row && seen.see({ ...row, ...changes });
  }

  return {
    startTimedChanges: async (all) => {
      const begun = await ask(() => journal.startTimedChanges(all));
      for (const row of begun.started) seen.see(row);
      return begun;
    },
    timedChange: (appliance, subject) =>
      askOr(
        async () => {
          const found = await journal.timedChange(appliance, subject);
          return found && seen.see(found);
        },
        () =>
          timedChangeOf(
            (one) => one.appliance === appliance && one.subject === subject && one.state !== 'over',
          ),
      ),
    timedChangesOf: (action) =>
      askOr(
        async () => (await journal.timedChangesOf(action)).map(seen.see),
        () => seen.all().filter((one) => one.action === action),
      ),
    timedChanges: () =>
      askOr(
        async () => (await journal.timedChanges()).map(seen.see),
        () => seen.all().filter(({ state }) => state !== 'over'),
      ),
    cutTimedChange: (id) => {
      const cut = () => journal.cutTimedChange(id);
      return askOr(cut, () => {
        writeBehind.required('an order to end a timed change', cut);
        return turn(id, ({ state }) => state === 'on', { state: 'ending', nextTryAt: now() });
      });
    },
    failTimedEnd: (id, problem, nextTryAt, record) => {
      const fail = () => journal.failTimedEnd(id, problem, nextTryAt, record);
      return askOr(fail, () => {
        writeBehind.required('a timed change that could not be ended', fail);
        const tries = (timedChangeOf((one) => one.id === id)?.tries ?? 0) + 1;
        return turn(id, ({ state }) => state === 'ending', { tries, lastProblem: problem, nextTryAt });
      });
    },
    endTimedChange: (id, ended, record) => {
      const end = () => journal.endTimedChange(id, ended, record);
      return askOr(end, () => {
        writeBehind.required('the end of a timed change', end);
        const over: Ended = { ...ended, at: now() };
        return turn(id, ({ state }) => state !== 'over', { state: 'over', ended: over });
      });
    },
  };
}
