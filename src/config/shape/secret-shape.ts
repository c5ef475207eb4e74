import { z } from 'zod';
import { referenceShape } from '../secret.ts';

/** A secret, which stands in the file by reference only, and is looked up apart from it (`secret.ts`). */
export const secret = (what: string) =>
  z
    .string({ error: `must be a reference to ${what}` })
    .regex(
      referenceShape,
      'must be a reference, ${NAME} or ${file:/run/secrets/name}. Keep secrets out of this file',
    );

/** Two settings of which neither says anything without the other one. */
export const together =
  (one: string, other: string) =>
  (given: Readonly<Record<string, unknown>>, context: z.core.$RefinementCtx): void => {
    if ((given[one] === undefined) === (given[other] === undefined)) return;
    const [there, missing] = given[one] === undefined ? [other, one] : [one, other];
    context.addIssue({ code: 'custom', path: [there], message: `requires ${missing}` });
  };
