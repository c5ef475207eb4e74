import { type Accepted, type ApplianceFailure, isApplianceFailure } from '../../api/index.ts';

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
 * Whether the appliance accepted every order. Throws if all failed. A failure after which something may have
 * happened takes precedence.
 */
export function allConfirmed(answers: readonly Answered[]): boolean {
  const failures = answers.filter(isApplianceFailure);
  const [failure] = failures;
  if (failure !== undefined && failures.length === answers.length) {
    throw failures.find(({ mayHaveHappened }) => mayHaveHappened) ?? failure;
  }
  return answers.every((answer) => !isApplianceFailure(answer) && answer.confirmed);
}
