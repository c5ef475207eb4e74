import type { Database } from '../../database.ts';
import {
  type ChainEnd,
  type ChainStart,
  type Generation,
  generationsIn,
  goesOnAfter,
} from '../chain-start.ts';
import { type ChainRow, digestOf, nothing, prunedUpTo } from '../hash-chain.ts';
import { atOneMoment } from './moment.ts';

/** What is not as it was written, of all that is so the first. */
export interface Break {
  /** The number of the record that it is about. */
  readonly seq: number;
  /** A full sentence. */
  readonly says: string;
}

export const unreadable = ({ seq, action }: { readonly seq: number; readonly action: string }): Break => ({
  seq,
  says: `Record ${seq} (action ${action}) cannot be read.`,
});

/** What going through the chain showed. */
export interface Chain {
  /** How many rows are as they were written, up to the first that is not. */
  readonly rows: number;
  /** The last of these; undefined where there is none. */
  readonly head: ChainRow | undefined;
  /** Up to where the records were pruned; 0 where none was. */
  readonly prunedUpTo: number;
  /** Where it goes on after a restore, the first one first: what its beginning names is not there. */
  readonly restores: readonly Generation[];
  readonly broken: Break | undefined;
}

/**
 * Goes through the whole chain, a page at a time, up to what is its end by then, and computes every digest anew. A chain that somebody
 * has computed anew as a whole passes, and one whose end was cut off together with its actions: these are found out by what is held
 * elsewhere (`held.ts`).
 */
export async function verifyChain(database: Database): Promise<Chain> {
  let rows = 0;
  let head: ChainRow | undefined;
  for (;;) {
    const page = await atOneMoment(database, (moment) => pageFrom(moment, head?.seq));
    const { generations, pruned: start } = page;
    const result = (broken?: Break): Chain => ({
      ...{ rows, head, prunedUpTo: start.seq, broken },
      restores: generations.filter(({ number }) => number > 1),
    });
    // What was looked at may have been pruned since then, and more than that.
    if (head !== undefined && head.seq <= start.seq) head = undefined;
    for (const [index, row] of page.rows.entries()) {
      // Each page begins with the last row of the one before it, so that one that is there twice stands in one page.
      if (index === 0 && row.seq === head?.seq && row.digest === head.digest) continue;
      const broken = breakAt(row, head ?? endOf(start), start.seq, generations);
      if (broken !== undefined) return result(broken);
      head = row;
      rows += 1;
    }
    if (!page.isLast) continue;
    return result(breakBehind(head ?? start, generations) ?? page.cutOff);
  }
}

export const endOf = ({ seq, digest }: ChainEnd): ChainEnd => ({ seq, digest });

/** What is wrong with a row that comes after another one, or after those that were pruned. */
export function breakAt(
  row: ChainRow,
  before: ChainEnd & { readonly at?: number },
  pruned: number,
  generations: readonly ChainStart[],
): Break | undefined {
  const end = row.seq === before.seq + 1 ? before : goesOnAfter(before, generations);
  if (end === undefined) return otherStart(before.seq, generations);
  if (row.seq !== end.seq + 1) return outOfPlace(row, end.seq, pruned);
  if (digestOf(row, end.digest) !== row.digest) return changed(row, pruned > 0 && before.seq === pruned);
  return before.at !== undefined && row.at < before.at ? older(row) : undefined;
}

/** What should follow the last row and does not. */
export const breakBehind = (last: ChainEnd, generations: readonly ChainStart[]): Break | undefined =>
  goesOnAfter(last, generations) === undefined ? otherStart(last.seq, generations) : undefined;

const pageSize = 1_000;

/** Rows from a number on, with all by which they are judged. */
async function pageFrom(moment: Database, from = Number.MIN_SAFE_INTEGER) {
  const pruned = (await prunedUpTo(moment)) ?? nothing;
  const rows = await moment
    .selectFrom('audit')
    .selectAll()
    .where('seq', '>=', from)
    .orderBy('seq')
    .limit(pageSize)
    .execute();
  const isLast = rows.length < pageSize;
  return {
    ...{ rows, pruned, isLast, generations: await generationsIn(moment) },
    cutOff: isLast ? await cutOff(moment, rows.at(-1)?.seq ?? pruned.seq) : undefined,
  };
}

function otherStart(seq: number, generations: readonly ChainStart[]): Break {
  const next = generations.find(({ number, follows }) => number > 1 && follows >= seq);
  const says = `The entry for the restore after record ${seq} was changed.`;
  return { seq: next?.first ?? seq + 1, says };
}

function outOfPlace({ seq, action }: ChainRow, last: number, pruned: number): Break {
  const about = `Record ${seq} (action ${action})`;
  if (seq < 1) return { seq, says: `${about} comes before the first record.` };
  if (seq <= pruned) return { seq, says: `${about} is among the pruned records, up to record ${pruned}.` };
  if (seq <= last) return { seq, says: `${about} exists twice.` };
  const missing = last + 1 === seq - 1 ? `Record ${last + 1} is` : `Records ${last + 1} to ${seq - 1} are`;
  return { seq: last + 1, says: `${missing} missing before record ${seq} (action ${action}).` };
}

function changed({ seq, action }: ChainRow, followsPruned: boolean): Break {
  const how = followsPruned
    ? 'does not follow the pruned records, or was changed'
    : 'was changed, or the record before it was replaced';
  return { seq, says: `Record ${seq} (action ${action}) ${how}: its digest differs.` };
}

const older = ({ seq, action }: ChainRow): Break => ({
  seq,
  says: `Record ${seq} (action ${action}) is older than the record before it. The bot never writes records in that order.`,
});

/** The actions say up to where they are recorded. */
export async function cutOff(database: Database, head: number): Promise<Break | undefined> {
  const last = await database
    .selectFrom('actions')
    .select(['id', 'recorded'])
    .where('recorded', '>', head)
    .orderBy('recorded', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined) return undefined;
  const says = `Records ${head + 1} to ${last.recorded} are missing at the end; record ${last.recorded} belonged to action ${last.id}.`;
  return { seq: head + 1, says };
}
