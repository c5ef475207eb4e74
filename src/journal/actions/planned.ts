import type { Store } from '../database.ts';
import type { Action } from './action.ts';
import { actionColumns, readAction } from './action-row.ts';

/** What was agreed to and is held until its time. Whoever moves it on first, runs it (`ActionStore.move`). */
export interface PlannedStore {
  /** What is due at a moment, the longest due first, at most so many. */
  readonly duePlanned: (at: number, most: number) => Promise<readonly Action[]>;
  /** What is planned in any of these channels, what comes first before the others, at most so many. */
  readonly plannedIn: (channels: readonly string[], most: number) => Promise<readonly Action[]>;
}

export function plannedStore(store: Store): PlannedStore {
  const planned = (most: number) =>
    store.durable
      .selectFrom('actions')
      .select(actionColumns)
      .where('state', '=', 'planned')
      .orderBy('run_at')
      .limit(most);

  return {
    duePlanned: async (at, most) => (await planned(most).where('run_at', '<=', at).execute()).map(readAction),
    plannedIn: async (channels, most) =>
      (await planned(most).where('channel', 'in', store.among(channels)).execute()).map(readAction),
  };
}
