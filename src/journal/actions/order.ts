/** What came first, as the journal counts: a clock is set back, and those of two replicas differ by seconds. */

import { type AliasableExpression, sql } from 'kysely';
import type { Action } from './action.ts';

type Asked = Pick<Action, 'askedSeq' | 'createdAt'>;
type Ran = Asked & Pick<Action, 'ranSeq'>;

/** The order in which actions were asked. */
export const byAsked = (one: Asked, other: Asked): number =>
  (one.askedSeq ?? notYet) - (other.askedSeq ?? notYet) || one.createdAt - other.createdAt;

/** The order in which changes began to run, for which some had to wait; what never ran comes where it was asked. */
export const byRun = (one: Ran, other: Ran): number =>
  (ranIn(one) ?? notYet) - (ranIn(other) ?? notYet) || one.createdAt - other.createdAt;

const ranIn = ({ ranSeq, askedSeq }: Ran) => ranSeq ?? askedSeq;

/** What is being written has no number so far, and is the newest. */
const notYet = Number.MAX_SAFE_INTEGER;

/**
 * The same in a query. The plus keeps both databases from going through all that was ever asked in this order, where the rest of the query
 * finds the few that are meant.
 */
export const asked = sql<number>`+asked_seq` as AliasableExpression<number>;

/** A moment by one clock may be so much earlier or later by another, or by the same after it was set right: in milliseconds. */
export const drift = 60 * 60_000;

/** No clock is ahead of it. */
export const endOfTime = Number.MAX_SAFE_INTEGER;
