import { type SqlBool, sql } from 'kysely';
import { type Action, actionFields } from '../actions/action.ts';
import { actionColumns, readAction } from '../actions/action-row.ts';
import { asked, drift } from '../actions/order.ts';
import { isChange } from '../actions/states.ts';
import type { Store } from '../database.ts';
import type { JsonObject } from '../json.ts';
import { readTimedChange, type TimedChangeRow } from '../timed/timed-change-row.ts';

/** Several changes that were agreed to together (`action/plan/`). */
export interface PlanStore {
  /** The steps of a plan that were begun, in that order; of one that was begun again after a crash both. */
  readonly stepsOf: (plan: string) => Promise<readonly Action[]>;
  /** What has gone on with a plan or has taken it back, in that order. */
  readonly sequelsOf: (plan: string) => Promise<readonly Action[]>;
  /** What was asked by one of these phrases in a channel and is under way, or has not come to its end since a moment; the newest first. */
  readonly plansIn: (
    channel: string,
    phrases: readonly string[],
    since: number,
    most: number,
  ) => Promise<readonly Action[]>;
  /** Those of the steps of a plan, over or not. */
  readonly timedChangesOfPlan: (plan: string) => Promise<readonly TimedChangeRow[]>;
  /** It ends with others, unless it has ended or got another end meanwhile. */
  readonly alignTimedEnd: (id: number, from: number, to: number) => Promise<void>;
  /** What takes back something else in a channel, or has, of what was asked since a moment. */
  readonly undosSince: (channel: string, since: number) => Promise<readonly Action[]>;
  /** Notes what a step has left, by appliance. */
  readonly leftByStep: (id: string, left: JsonObject) => Promise<void>;
}

/** Whether this replica is at a plan: whoever has taken it over runs its steps, and nobody else. */
export const isRunBy = (replica: string, plan: string) =>
  sql<SqlBool>`exists (select 1 from actions as plan where plan.id = ${plan} and plan.state = 'running' and plan.held_by = ${replica})`;

export function planStore({ durable }: Store): PlanStore {
  const ofPlan = (plan: string) =>
    durable
      .selectFrom('actions')
      .select(actionColumns)
      .where('plan', '=', plan)
      .where('interaction_json', 'is', null)
      .orderBy(asked);

  return {
    stepsOf: async (plan) => (await ofPlan(plan).where('step', 'is not', null).execute()).map(readAction),
    sequelsOf: async (plan) => (await ofPlan(plan).where('step', 'is', null).execute()).map(readAction),
    plansIn: async (channel, phrases, since, most) =>
      (
        await durable
          .selectFrom('actions')
          .select(actionColumns)
          .where('channel', '=', channel)
          .where('phrase', 'in', phrases)
          .where('step', 'is', null)
          .where('interaction_json', 'is', null)
          .where(({ eb, or, and }) =>
            or([
              eb('state', 'in', ['waiting', 'planned', 'approved', 'running']),
              and([isChange, eb('state', 'in', ['failed', 'unknown']), eb('changed_at', '>=', since)]),
            ]),
          )
          .orderBy(asked, 'desc')
          .limit(most)
          .execute()
      ).map(readAction),
    timedChangesOfPlan: async (plan) =>
      (
        await durable
          .selectFrom('timed_changes')
          .selectAll()
          .orderBy('id')
          .where('action', 'in', ({ selectFrom }) =>
            selectFrom('actions').select('actions.id').where('plan', '=', plan).where('step', 'is not', null),
          )
          .execute()
      ).map(readTimedChange),
    alignTimedEnd: async (id, from, to) => {
      await durable
        .updateTable('timed_changes')
        .set({ ends_at: to, next_try_at: to })
        .where('id', '=', id)
        .where('state', '=', 'on')
        .where('ends_at', '=', from)
        .execute();
    },
    undosSince: async (channel, since) =>
      (
        await durable
          .selectFrom('actions')
          .select(actionColumns)
          .where('created_at', '>=', since - drift)
          .where('channel', '=', channel)
          .where('undoes', 'is not', null)
          .where('state', 'in', ['approved', 'running', 'done'])
          .orderBy(asked)
          .execute()
      ).map(readAction),
    leftByStep: async (id, left) => {
      const { column, store } = actionFields.left;
      await durable
        .updateTable('actions')
        .set({ [column]: store(left) })
        .where('id', '=', id)
        .execute();
    },
  };
}
