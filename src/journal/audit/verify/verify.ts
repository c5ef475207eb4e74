import type { Database, Store } from '../../database.ts';
import { verifyActions } from './actions.ts';
import { type Break, type Chain, verifyChain } from './chain.ts';
import { type Against, holdAgainst } from './held.ts';
import { atOneMoment } from './moment.ts';
import { verifyTerms } from './terms.ts';

export interface Verified extends Chain {
  /** Undefined where everything is as it was written. */
  readonly broken: Break | undefined;
  /** Records of earlier versions that are not found by each of their names (`terms.ts`), by their numbers. */
  readonly unindexed: readonly number[];
}

/**
 * Whether the records are as they were written: the chain first, then what somebody holds of it, then what the rest of the
 * journal says of them. A page at a time (`moment.ts`), while the bot goes on: what is written or pruned meanwhile is no mistake.
 */
export async function verifyRecords({ quick }: Pick<Store, 'quick'>, against: Against): Promise<Verified> {
  const chain = await verifyChain(quick);
  const unindexed: number[] = [];
  const broken = chain.broken ?? (await verifyRest(quick, chain, against, unindexed));
  return { ...chain, broken, unindexed };
}

async function verifyRest(
  database: Database,
  chain: Chain,
  against: Against,
  unindexed: number[],
): Promise<Break | undefined> {
  return (
    (await atOneMoment(database, (moment) => holdAgainst(moment, chain, against))) ??
    (await verifyTerms(database, unindexed)) ??
    (await verifyActions(database))
  );
}
