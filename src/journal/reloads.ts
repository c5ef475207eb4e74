import type { Selectable } from 'kysely';
import type { Store } from './database.ts';
import type { ReloadsTable } from './tables.ts';

/** One time that the policy was read again and was another one, or could not be taken. */
export interface Reload {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly outcome: ReloadsTable['outcome'];
  /** A sentence for everything that changed, or for everything that was wrong. */
  readonly told: readonly string[];
}

/** What became of the policy while the bot was running. */
export interface Reloads {
  /** Outlives a power cut: who may do what is answered for by it. */
  readonly writeReload: (reload: Omit<Reload, 'at'>) => Promise<void>;
  /** The newest first, at most so many. */
  readonly reloads: (count?: number) => Promise<readonly Reload[]>;
}

export function policyReloads({ durable }: Store, now: () => number): Reloads {
  return {
    writeReload: async ({ outcome, told }) => {
      await durable
        .insertInto('reloads')
        .values({ at: now(), outcome, told_json: JSON.stringify(told) })
        .execute();
    },

    reloads: async (count = 100) =>
      (await durable.selectFrom('reloads').selectAll().orderBy('id', 'desc').limit(count).execute()).map(
        read,
      ),
  };
}

const read = ({ at, outcome, told_json }: Selectable<ReloadsTable>): Reload => ({
  at,
  outcome,
  told: JSON.parse(told_json),
});
