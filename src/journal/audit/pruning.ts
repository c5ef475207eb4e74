/** How old records leave the chain: with the actions that they are about, and so that those after them can still be verified. */

import type { Database, Store } from '../database.ts';
import { notOver } from '../timed/timed-change-row.ts';
import { generationsIn } from './chain-start.ts';
import { follows, prunedUpTo } from './hash-chain.ts';
import { blockOf } from './search-index.ts';

/** Deletes the records of what ended before a moment: at most so many. Resolves to how many they were. */
export function pruneRecords(store: Store, before: number, most: number, now: () => number): Promise<number> {
  return store.durable.transaction().execute(async (transaction) => {
    await store.inTurn(transaction, 'audit');
    const anchor = await prunedUpTo(transaction);
    const rows = await transaction.selectFrom('audit').selectAll().orderBy('seq').limit(most).execute();
    const old = rows.slice(
      0,
      lengthOf(rows, ({ at }) => at < before),
    );
    // Somebody may have changed a time so that the record goes away: what is not as it was written stays.
    const sound = lengthOf(old, follows(anchor, await generationsIn(transaction)));
    const last = old[sound - 1];
    // What was left the last time, because it was still under way, may be over by now.
    await forgetActions(transaction, last?.seq ?? anchor?.seq ?? 0);
    if (last === undefined) return 0;
    await transaction
      .insertInto('audit_pruned')
      .values({ upto: last.seq, digest: last.digest, at: now() })
      .execute();
    await transaction.deleteFrom('audit').where('seq', '<=', last.seq).execute();
    await transaction
      .deleteFrom('audit_index')
      .where('block', '<', blockOf(last.seq + 1))
      .execute();
    return sound;
  });
}

/** How many of them, from the first on, are so. */
function lengthOf<Item>(items: readonly Item[], isSo: (item: Item) => boolean): number {
  const end = items.findIndex((item) => !isSo(item));
  return end === -1 ? items.length : end;
}

/**
 * Of what was recorded up to a number, whatever nobody needs any more: nothing of it is on, or still to be done or told, and it is no plan
 * of which that is so.
 */
async function forgetActions(database: Database, upto: number): Promise<void> {
  const pending = () => database.selectFrom('pending_applies').select('action');
  const timed = () =>
    database
      .selectFrom('timed_changes')
      .select('action')
      .where(({ eb, and, or }) =>
        or([eb('state', 'in', notOver), and([eb('state', '=', 'over'), eb('reported', '=', 0)])]),
      );
  const plans = () =>
    database
      .selectFrom('actions')
      .select('plan')
      .where('id', 'in', pending().union(timed()))
      .where('plan', 'is not', null);
  const gone = () =>
    database
      .selectFrom('actions')
      .select('id')
      .where('recorded', '<=', upto)
      .where('id', 'not in', pending().union(timed()))
      .where('id', 'not in', plans());
  for (const table of ['events', 'approvals', 'timed_changes'] as const) {
    await database.deleteFrom(table).where('action', 'in', gone()).execute();
  }
  await database.deleteFrom('actions').where('id', 'in', gone()).execute();
}
