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
  { ask, askOr, tell, writeBehind }: BufferedDatabase,
  now: () => number,
): Omit<TimedChangeStore, 'extendTimedChange' | 'orderTimedEnd'> {
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
    startTimedChange: async (timedChange) => {
      const started = await ask(() => journal.startTimedChange(timedChange));
      return started && seen.see(started);
    },
    timedChange: (appliance) =>
      askOr(
        async () => {
          const found = await journal.timedChange(appliance);
          return found && seen.see(found);
        },
        () => timedChangeOf((one) => one.appliance === appliance && one.state !== 'over'),
      ),
    timedChangesOf: (action) =>
      askOr(
        async () => (await journal.timedChangesOf(action)).map(seen.see),
        () => seen.all().filter((one) => one.action === action),
      ),
    claimReminders: (ahead, until) =>
      askOr(
        () => journal.claimReminders(ahead, until),
        () => [],
      ),
    claimEnds: (until) =>
      askOr(
        () => journal.claimEnds(until),
        () => [],
      ),
    claimReports: (until) =>
      askOr(
        () => journal.claimReports(until),
        () => [],
      ),
    timedChanges: async () => (await ask(() => journal.timedChanges())).map(seen.see),
    voidTimedChange: async (action, appliance) => {
      await tell('that an end is not needed', () => journal.voidTimedChange(action, appliance));
    },
    sawTimedChange: async (id) => {
      await tell('what was seen on an appliance', () => journal.sawTimedChange(id));
    },
    expediteTimedChanges: async (appliance) => {
      await tell('an end to be tried again', () => journal.expediteTimedChanges(appliance));
    },
    reminded: async (id, endsAt, message) => {
      await tell('that people were reminded', () => journal.reminded(id, endsAt, message));
    },
    placedReport: async (id, message) => {
      await tell('where a report stands', () => journal.placedReport(id, message));
    },
    reported: async (id) => {
      await tell('that an end was reported', () => journal.reported(id));
    },
    cutTimedChange: (id) => {
      const cut = () => journal.cutTimedChange(id);
      return askOr(cut, () => {
        writeBehind.required('that something was ordered to end', cut);
        return turn(id, ({ state }) => state === 'on', { state: 'ending', nextAt: now() });
      });
    },
    failTimedEnd: (id, problem, nextAt) => {
      const fail = () => journal.failTimedEnd(id, problem, nextAt);
      return askOr(fail, () => {
        writeBehind.required('that something could not be ended', fail);
        const failures = (timedChangeOf((one) => one.id === id)?.failures ?? 0) + 1;
        return turn(id, ({ state }) => state === 'ending', { failures, lastProblem: problem, nextAt });
      });
    },
    endTimedChange: (id, ended) => {
      const end = () => journal.endTimedChange(id, ended);
      return askOr(end, () => {
        writeBehind.required('that something has ended', end);
        const over: Ended = { ...ended, at: now() };
        return turn(id, ({ state }) => state !== 'over', { state: 'over', ended: over });
      });
    },
  };
}
