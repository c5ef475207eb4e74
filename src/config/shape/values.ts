import { z } from 'zod';
import { everyone, type Holders } from '../../auth/policy.ts';
import { patternProblem } from '../../auth/reason.ts';
import { readDuration } from '../../duration.ts';
import { referenceShape } from '../secret.ts';

export const span = (...limits: Parameters<typeof spanText>) =>
  spanText(...limits).transform((text) => readDuration(text) ?? 0);

/** The written text, checked. */
export function spanText(most: string, least = '1m', examples = '90s, 30m, 2h or 1h30m') {
  const wanted = `must be a duration between ${least} and ${most}, such as ${examples}`;
  return z
    .string({ error: wanted })
    .regex(/^([0-9]+[smhd])+$/, wanted)
    .refine((text) => {
      const value = readDuration(text);
      // Invalid durations were reported above.
      return (
        value === undefined || (value >= (readDuration(least) ?? 0) && value <= (readDuration(most) ?? 0))
      );
    }, wanted);
}

/** A regular expression of the policy, in linear time (RE2). */
export const pattern = z.string({ error: 'must be a regular expression' }).superRefine((given, context) => {
  const problem = patternProblem(given);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

/** A channel, a private channel or a direct message. Slack IDs never change, but anyone may take a name. */
export const channelIdShape = /^[CGD][A-Z0-9]{2,}$/;

const holderWanted =
  'must be the Slack ID of a person (U…) or of a user group (S…), in capital letters, or everyone';

/** `U…` and `W…` are people, `S…` is a user group. */
export const holders = z
  .union(
    [
      z.literal(everyone),
      z.array(z.string({ error: holderWanted }).regex(/^(everyone|[UWS][A-Z0-9]{2,})$/, holderWanted)),
    ],
    { error: 'must be everyone or a list of Slack IDs, such as [U0ALICE001, S0HELPDESK]' },
  )
  .transform((given): Holders => new Set(given === everyone ? [everyone] : given));

/** A secret is a reference only, and is resolved separately (`secret.ts`). */
export const secret = (what: string) =>
  z
    .string({ error: `must be a reference to ${what}` })
    .regex(
      referenceShape,
      'must be a reference, ${NAME} or ${file:/run/secrets/name}. Keep secrets out of this file',
    );

/** Two settings that require each other. */
export const together =
  (one: string, other: string) =>
  (given: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void => {
    if ((given[one] === undefined) === (given[other] === undefined)) return;
    const [there, missing] = given[one] === undefined ? [other, one] : [one, other];
    context.addIssue({ code: 'custom', path: [there], message: `requires ${missing}` });
  };
