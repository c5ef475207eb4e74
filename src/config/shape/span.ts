import { z } from 'zod';
import { readDuration } from '../../duration.ts';

/** A span of time, told in milliseconds. */
export const span = (...limits: Parameters<typeof spanText>) =>
  spanText(...limits).transform((text) => readDuration(text) ?? 0);

/** The same as it is written. */
export function spanText(most: string, least = '1m', examples = '90s, 30m, 2h or 1h30m') {
  const wanted = `must be a duration between ${least} and ${most}, such as ${examples}`;
  return z
    .string({ error: wanted })
    .regex(/^([0-9]+[smhd])+$/, wanted)
    .refine((text) => {
      const value = readDuration(text);
      // What is no duration at all was told above.
      return (
        value === undefined || (value >= (readDuration(least) ?? 0) && value <= (readDuration(most) ?? 0))
      );
    }, wanted);
}
