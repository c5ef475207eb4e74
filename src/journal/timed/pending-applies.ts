import type { Selectable } from 'kysely';
import { actionColumns, changedColumns, readOne } from '../actions/action-row.ts';
import { claimsOn, freed } from '../claims.ts';
import type { Condition, Database, Store } from '../database.ts';
import { messageRows, type ToSend } from '../delivery/outbox.ts';
import type { PendingAppliesTable } from '../tables.ts';

/** Something that has to be applied before it takes effect. */
interface NewPendingApply {
  readonly appliance: string;
  /** What has to be applied: `acl`, `ssl`, `filter`, `category:252` … The journal only remembers it. */
  readonly what: string;
  /** The id of the action that changed it, whose thread is told when it is live. */
  readonly action: string;
  /** When it is tried at first, where that is not at once (milliseconds since the epoch). */
  readonly nextTryAt?: number;
}

export interface PendingApply extends NewPendingApply {
  readonly id: number;
  /** `applying`: its burst has been claimed, and the appliance is, or is about to be, asked to apply it. */
  readonly state: 'pending' | 'applying';
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** How often it could not be applied, and why the last time. */
  readonly tries: number;
  readonly lastProblem: string | undefined;
  /** When it may be tried again. */
  readonly nextTryAt: number;
  /** The replica that has claimed it. */
  readonly heldBy: string | undefined;
}

/** What is told of it, with it. */
export interface AppliedTold {
  readonly messages: readonly ToSend[];
  /** What shows it on the cards of actions that are over: one line more of that part of their outcomes. */
  readonly evidence?: readonly AppliedEvidence[];
}

interface AppliedEvidence {
  readonly action: string;
  readonly of: 'evidence' | 'undone';
  readonly line: string;
}

/** `isNoted`: whether evidence is written at once, so that a card that is drawn now shows it. */
type TellApplied = (
  live: readonly AppliedChange[],
  left: readonly PendingApply[],
  isNoted: boolean,
) => AppliedTold;

/** Something that was applied, and since when (milliseconds since the epoch). */
export interface AppliedChange extends PendingApply {
  readonly liveAt: number;
}

/** What has to be applied on which appliance (docs/decisions, rule 8). All lists begin with the oldest, all of it outlives a power cut. */
export interface PendingApplies {
  readonly addPendingApply: (debt: NewPendingApply) => Promise<PendingApply>;
  /** Everything that is not live yet, claimed or not: of one appliance, or of all. */
  readonly pendingApplies: (appliance?: string) => Promise<readonly PendingApply[]>;
  /** What was to be tried later is tried as soon as it can, of these actions. */
  readonly expediteApplies: (actions: readonly string[]) => Promise<void>;
  /**
   * Claims all that is pending on the appliance and nobody has claimed yet: one burst, for one apply. Of several who ask at
   * once, one gets it and the others get nothing. What becomes pending from now on is left for the next. With `ids`, only these.
   */
  readonly startApply: (appliance: string, ids?: readonly number[]) => Promise<readonly PendingApply[]>;
  /**
   * The burst is live since `at`. Forgets it, and returns what it was: whose threads are to be told, and of what. What
   * `tell` makes of that, and of what is pending still, there and elsewhere, is written down with it.
   */
  readonly settleApply: (
    appliance: string,
    ids: readonly number[],
    at: number,
    tell?: TellApplied,
  ) => Promise<readonly AppliedChange[]>;
  /** The burst could not be applied: it is pending again, as returned, with one try more, the problem, and when to try again. */
  readonly failApply: (
    ids: readonly number[],
    problem: string,
    nextTryAt: number,
    messages?: readonly ToSend[],
  ) => Promise<readonly PendingApply[]>;
}

