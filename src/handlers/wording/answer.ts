import { type ApplianceFailure, isApplianceFailure } from '../../api/index.ts';
import { reasonOf } from './reason.ts';

/** What came of a question to an appliance. That it could not be asked is an answer too, so that it hides no other. */
export type ReadResult<Value> =
  | { readonly answered: true; readonly value: Value }
  | { readonly answered: false; readonly failure: ApplianceFailure };

/** Never rejects with an `ApplianceFailure`; what else goes wrong is a mistake of ours and stays one. */
export async function settle<Value>(question: Promise<Value>): Promise<ReadResult<Value>> {
  try {
    return { answered: true, value: await question };
  } catch (error) {
    if (!isApplianceFailure(error)) throw error;
    return { answered: false, failure: error };
  }
}

/** The value, where there is one. */
export const readIn = <Value>(answer: ReadResult<Value>): Value | undefined =>
  answer.answered ? answer.value : undefined;

/** A setting that is missing is nobody's failure: there is no such service here. */
export const isNotConfigured = (answer: ReadResult<unknown>): boolean =>
  !answer.answered && answer.failure.code === 'not_configured';

/** Why it could not be asked, in a few words. A question that we gave up has had its time. May hold hostile text. */
export const whyNot = (failure: ApplianceFailure): string =>
  failure.code === 'aborted' ? 'no answer in time' : reasonOf(failure);
