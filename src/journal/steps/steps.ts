import type { Selectable } from 'kysely';
import { drift } from '../actions/order.ts';
import { claimsOn, freed } from '../claims.ts';
import type { Store } from '../database.ts';
import type { WorkflowStepsTable } from '../tables.ts';

/** A step of a workflow that waits for what becomes of what it asked for. */
export interface OpenStep {
  /** By which Slack knows the run of the step (`function_execution_id`). */
  readonly execution: string;
  /** The action that it asked for; none where the bot died before it was read. */
  readonly action: string | undefined;
}

/** The steps of workflows. An action that one asked for has the step's execution for its delivery. */
export interface StepStore {
  /** False when this very run was taken before, here or by another replica; this one holds it until it is `stepAsked`. */
  readonly takeStep: (execution: string) => Promise<boolean>;
  /** It was read, and what came of it is an action or nothing: whoever looks next may tell the step. */
  readonly stepAsked: (execution: string) => Promise<void>;
  /** Claims those whose action is over, or of which nothing came. */
  readonly claimEndedSteps: () => Promise<readonly OpenStep[]>;
  /** Slack did not take it. */
  readonly tellStepLater: (execution: string, nextTryAt: number) => Promise<void>;
  /** The step knows. */
  readonly stepTold: (execution: string) => Promise<void>;
}

export function stepStore(store: Store, replica: string, now: () => number): StepStore {
  const { durable } = store;
  const claims = claimsOn('workflow_steps', store, replica, now);

  return {
    takeStep: async (execution) => {
      const takes = durable
        .insertInto('deliveries')
        .values({ key: execution, at: now(), channel: null, person: null, ...freed })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key');
      const step = { execution, action: null, created_at: now(), tries: 0, next_try_at: 0, ...claims.held() };
      const taken = await store.write('durable', {
        swap: [{ query: takes }],
        add: { workflow_steps: [step] },
      });
      return taken !== undefined;
    },
    stepAsked: async (execution) => {
      const action = await actionOf(execution);
      await claims.free([execution], { changes: { action: action ?? null } });
    },
    claimEndedSteps: async () => {
      const claimed = await claims.claim(({ and, or, eb, exists, selectFrom }) =>
        and([
          claims.isFree(),
          claims.isDue(),
          or([
            eb('action', 'is', null),
            exists(
              selectFrom('actions')
                .select('actions.id')
                .whereRef('actions.id', '=', 'workflow_steps.action')
                .where('actions.state', 'in', [
                  'refused',
                  'done',
                  'failed',
                  'unknown',
                  'cancelled',
                  'expired',
                ])
                // While somebody looks again, it may turn out what happened.
                .where('actions.held_by', 'is', null),
            ),
          ]),
        ]),
      );
      return Promise.all(claimed.map(read));
    },
    tellStepLater: async (execution, nextTryAt) => {
      await claims.retryLater([execution], nextTryAt);
    },
    stepTold: (execution) => claims.finish([execution]),
  };

  /** Whoever was at it may have died when the action stood already. */
  async function read({ execution, action }: Selectable<WorkflowStepsTable>): Promise<OpenStep> {
    return { execution, action: action ?? (await actionOf(execution)) };
  }

  async function actionOf(execution: string): Promise<string | undefined> {
    const row = await durable
      .selectFrom('actions')
      .select('id')
      // For the index.
      .where('created_at', '>=', ({ selectFrom }) =>
        selectFrom('workflow_steps')
          .select(({ eb }) => eb('created_at', '-', drift).as('since'))
          .where('execution', '=', execution),
      )
      .where('delivery', '=', execution)
      .limit(1)
      .executeTakeFirst();
    return row?.id;
  }
}
