import { type ApplianceFailure, isApplianceFailure } from '../../api/index.ts';
import { reasonOf } from './reason.ts';

/** The result of a question to an appliance. A failure is a result too, so that it does not hide the others. */
export type ReadResult<Value> =
  | { readonly answered: true; readonly value: Value }
  | { readonly answered: false; readonly failure: ApplianceFailure };

/** Never rejects with an `ApplianceFailure`; other errors are bugs and propagate. */
export async function settle<Value>(question: Promise<Value>): Promise<ReadResult<Value>> {
  try {
    return { answered: true, value: await question };
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    return { answered: false, failure: error };
  }
}

export const readIn = <Value>(answer: ReadResult<Value>): Value | undefined =>
  answer.answered ? answer.value : undefined;

/** A missing setting is no failure: the appliance has no such service. */
export const isNotConfigured = (answer: ReadResult<unknown>): boolean =>
  !answer.answered && answer.failure.code === 'not_configured';

/** The reason of a failure in a few words. An aborted question ran out of time. May contain hostile text. */
export const whyNot = (failure: ApplianceFailure): string =>
  failure.code === 'aborted' ? 'no answer in time' : reasonOf(failure);
