import { storedText } from '../../stored-text.ts';
import type { Batch } from '../database.ts';

/**
 * As every store keeps it. A moment that was worked out with a share of chance has a fraction of a millisecond, which PostgreSQL
 * refuses.
 */
export function storable<Value>(value: Value): Value | string | number {
  if (typeof value === 'string') return storedText(value);
  return typeof value === 'number' ? Math.round(value) : value;
}

/** The columns that rows of one table name: those that only some of them name, too. */
export const columnsOf = (rows: readonly object[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row))),
];

/** The tables to which something is added, with the rows. */
export const addedIn = ({ add = {} }: Batch<unknown>): readonly (readonly [string, readonly object[]])[] =>
  Object.entries(add).filter(([, rows]) => rows.length > 0);

/** Whether there is nothing to write. */
export const isEmpty = (batch: Batch<unknown>): boolean =>
  [batch.if, batch.swap, batch.sweep, addedIn(batch)].every((part) => (part ?? []).length === 0);
