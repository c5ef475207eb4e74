import type { Selectable } from 'kysely';
import { oneByOne, type Store } from '../database.ts';
import { insertMessages, type ToSend } from '../delivery/outbox.ts';
import type { PendingAppliesTable } from '../tables.ts';

/** Something that has to be applied before it takes effect. */
interface NewPendingApply {
  readonly appliance: string;
  /** What has to be applied: `acl`, `ssl`, `filter`, `category:252` … The journal only remembers it. */
  readonly what: string;
  /** The id of the action that changed it, whose thread is told when it is live. */
  readonly action: string;
}

export interface PendingApply extends NewPendingApply {
  readonly id: number;
  /** `applying`: its burst has been claimed, and the appliance is, or is about to be, asked to apply it. */
  readonly state: PendingAppliesTable['state'];
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** How often it could not be applied, and why the last time. */
  readonly attempts: number;
  readonly lastProblem: string | undefined;
  /** When it may be tried again. */
  readonly nextAt: number;
  /** The replica that has claimed it. */
  readonly claimedBy: string | undefined;
}

/** Something that was applied, and since when (milliseconds since the epoch). */
export interface AppliedChange extends PendingApply {
  readonly liveAt: number;
}

/** What has to be applied on which appliance (docs/decisions, rule 8). All lists begin with the oldest, all of it outlives a power cut. */
export interface PendingApplies {
  readonly addPendingApply: (debt: NewPendingApply) => Promise<PendingApply>;
  /** Everything that is not live yet, claimed or not: of one appliance, or of all. */
  readonly pendingApplies: (appliance?: string) => Promise<readonly PendingApply[]>;
  /**
   * Claims all that is pending on the appliance and nobody has claimed yet: one burst, for one apply. Of several who ask at
   * once, one gets it and the others get nothing. What becomes pending from now on is left for the next. With `ids`, only these.
   */
  readonly startApply: (appliance: string, ids?: readonly number[]) => Promise<readonly PendingApply[]>;
  /**
   * The burst is live since `at`. Forgets it, and returns what it was: whose threads are to be told, and of what. What
   * `tell` makes of that, and of what is pending there still, is written into the outbox with it.
   */
  readonly settleApply: (
    appliance: string,
    ids: readonly number[],
    at: number,
    tell?: (live: readonly AppliedChange[], left: readonly PendingApply[]) => readonly ToSend[],
  ) => Promise<readonly AppliedChange[]>;
  /** The burst could not be applied: it is pending again, as returned, with one attempt more, the problem, and when to try again. */
  readonly failApply: (
    ids: readonly number[],
    problem: string,
    nextAt: number,
    messages?: readonly ToSend[],
  ) => Promise<readonly PendingApply[]>;
}

export function pendingApplies(store: Store, replica: string, now: () => number): PendingApplies {
  const { durable, among } = store;
  const select = () => durable.selectFrom('pending_applies').selectAll().orderBy('id');

  return {
    addPendingApply: async ({ appliance, what, action }) =>
      read(
        await durable
          .insertInto('pending_applies')
          .values({
            state: 'owed',
            appliance,
            what,
            action,
            since: now(),
            attempts: 0,
            last_problem: null,
            claimed_by: null,
            next_at: 0,
          })
          .returningAll()
          .executeTakeFirstOrThrow(),
      ),

    pendingApplies: async (appliance) => {
      const query = appliance === undefined ? select() : select().where('appliance', '=', appliance);
      return (await query.execute()).map(read);
    },

    startApply: (appliance, ids) =>
      // A burst goes to one replica as a whole, and not by halves to two.
      oneByOne(store, durable, `owed ${appliance}`, async (database) => {
        const claimed = await database
          .updateTable('pending_applies')
          .set({ state: 'applying', claimed_by: replica })
          .where('appliance', '=', appliance)
          .where('state', '=', 'owed')
          .$if(ids !== undefined, (query) => query.where('id', 'in', among(ids ?? [])))
          .returningAll()
          .execute();
        return oldestFirst(claimed);
      }),

    settleApply: async (appliance, ids, at, tell = () => []) =>
      durable.transaction().execute(async (transaction) => {
        const settled = await transaction
          .deleteFrom('pending_applies')
          .where('id', 'in', among(ids))
          .where('state', '=', 'applying')
          .returningAll()
          .execute();
        const live = oldestFirst(settled).map((row) => ({ ...row, liveAt: at }));
        const left = await transaction
          .selectFrom('pending_applies')
          .selectAll()
          .where('appliance', '=', appliance)
          .orderBy('id')
          .execute();
        await insertMessages(transaction, tell(live, left.map(read)), replica, now());
        return live;
      }),

    failApply: async (ids, problem, nextAt, messages = []) =>
      durable.transaction().execute(async (transaction) => {
        const failed = await transaction
          .updateTable('pending_applies')
          .returningAll()
          .set(({ eb }) => ({
            state: 'owed',
            attempts: eb('attempts', '+', 1),
            last_problem: problem,
            claimed_by: null,
            next_at: nextAt,
          }))
          .where('id', 'in', among(ids))
          .where('state', '=', 'applying')
          .execute();
        await insertMessages(transaction, messages, replica, now());
        return oldestFirst(failed);
      }),
  };
}

/** Changed rows are returned in any order. */
const oldestFirst = (rows: readonly Selectable<PendingAppliesTable>[]): readonly PendingApply[] =>
  rows.toSorted((one, other) => one.id - other.id).map(read);

function read(row: Selectable<PendingAppliesTable>): PendingApply {
  return {
    id: row.id,
    state: row.state,
    appliance: row.appliance,
    what: row.what,
    action: row.action,
    since: row.since,
    attempts: row.attempts,
    lastProblem: row.last_problem ?? undefined,
    nextAt: row.next_at,
    claimedBy: row.claimed_by ?? undefined,
  };
}
