import { type SqlBool, sql } from 'kysely';

/** Where an action stands. */
export type State =
  | 'asked' // written down; nothing decided yet
  | 'refused' // not allowed, not understood, or nothing to act on
  | 'waiting' // its card waits for a click
  | 'planned' // agreed to, and held until its time
  | 'approved' // somebody with authority clicked; role and preview are being taken again
  | 'running' // the appliance is being called, or about to be
  | 'done'
  | 'failed' // it certainly did not happen
  | 'unknown' // it may have happened, and reading could not tell
  | 'cancelled'
  | 'expired';

/**
 * The only legal transitions. Before `running` the appliance has been asked to change nothing, after it
 * everything is possible: that is why a crash in `approved` ends `cancelled`, and a crash in `running` ends `unknown`.
 * A change that can be put back runs without a question: `asked` to `running`. Once a question was asked, only an
 * answer to it leads there. What is planned is `approved` at its time, and planned again while it cannot be looked at. What stood open in a backup is `unknown` when that was restored: it has ended since.
 */
export const transitions: Readonly<Record<State, readonly State[]>> = {
  asked: ['waiting', 'planned', 'running', 'refused', 'failed', 'unknown'],
  waiting: ['approved', 'cancelled', 'expired', 'unknown'],
  planned: ['approved', 'cancelled', 'expired', 'unknown'],
  approved: ['running', 'planned', 'waiting', 'cancelled', 'expired', 'unknown'],
  running: ['done', 'failed', 'unknown'],
  // Looked at again, it may be unknown still.
  unknown: ['done', 'failed', 'unknown'],
  refused: [],
  done: [],
  failed: [],
  cancelled: [],
  expired: [],
};

/**
 * The states an action may be written down in: a refusal, a lookup, an answer from the bot's own knowledge and what it has done or
 * tried by itself need no earlier row.
 */
export const initial = ['asked', 'running', 'refused', 'done', 'failed'] as const satisfies readonly State[];

/** While it is in one of these, a replica is at it. */
export const busy: ReadonlySet<State> = new Set(['asked', 'approved', 'running']);

/** Neither over nor unknown: the same line, typed again within a moment, means this one. */
export const underWay: ReadonlySet<State> = new Set([...busy, 'waiting', 'planned']);

/** The outcome's code of a change that was accepted and is not visible yet. It is `unknown`, and held by whoever looks again. */
export const notVisibleYet = 'not_visible_yet';

/** Whether a change is neither done nor failed yet, because the bot still looks whether it is visible. */
export const isLookedForAgain = ({
  state,
  outcome,
}: {
  readonly state: State;
  readonly outcome?: { readonly code: string } | undefined;
}): boolean => state === 'unknown' && outcome?.code === notVisibleYet;

/** Whether it is not known yet what becomes of a change: it runs, or was accepted and is not visible yet. */
export const isOnItsWay = (change: Parameters<typeof isLookedForAgain>[0]): boolean =>
  change.state === 'running' || isLookedForAgain(change);

/** Whether an action that stood so can stand like that later. */
export function leadsTo(from: State, to: State): boolean {
  const reached = new Set<State>([from]);
  for (const state of reached) for (const next of transitions[state]) reached.add(next);
  return reached.has(to);
}

/** Word for word as their indices say it (`migrations/0031-sizes.ts`): with a parameter in it, neither database would use those. */
export const isWaiting = sql<SqlBool>`state = 'waiting'`;
export const isChange = sql<SqlBool>`effect != 'read'`;
