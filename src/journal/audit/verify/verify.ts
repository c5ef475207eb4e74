import type { Database, Store } from '../../database.ts';
import { verifyActions } from './actions.ts';
import { type Break, type Chain, verifyChain } from './chain.ts';
import { type Against, holdAgainst } from './held.ts';
import { verifyTerms } from './terms.ts';

export interface Verified extends Chain {
  /** Undefined where everything is as it was written. */
  readonly broken: Break | undefined;
}

/**
 * Whether the records are as they were written: the chain first, then what somebody holds of it, then what the rest of the
 * journal says of them. All of it at one moment, while the bot goes on.
 */
export function verifyRecords({ quick }: Pick<Store, 'quick'>, against: Against): Promise<Verified> {
  return quick
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (snapshot) => {
      const chain = await verifyChain(snapshot);
      return { ...chain, broken: chain.broken ?? (await verifyRest(snapshot, chain, against)) };
    });
}

async function verifyRest(database: Database, chain: Chain, against: Against): Promise<Break | undefined> {
  return (
    (await holdAgainst(database, chain, against)) ??
    (await verifyTerms(database)) ??
    (await verifyActions(database, chain))
  );
}