export function pendingApplies(store: Store, replica: string, now: () => number): PendingApplies {
  const { durable, among, write } = store;
  const claims = claimsOn('pending_applies', store, replica, now);
  const select = () => durable.selectFrom('pending_applies').selectAll().orderBy('id');

  return {
    addPendingApply: async ({ appliance, what, action, nextTryAt = 0 }) =>
      read(
        await durable
          .insertInto('pending_applies')
          .values({
            ...{ appliance, what, action, since: now(), last_problem: null },
            ...{ ...freed, tries: 0, next_try_at: nextTryAt },
          })
          .returningAll()
          .executeTakeFirstOrThrow(),
      ),

    pendingApplies: async (appliance) => {
      const query = appliance === undefined ? select() : select().where('appliance', '=', appliance);
      return (await query.execute()).map(read);
    },

    expediteApplies: async (actions) => {
      await durable
        .updateTable('pending_applies')
        .set({ next_try_at: 0 })
        .where('action', 'in', among(actions))
        .where('tries', '=', 0)
        .execute();
    },

    startApply: async (appliance, ids) => {
      const burst = await claims.claimGroup(
        ({ and, eb }) =>
          and([
            eb('appliance', '=', appliance),
            claims.isFree(),
            ...(ids === undefined ? [] : [eb('id', 'in', among(ids))]),
          ]),
        claims.isFree,
      );
      return burst.map(read);
    },

    settleApply: async (appliance, ids, at, tell = () => ({ messages: [] })) => {
      for (;;) {
        const all = (await select().execute()).map(read);
        const isLive = (one: PendingApply) =>
          one.appliance === appliance && ids.includes(one.id) && one.heldBy !== undefined;
        const live = all.filter(isLive).map((one) => ({ ...one, liveAt: at }));
        if (live.length === 0) return [];
        const left = all.filter((one) => !isLive(one));
        const { messages, evidence = [] } = tell(live, left, true);
        const actions = new Set(live.map(({ action }) => action));
        const alsoLeft = left.flatMap(({ id, action }) => (actions.has(action) ? [id] : []));
        const settles = durable
          .deleteFrom('pending_applies')
          .where('id', 'in', among(live.map(({ id }) => id)))
          .where('held_by', 'is not', null)
          .returning('id');
        const settled = await write('durable', {
          // Of two appliances that settle at once, the second sees that nothing of a change is left on the first.
          if:
            alsoLeft.length === 0
              ? []
              : [
                  {
                    query: durable
                      .selectFrom('pending_applies')
                      .select('id')
                      .where('id', 'in', among(alsoLeft)),
                    hits: alsoLeft.length,
                  },
                ],
          swap: [{ query: settles, hits: live.length }, ...(await withEvidence(durable, evidence))],
          add: { outbox: messageRows(messages, replica, now()) },
        });
        if (settled !== undefined) return live;
      }
    },

    failApply: async (ids, problem, nextTryAt, messages = []) => {
      const query = claims.retrying(ids, nextTryAt, { changes: { last_problem: problem } });
      const failed = await write('durable', {
        swap: [{ query }],
        add: { outbox: messageRows(messages, replica, now()) },
      });
      return (failed ?? []).map(read).toSorted((one, other) => one.id - other.id);
    },
  };
}

/** No part of their records (`audit/record.ts`): an outcome does not change any more. */
async function withEvidence(
  durable: Database,
  evidence: readonly AppliedEvidence[],
): Promise<readonly Condition<unknown>[]> {
  const byAction = Map.groupBy(evidence, ({ action }) => action);
  const changes = Array.from(byAction, async ([id, lines]) => {
    const row = await durable
      .selectFrom('actions')
      .select(actionColumns)
      .where('id', '=', id)
      .executeTakeFirst();
    const outcome = readOne(row)?.outcome;
    if (row === undefined || outcome === undefined) return [];
    const changed = { ...outcome };
    for (const { of, line } of lines) changed[of] = [...(changed[of] ?? []), line];
    const query = durable
      .updateTable('actions')
      .set(changedColumns({ outcome: changed }))
      .where('id', '=', id)
      .where('outcome_json', '=', row.outcome_json)
      .returning('id');
    return [{ query }];
  });
  return (await Promise.all(changes)).flat();
}

function read(row: Selectable<PendingAppliesTable>): PendingApply {
  return {
    id: row.id,
    state: row.held_by === null ? 'pending' : 'applying',
    appliance: row.appliance,
    what: row.what,
    action: row.action,
    since: row.since,
    tries: row.tries,
    lastProblem: row.last_problem ?? undefined,
    nextTryAt: row.next_try_at,
    heldBy: row.held_by ?? undefined,
  };
}
