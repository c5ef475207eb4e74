import type { Store } from '../database.ts';
import type { Action } from './action.ts';
import { actionColumns, readAction } from './action-row.ts';
import { asked } from './order.ts';

/** What was agreed to and is held until its time. Whoever moves it on first, runs it (`ActionStore.move`). */
export interface PlannedStore {
  /** What is due at a moment, the longest due first, and of one time in the order in which it was asked; at most so many. */
  readonly duePlanned: (at: number, most: number) => Promise<readonly Action[]>;
  /** What was planned, has begun, and is not over, on whichever replica. */
  readonly begunPlanned: () => Promise<readonly Action[]>;
  /** What is planned in any of these channels, what comes first before the others, at most so many. */
  readonly plannedIn: (channels: readonly string[], most: number) => Promise<readonly Action[]>;
}

export function plannedStore(store: Store): PlannedStore {
  const planned = (most: number) =>
    store.durable
      .selectFrom('actions')
      .select(actionColumns)
      .where('state', '=', 'planned')
      .where('run_at', 'is not', null)
      .orderBy('run_at')
      .orderBy(asked)
      .limit(most);

  return {
    duePlanned: async (at, most) => (await planned(most).where('run_at', '<=', at).execute()).map(readAction),
    begunPlanned: async () =>
      (
        await store.durable
          .selectFrom('actions')
          .select(actionColumns)
          .where('run_at', 'is not', null)
          .where('state', 'in', ['approved', 'running', 'unknown'])
          // What is unknown and held is looked after: it may have been sent.
          .where(({ eb, or }) => or([eb('state', '!=', 'unknown'), eb('held_by', 'is not', null)]))
          .execute()
      ).map(readAction),
    plannedIn: async (channels, most) =>
      (await planned(most).where('channel', 'in', store.among(channels)).execute()).map(readAction),
  };
}
