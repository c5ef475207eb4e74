/** Where the chain goes on after a restore: with another number, from a digest that names what is not there. */

import { hash } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../database.ts';
import type { GenerationsTable } from '../tables.ts';

/** What the journal calls itself, from its beginning or from a restore on. */
export interface Generation {
  /** From 1. */
  readonly number: number;
  /** Nobody else's: it stands on what is said from then on. */
  readonly id: string;
  /** Milliseconds since the epoch, as the other moments. */
  readonly beganAt: number;
  /** The last record that there was before it; 0 where there was none. */
  readonly follows: number;
  /** The number of its first record: none between the two is ever given again. */
  readonly first: number;
  /** The newest moment that the journal knew when it began. */
  readonly knownUntil: number;
  /** The newest moment of what had been said and was not known. */
  readonly saidUntil: number | undefined;
  /** A record that the audit channel was told of and that is not there: `14:9f3ab0c4d5119f3ab0c4d511@2027-01-31T08:15:00Z`. */
  readonly lostRecord: string | undefined;
}

/** With what its first record goes on from. */
export interface ChainStart extends Generation {
  readonly start: string;
}

/** What the first record of a generation goes on from: nothing of what its row says can be changed unnoticed. */
export const startOf = (
  { number, id, beganAt, follows, first, knownUntil, saidUntil, lostRecord }: Generation,
  previous: string,
): string =>
  hash(
    'sha256',
    [number, id, previous, beganAt, follows, first, knownUntil, saidUntil ?? '', lostRecord ?? ''].join('\n'),
  );

/** All there are, the first one first. */
export async function generationsIn(database: Database): Promise<readonly ChainStart[]> {
  return (await database.selectFrom('generations').selectAll().orderBy('number').execute()).map(read);
}

const read = (row: Selectable<GenerationsTable>): ChainStart => ({
  number: row.number,
  id: row.id,
  beganAt: row.began_at,
  follows: row.follows_seq,
  first: row.first_seq,
  start: row.start,
  knownUntil: row.known_until,
  saidUntil: row.said_until ?? undefined,
  lostRecord: row.lost_record ?? undefined,
});

/** A place in the chain: the next record has the next number, and goes on from this digest. */
export interface ChainEnd {
  readonly seq: number;
  readonly digest: string;
}

/**
 * Where the chain goes on after a record: there, unless a generation follows it. Undefined where one does that is not as it
 * was written.
 */
export function goesOnAfter(end: ChainEnd, generations: readonly ChainStart[]): ChainEnd | undefined {
  let next = end;
  for (const one of generations) {
    if (one.number === 1 || one.follows !== next.seq) continue;
    if (one.first <= one.follows || startOf(one, next.digest) !== one.start) return undefined;
    next = { seq: one.first - 1, digest: one.start };
  }
  return next;
}
