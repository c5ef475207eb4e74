import type { Database } from '../database.ts';
import { inPieces, padded } from './pieces.ts';

/**
 * By what records are found. For every term and every two thousand records one row with a bit a record: whatever is
 * combined, a million records are a few hundred rows a term, and all of them are looked at in milliseconds.
 */
export const blockSize = 2_048;

export const blockOf = (seq: number): number => Math.floor(seq / blockSize);

/** What a record is found by from now on, or not any more. */
export interface Marking {
  readonly seq: number;
  readonly terms: readonly string[];
  readonly found: boolean;
}

export async function mark(database: Database, markings: readonly Marking[]): Promise<void> {
  const byBlock = Map.groupBy(markings, ({ seq }) => blockOf(seq));
  for (const [block, here] of byBlock) {
    const terms = [...new Set(here.flatMap(({ terms: names }) => names))];
    const rows = await database
      .selectFrom('audit_index')
      .select(['term', 'bits'])
      .where('block', '=', block)
      .where('term', 'in', padded(terms))
      .execute();
    const bits = new Map(rows.map((row) => [row.term, bitsOf(row.bits)]));
    for (const { seq, terms: names, found } of here) {
      for (const term of names) {
        const known = bits.get(term) ?? emptyBits();
        setBit(known, seq, found);
        bits.set(term, known);
      }
    }
    for (const some of inPieces([...bits])) {
      await database
        .insertInto('audit_index')
        .values(some.map(([term, known]) => ({ term, block, bits: keptAs(term, known) })))
        .onConflict((conflict) =>
          conflict.columns(['term', 'block']).doUpdateSet((eb) => ({ bits: eb.ref('excluded.bits') })),
        )
        .execute();
    }
  }
}

/** The records that have one of each of these terms, from one to another, both of them included. */
export async function found(
  database: Database,
  terms: readonly (readonly string[])[],
  from: number,
  to: number,
  most: number,
): Promise<{ readonly newest: readonly number[]; readonly count: number }> {
  let common: Map<number, Buffer> | undefined;
  for (const some of terms) {
    if (some.length === 0) return { newest: [], count: 0 };
    const rows = await database
      .selectFrom('audit_index')
      .select(['block', 'bits'])
      .where('term', 'in', padded(some))
      .where('block', '>=', blockOf(from))
      .where('block', '<=', blockOf(to))
      .execute();
    const either = new Map<number, Buffer>();
    for (const { block, bits } of rows) {
      const other = either.get(block);
      if (common === undefined || common.has(block)) either.set(block, or(bitsOf(bits), other));
    }
    for (const [block, bits] of either) and(bits, common?.get(block));
    common = either;
  }
  const newest: number[] = [];
  let count = 0;
  for (const block of [...(common?.keys() ?? [])].sort((one, other) => other - one)) {
    const bits = common?.get(block);
    if (bits === undefined) continue;
    const first = block * blockSize;
    if (first < from || first + blockSize - 1 > to) only(bits, from - first, to - first);
    count += ones(bits);
    for (let at = blockSize - 1; at >= 0 && newest.length < most; at -= 1) {
      if (((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0) newest.push(first + at);
    }
  }
  return { newest, count };
}

/** The number of the first record that has it. */
export async function firstWith(database: Database, term: string): Promise<number | undefined> {
  const row = await database
    .selectFrom('audit_index')
    .select(['block', 'bits'])
    .where('term', '=', term)
    .orderBy('block')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const bits = bitsOf(row.bits);
  for (let at = 0; at < blockSize; at += 1) if (isSet(bits, at)) return row.block * blockSize + at;
  return undefined;
}

/** A bit a record of a block, none of them set. */
export const emptyBits = (): Buffer => Buffer.alloc(blockSize / 8);

/** The names of things are many, and most stand in one record of a block: of these, the places of the records are kept, and not a bit for each. */
const few = 60;
const placesFollow = '.';

function keptAs(term: string, bits: Buffer): string {
  if (!term.startsWith('about:')) return bits.toString('base64');
  const places = Array.from({ length: blockSize }, (_, at) => at).filter((at) => isSet(bits, at));
  if (places.length > few) return bits.toString('base64');
  return `${placesFollow}${Buffer.from(Uint16Array.from(places).buffer).toString('base64')}`;
}

/** As they are kept; what somebody has cut off counts as not set. */
export function bitsOf(kept: string): Buffer {
  const bits = emptyBits();
  if (kept.startsWith(placesFollow)) {
    const places = Buffer.from(kept.slice(1), 'base64');
    for (let at = 0; at + 1 < places.length; at += 2) setBit(bits, places.readUInt16LE(at) % blockSize, true);
    return bits;
  }
  bits.write(kept, 'base64');
  return bits;
}

export function setBit(bits: Buffer, seq: number, on: boolean): void {
  const { byte, bit } = placeOf(seq);
  const old = bits[byte] ?? 0;
  bits[byte] = on ? old | bit : old & ~bit;
}

export function isSet(bits: Buffer | undefined, seq: number): boolean {
  const { byte, bit } = placeOf(seq);
  return ((bits?.[byte] ?? 0) & bit) !== 0;
}

function placeOf(seq: number): { readonly byte: number; readonly bit: number } {
  const at = seq % blockSize;
  return { byte: at >> 3, bit: 1 << (at & 7) };
}

function and(one: Buffer, other: Buffer | undefined): void {
  if (other === undefined) return;
  for (let byte = 0; byte < one.length; byte += 1) one[byte] = (one[byte] ?? 0) & (other[byte] ?? 0);
}

function or(one: Buffer, other: Buffer | undefined): Buffer {
  if (other === undefined) return one;
  for (let byte = 0; byte < one.length; byte += 1) one[byte] = (one[byte] ?? 0) | (other[byte] ?? 0);
  return one;
}

/** Clears what is not between these two. */
function only(bits: Buffer, from: number, to: number): void {
  for (let at = 0; at < blockSize; at += 1) {
    if (at >= from && at <= to) continue;
    bits[at >> 3] = (bits[at >> 3] ?? 0) & ~(1 << (at & 7));
  }
}

function ones(bits: Buffer): number {
  let count = 0;
  for (const byte of bits) count += onesIn[byte] ?? 0;
  return count;
}

const onesIn: readonly number[] = Array.from(
  { length: 256 },
  (_, byte) => byte.toString(2).replaceAll('0', '').length,
);
