import { z } from 'zod';
import { patternProblem } from '../../auth/reason.ts';

/** A regular expression of the policy, which takes no longer than what it is held against is long (RE2). */
export const pattern = z.string({ error: 'must be a regular expression' }).superRefine((given, context) => {
  const problem = patternProblem(given);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});
