import type { Journal } from '../journal.ts';
import type { Ended, Lease, Leases } from '../timed/timed-changes.ts';
import type { Database } from './database.ts';
import { memoryOf } from './memory.ts';

/**
 * What must not last. While the database is away nothing of the kind is begun or put off, what is on is known as it was
 * last seen, and what became of it is not forgotten.
 */
export function carriedLeases(
  journal: Journal,
  { ask, askOr, tell, must }: Database,
  now: () => number,
): Omit<Leases, 'extendLease' | 'orderLeaseEnd'> {
  const leases = memoryOf<Lease>(({ id }) => id);

  function leaseOf(which: (lease: Lease) => boolean): Lease | undefined {
    return leases.all().findLast(which);
  }

  /** A lease as it will be. */
  function turn(id: number, is: (lease: Lease) => boolean, changes: Partial<Lease>): Lease | undefined {
    const lease = leaseOf((one) => one.id === id && is(one));
    return lease && leases.see({ ...lease, ...changes });
  }

  return {
    startLease: async (lease) => {
      const started = await ask(() => journal.startLease(lease));
      return started && leases.see(started);
    },
    lease: (appliance) =>
      askOr(
        async () => {
          const found = await journal.lease(appliance);
          return found && leases.see(found);
        },
        () => leaseOf((one) => one.appliance === appliance && one.state !== 'over'),
      ),
    leasesOf: (action) =>
      askOr(
        async () => (await journal.leasesOf(action)).map(leases.see),
        () => leases.all().filter((one) => one.action === action),
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
    leases: async () => (await ask(() => journal.leases())).map(leases.see),
    voidLease: async (action, appliance) => {
      await tell('that an end is not needed', () => journal.voidLease(action, appliance));
    },
    sawLease: async (id) => {
      await tell('what was seen on an appliance', () => journal.sawLease(id));
    },
    hurryLeases: async (appliance) => {
      await tell('an end to be tried again', () => journal.hurryLeases(appliance));
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
    cutLease: (id) => {
      const cut = () => journal.cutLease(id);
      return askOr(cut, () => {
        must('that something was ordered to end', cut);
        return turn(id, ({ state }) => state === 'on', { state: 'ending', nextAt: now() });
      });
    },
    failLeaseEnd: (id, problem, nextAt) => {
      const fail = () => journal.failLeaseEnd(id, problem, nextAt);
      return askOr(fail, () => {
        must('that something could not be ended', fail);
        const failures = (leaseOf((one) => one.id === id)?.failures ?? 0) + 1;
        return turn(id, ({ state }) => state === 'ending', { failures, lastProblem: problem, nextAt });
      });
    },
    endLease: (id, ended) => {
      const end = () => journal.endLease(id, ended);
      return askOr(end, () => {
        must('that something has ended', end);
        const over: Ended = { ...ended, at: now() };
        return turn(id, ({ state }) => state !== 'over', { state: 'over', ended: over });
      });
    },
  };
}
