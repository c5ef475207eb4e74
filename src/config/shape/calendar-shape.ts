import { z } from 'zod';
import { type Hours, readHours } from '../../auth/hours.ts';

/** Hours of the week, in the time zone of the file. */
export const weekly = z.array(
  z.string({ error: 'must be weekly hours' }).transform((text, context): Hours => {
    const read = readHours(text);
    if (read !== undefined) return read;
    context.addIssue({
      code: 'custom',
      message: 'must be weekly hours, such as "Mon-Fri 08:00-18:00", "Sat,Sun" or "22:00-06:00"',
    });
    return z.NEVER;
  }),
  { error: 'must be a list of hours, such as ["Mon-Fri 08:00-18:00"]' },
);

const named = 'must have a name of lowercase letters, digits and hyphens, such as night';
const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, named);

/** When changes can be planned for, by the name that stands behind `--window`. */
export const windows = z
  .record(name, weekly.min(1, 'must have at least one entry'), { error: 'must list windows by their names' })
  .optional()
  .meta({
    description:
      'Maintenance windows by name, in hours of the week: --window NAME runs a change in the next one. Hours that follow on each other are one window.',
    examples: [{ night: ['Mon-Fri 22:00-05:00'], weekend: ['Sat,Sun'] }],
  });
