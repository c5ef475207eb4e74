import { freed } from '../claims.ts';
import type { Database, Store } from '../database.ts';
import { type NewTimedChange, readTimedChange, type TimedChangeRow } from './timed-change-row.ts';

/** All of them, or none, and an appliance that has one of its subject already. */
export interface Started {
  readonly started: readonly TimedChangeRow[];
  readonly taken?: string;
}

/** All or nothing, also for whoever looks after a crash: what has an end on one of its appliances has one on each. */
export function startRows(
  { durable, inTurn }: Pick<Store, 'durable' | 'inTurn'>,
  all: readonly NewTimedChange[],
  at: number,
): Promise<Started> {
  return durable.transaction().execute(async (within) => {
    // Two that begin on the same appliances, in another order, would wait for each other.
    if (all.length > 1) await inTurn(within, 'timed_changes');
    const started: TimedChangeRow[] = [];
    for (const one of all) {
      const row = await insert(within, one, at);
      if (row === undefined) {
        const ids = started.map(({ id }) => id);
        if (ids.length > 0) await within.deleteFrom('timed_changes').where('id', 'in', ids).execute();
        return { started: [], taken: one.appliance };
      }
      started.push(row);
    }
    return { started };
  });
}

async function insert(
  within: Database,
  { action, appliance, subject, channel, person, reason, endsAt }: NewTimedChange,
  at: number,
): Promise<TimedChangeRow | undefined> {
  const row = await within
    .insertInto('timed_changes')
    .values({
      ...{ action, appliance, subject, channel, person, reason, state: 'on' },
      ...{ undo_line: null, left_json: null, covered_by: null },
      ...{ started_at: at, ends_at: endsAt, set_at: at, extensions_json: '[]' },
      ...{ reminded: null, reminder: null },
      ...{ ...freed, tries: 0, next_try_at: endsAt, seen: 0, orders: 0, last_problem: null },
      ...{ ended_json: null, ended_by: null, report: null, reported: 0 },
    })
    // The index on what is not over (`migrations/`): of two at once one is first.
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  return row && readTimedChange(row);
}
