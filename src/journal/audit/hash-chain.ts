/** The chain of digests: each row carries the digest of itself and of the one before it, so that none is changed unnoticed. */

import { hash } from 'node:crypto';
import type { Database } from '../database.ts';
import { type ChainEnd, type ChainStart, generationsIn, goesOnAfter } from './chain-start.ts';
import type { AuditRecord } from './record.ts';
import { recordIn } from './record-in.ts';

/** A row of the chain, without its digest. */
export interface Link {
  readonly seq: number;
  readonly action: string;
  readonly at: number;
  readonly record_json: string;
}

/** The digest that a row carries: of itself and of the one before it. SHA-256 in hexadecimal. */
export const digestOf = ({ seq, action, at, record_json }: Link, previous: string): string =>
  hash('sha256', `${seq}\n${previous}\n${action}\n${at}\n${record_json}`);

/** A row of the chain. */
export interface ChainRow extends Link {
  readonly digest: string;
}

/** Digits of a digest that are written down elsewhere: so many that no forged record is found that begins with them. */
const digits = 24;

/** A record as somebody holds it who cannot trust the database: `12:9f3ab0c4d5119f3ab0c4d511@2027-01-31T08:15:00Z`. */
export const heldOf = ({ seq, digest, at }: Pick<ChainRow, 'seq' | 'digest' | 'at'>): string =>
  `${seq}:${digest.slice(0, digits)}@${new Date(at).toISOString().replace(/\.\d+/, '')}`;

/** Whether rows follow each other from the last one that was pruned on, each as it was written: to be asked one by one. */
export function follows(pruned: ChainEnd | undefined, generations: readonly ChainStart[]) {
  let head = pruned ?? nothing;
  return (row: ChainRow): boolean => {
    const before = row.seq === head.seq + 1 ? head : goesOnAfter(head, generations);
    const isNext = row.seq === (before?.seq ?? 0) + 1 && digestOf(row, before?.digest ?? '') === row.digest;
    head = row;
    return isNext;
  };
}

/** Before the first record. */
export const nothing: ChainEnd = { seq: 0, digest: '' };

/** A record where it stands. */
export interface Recorded {
  /** From 1, without a gap. */
  readonly seq: number;
  /** When the action ended, and never before the one of the record before it: milliseconds since the epoch. */
  readonly at: number;
  readonly record: AuditRecord;
  /** Of this record and the one before it: SHA-256 in hexadecimal. */
  readonly digest: string;
}

/** The rows of the chain in its order, from one on, a thousand at a time. */
export async function* links(database: Database, from: number): AsyncGenerator<readonly ChainRow[]> {
  for (let next = from; ; ) {
    const rows = await database
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>=', next)
      .orderBy('seq')
      .limit(1_000)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    next = last.seq + 1;
  }
}

/** @throws with its number where somebody has put there what is no record: to leave it out would hide that. */
export function recordedOf({ seq, at, record_json, digest }: ChainRow): Recorded {
  const record = recordIn(record_json);
  if (record === undefined) throw new Error(`record ${seq} can no longer be read`);
  return { seq, at, record, digest };
}

export async function prunedUpTo(
  database: Database,
): Promise<(ChainEnd & { readonly at: number }) | undefined> {
  const last = await database
    .selectFrom('audit_pruned')
    .select(['upto as seq', 'digest', 'at'])
    .orderBy('upto', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last;
}

/** Where the chain ends; at its digest the next row goes on. */
export async function headOf(database: Database): Promise<ChainEnd & { readonly at: number }> {
  const last = await database
    .selectFrom('audit')
    .select(['seq', 'at', 'digest'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const end = last ?? { ...((await prunedUpTo(database)) ?? nothing), at: 0 };
  return { ...end, ...goesOnAfter(end, await generationsIn(database)) };
}
