import { type Accepted, type ApplianceFailure, isApplianceFailure } from '../../api/index.ts';

/** What an appliance said to one order of several. */
export type Answered = Accepted | ApplianceFailure;

export async function answerOf(order: Promise<Accepted>): Promise<Answered> {
  try {
    return await order;
  } catch (error) {
    if (isApplianceFailure(error)) return error;
    throw error;
  }
}

/**
 * Whether the appliance said yes to every one of them. Throws when it did to none and all failed: of the failures, one
 * after which something may have happened counts more.
 */
export function allConfirmed(answers: readonly Answered[]): boolean {
  const failures = answers.filter(isApplianceFailure);
  const [failure] = failures;
  if (failure !== undefined && failures.length === answers.length) {
    throw failures.find(({ mayHaveHappened }) => mayHaveHappened) ?? failure;
  }
  return answers.every((answer) => !isApplianceFailure(answer) && answer.confirmed);
}
