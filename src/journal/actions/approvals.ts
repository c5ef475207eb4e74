import type { Store } from '../database.ts';

/** One person's yes to what an action asked. */
export interface Given {
  /** The account that clicked. */
  readonly person: string;
  /** Whose account it is: the same for every account of one human. */
  readonly human: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Who has approved what. An approval is of one question: when the question changes, it counts no more. */
export interface ApprovalStore {
  /** False when this human has approved this very question already. Outlives a power cut. */
  readonly approve: (action: string, question: string, given: Omit<Given, 'at'>) => Promise<boolean>;
  /** Those of the question, in the order in which they came. */
  readonly approvalsOf: (action: string, question: string) => Promise<readonly Given[]>;
}

export function approvals({ durable }: Store, now: () => number): ApprovalStore {
  return {
    approve: async (action, question, { person, human }) => {
      const added = await durable
        .insertInto('approvals')
        .values({ action, question, human, person, at: now() })
        .onConflict((conflict) => conflict.columns(['action', 'question', 'human']).doNothing())
        .returning('id')
        .executeTakeFirst();
      return added !== undefined;
    },

    approvalsOf: async (action, question) =>
      durable
        .selectFrom('approvals')
        .select(['person', 'human', 'at'])
        .where('action', '=', action)
        .where('question', '=', question)
        .orderBy('id')
        .execute(),
  };
}
