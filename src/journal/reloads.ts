import type { Selectable } from 'kysely';
import { z } from 'zod';
import { codec } from '../codec.ts';
import { jsonBy } from './actions/field.ts';
import type { Database, Store } from './database.ts';
import type { ReloadsTable } from './tables.ts';

/**
 * One time that the policy was read again and was another one, or could not be taken; or that replicas were found to decide by
 * different ones, or did not any more.
 */
export interface Reload {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly outcome: ReloadsTable['outcome'];
  /** A sentence for everything that changed, for everything that was wrong, or for each replica. */
  readonly told: readonly string[];
}

/** What became of the policy while the bot was running. */
export interface Reloads {
  /**
   * Outlives a power cut: who may do what is answered for by it. False when another replica has just written the same,
   * for all of them look at the same file.
   */
  readonly writeReload: (reload: Omit<Reload, 'at'>) => Promise<boolean>;
  /** The newest first, at most so many. */
  readonly reloads: (count?: number) => Promise<readonly Reload[]>;
}

const sentences = jsonBy(codec(z.array(z.string())));
const unreadable = ['The changes can no longer be read.'];

/** How much later another replica may find the same, in milliseconds: clocks differ, and so does when a file arrives. */
const justNow = 5 * 60_000;

export function policyReloads(store: Store, replica: string, now: () => number): Reloads {
  const { durable } = store;

  return {
    writeReload: async ({ outcome, told }) => {
      const row = { outcome, told_json: sentences.store(told), replica };
      const insert = (database: Database) =>
        database
          .insertInto('reloads')
          .values({ ...row, at: now() })
          .execute();
      if (!store.isShared) {
        await insert(durable);
        return true;
      }
      return durable.transaction().execute(async (transaction) => {
        await store.inTurn(transaction, 'reloads');
        // What this one has written itself was undone meanwhile, and is news again.
        const same = await transaction
          .selectFrom('reloads')
          .select('id')
          .where('outcome', '=', row.outcome)
          .where('told_json', '=', row.told_json)
          .where('replica', '!=', replica)
          .where('at', '>', now() - justNow)
          .executeTakeFirst();
        if (same === undefined) await insert(transaction);
        return same === undefined;
      });
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
  told: sentences.read(told_json) ?? unreadable,
});
