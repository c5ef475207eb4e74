import type { Insertable } from 'kysely';
import { freed } from '../claims.ts';
import type { Store } from '../database.ts';
import type { TimedChangesTable } from '../tables.ts';
import { type NewTimedChange, notOver, readTimedChange, type TimedChangeRow } from './timed-change-row.ts';

/** All of them, or none, and an appliance that has one of its subject already. */
export interface Started {
  readonly started: readonly TimedChangeRow[];
  readonly taken?: string;
}

/** All or nothing, also for whoever looks after a crash: what has an end on one of its appliances has one on each. */
export async function startRows(
  { durable, write }: Pick<Store, 'durable' | 'write'>,
  all: readonly NewTimedChange[],
  at: number,
): Promise<Started> {
  // The index on what is not over (`migrations/`): of two at once one is first.
  const insertion = (one: NewTimedChange) =>
    durable
      .insertInto('timed_changes')
      .values(rowOf(one, at))
      .onConflict((conflict) => conflict.doNothing())
      .returningAll();
  for (;;) {
    const started = await write('durable', { swap: all.map((one) => ({ query: insertion(one) })) });
    if (started !== undefined) return { started: started.map(readTimedChange) };
    for (const { appliance, subject } of all) {
      const taken = await durable
        .selectFrom('timed_changes')
        .select('id')
        .where('appliance', '=', appliance)
        .where('subject', '=', subject)
        .where('state', 'in', notOver)
        .executeTakeFirst();
      if (taken !== undefined) return { started: [], taken: appliance };
    }
    // It has ended this moment.
  }
}

const rowOf = (
  { action, appliance, subject, channel, person, reason, endsAt }: NewTimedChange,
  at: number,
): Insertable<TimedChangesTable> => ({
  ...{ action, appliance, subject, channel, person, reason, state: 'on' },
  ...{ undo_line: null, left_json: null },
  ...{ started_at: at, ends_at: endsAt, set_at: at, extensions_json: '[]' },
  ...{ reminded: null, reminder: null },
  ...{ ...freed, tries: 0, next_try_at: endsAt, seen: 0, orders: 0, ordered_at: null },
  ...{ last_problem: null, ended_json: null, ended_by: null, report: null, reported: 0 },
});
