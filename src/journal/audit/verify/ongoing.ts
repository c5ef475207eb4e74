/**
 * How the bot verifies its own records while it runs: a few at a time, so that nobody waits for it. The newest are verified soon after
 * they were written, and all of them from the beginning once a day. How far it came stands in the journal, with the digest found there:
 * what is behind it can't be replaced as a whole, nor cut off, without somebody changing that as well.
 */

import type { Database, Store } from '../../database.ts';
import { type ChainEnd, generationsIn } from '../chain-start.ts';
import { nothing, prunedUpTo } from '../hash-chain.ts';
import type { AuditVerifiedTable } from '../tables.ts';
import { verifyActionsOf } from './actions.ts';
import { type Break, breakAt, breakBehind, cutOff, endOf } from './chain.ts';

/** What a few records showed. */
interface OngoingStep {
  /** Whether more wait to be verified. */
  readonly isMore: boolean;
  /** What was not known before: that something is broken, or that all is as it was written again. */
  readonly news: Break | 'intact' | undefined;
}

export interface OngoingVerification {
  /** Verifies the next few of what is due, at most so many. Of several replicas one at a time does. */
  readonly verifyNext: (most: number) => Promise<OngoingStep>;
}

/** All of them are verified again when they were so long ago: milliseconds. */
const again = 24 * 60 * 60_000;

type Part = AuditVerifiedTable;

export function ongoingVerification(store: Store, now: () => number): OngoingVerification {
  const isDue = ({ due_at }: Part) => due_at <= now() || due_at > now() + again;

  return {
    verifyNext: async (most) => {
      const { newest, all } = await partsIn(store.quick);
      const last = await lastIn(store.quick);
      if (newest !== undefined && newest.seq === last.seq && all !== undefined && !isDue(all))
        return { isMore: false, news: undefined };
      return store.quick.transaction().execute(async (transaction) => {
        // Nothing is recorded or pruned meanwhile.
        await store.inTurn(transaction, 'audit');
        return verifyIn(transaction, most);
      });
    },
  };

  async function verifyIn(database: Database, most: number): Promise<OngoingStep> {
    const found = await partsIn(database);
    const last = await lastIn(database);
    const newest = found.newest ?? { part: 'newest', ...last, due_at: 0, broken: null };
    const all = found.all ?? { part: 'all', ...nothing, due_at: 0, broken: null };
    const isNewer = newest.seq !== last.seq;
    const part = isNewer ? newest : all;
    if (!isNewer && !isDue(all)) return { isMore: false, news: undefined };
    const { end, isLast, broken } = await verifyPiece(database, part, most);
    const known = [newest.broken, all.broken];
    const tomorrow = { ...nothing, due_at: now() + again };
    if (broken !== undefined) {
      // What is found stays told until all of them are looked at again, which is not before tomorrow.
      await keep(database, { ...newest, ...(isNewer && { ...last, broken: broken.says }) });
      await keep(database, { ...all, ...tomorrow, ...(!isNewer && { broken: broken.says }) });
      return { isMore: false, news: known.includes(broken.says) ? undefined : broken };
    }
    if (isNewer || !isLast) {
      await keep(database, newest);
      await keep(database, { ...part, ...end });
      return { isMore: true, news: undefined };
    }
    await keep(database, { ...newest, broken: null });
    await keep(database, { ...all, ...tomorrow, broken: null });
    return { isMore: false, news: known.some((one) => one !== null) ? 'intact' : undefined };
  }
}

interface Piece {
  /** Up to where all is as it was written. */
  readonly end: ChainEnd;
  /** Whether nothing comes behind it. */
  readonly isLast: boolean;
  readonly broken: Break | undefined;
}

/** Verifies the next few records behind one that was. */
async function verifyPiece(database: Database, { seq, digest }: Part, most: number): Promise<Piece> {
  const pruned = endOf((await prunedUpTo(database)) ?? nothing);
  const generations = await generationsIn(database);
  const isBeginning = seq <= pruned.seq;
  const rows = await database
    .selectFrom('audit')
    .selectAll()
    // At the beginning, also what somebody has put before it; else that one again, which must be there as it was.
    .where('seq', '>=', isBeginning ? Number.MIN_SAFE_INTEGER : seq)
    .orderBy('seq')
    .limit(most + 1)
    .execute();
  const isLast = rows.length <= most;
  const verified = isBeginning ? undefined : rows.shift();
  let end: ChainEnd & { readonly at?: number } = verified ?? pruned;
  const result = (broken: Break | undefined): Piece => ({ end: endOf(end), isLast, broken });
  if (!isBeginning && verified?.seq !== seq)
    return result({ seq, says: `Record ${seq} is missing, and was there before.` });
  if (!isBeginning && verified?.digest !== digest)
    return result({ seq, says: `Record ${seq} was replaced after it had been verified.` });
  const next = rows.slice(0, most);
  for (const row of next) {
    const broken = breakAt(row, end, pruned.seq, generations);
    if (broken !== undefined) return result(broken);
    end = row;
  }
  const behind = breakBehind(end, generations) ?? (isLast ? await cutOff(database, end.seq) : undefined);
  return result(behind ?? (await verifyActionsOf(database, next, verified?.seq ?? pruned.seq)));
}

async function partsIn(database: Database): Promise<Readonly<Partial<Record<Part['part'], Part>>>> {
  const rows = await database.selectFrom('audit_verified').selectAll().execute();
  return Object.fromEntries(rows.map((row) => [row.part, row]));
}

/** The newest record, or the last of those that were pruned. */
async function lastIn(database: Database): Promise<ChainEnd> {
  const last = await database
    .selectFrom('audit')
    .select(['seq', 'digest'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ?? endOf((await prunedUpTo(database)) ?? nothing);
}

async function keep(database: Database, part: Part): Promise<void> {
  await database
    .insertInto('audit_verified')
    .values(part)
    .onConflict((conflict) => conflict.column('part').doUpdateSet(part))
    .execute();
}
