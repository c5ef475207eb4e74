import { z } from 'zod';
import { compareWallTimes, readWallTime, type WallTime } from '../../auth/calendar/wall-time.ts';
import { type Hours, readHours } from '../../auth/hours.ts';
import type { Freeze } from '../../auth/policy.ts';
import { agreesOnPlace, disagrees, place, placeEach, roleName, rules } from './rule-shape.ts';

const never: WallTime = { date: 0, minute: 0 };

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

const dayWanted = 'must be a day or a time, such as 2026-12-20 or 2026-12-20T18:00';
const wall = (atEnd: boolean) =>
  z.string({ error: dayWanted }).transform((text, context): WallTime => {
    const read = readWallTime(text, atEnd);
    if (read !== undefined) return read;
    context.addIssue({ code: 'custom', message: dayWanted });
    return z.NEVER;
  });

const freeze = z
  .strictObject(
    {
      from: wall(false)
        .optional()
        .meta({ description: 'When it begins: a day, or a day and a time.', examples: ['2026-12-20T18:00'] }),
      to: wall(true)
        .optional()
        .meta({ description: 'When it ends. A day without a time is part of it.', examples: ['2027-01-04'] }),
      hours: weekly
        .min(1, 'must have at least one entry')
        .optional()
        .meta({
          description: 'Hours of every week, instead of from and to.',
          examples: [['Fri 12:00-24:00']],
        }),
      commands: rules('must list what is frozen, such as [{ area: acl }]')
        .optional()
        .meta({
          description: 'What is frozen: all that matches one of these rules. Default: all changes.',
          examples: [[{ area: 'acl' }]],
        }),
      ...place,
      except: z
        .array(roleName, { error: 'must be a list of roles, such as [admin]' })
        .default([])
        .meta({ description: 'Roles whose holders can make changes all the same.', examples: [['admin']] }),
      reason: z
        .string({ error: 'must be text' })
        .max(200)
        .optional()
        .meta({ description: 'Shown to whoever is refused.', examples: ['year-end closing'] }),
    },
    { error: 'must be the settings of one freeze' },
  )
  .refine(
    ({ from, to, hours }) => (hours === undefined ? from !== undefined && to !== undefined : !from && !to),
    'must have from and to, or hours',
  )
  .refine(({ from, to }) => from === undefined || to === undefined || compareWallTimes(from, to) < 0, {
    path: ['to'],
    error: 'must be after from',
  })
  .refine(({ commands, appliance, tag }) => commands !== undefined || (!appliance && !tag), {
    path: ['commands'],
    error: 'must list what is frozen there, such as [{ effect: write }, { effect: destructive }]',
  })
  .refine(({ commands = [], ...placed }) => agreesOnPlace({ commands, ...placed }), disagrees)
  .transform(
    ({ from, to, hours, commands, except, reason, ...placed }): Freeze => ({
      during: hours === undefined ? { from: from ?? never, to: to ?? never } : { hours },
      commands: commands && placeEach({ commands, ...placed }),
      except,
      reason,
    }),
  );

/** Times without changes, by the name that people read. */
export const freezes = z
  .record(
    z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9-]{0,30}$/,
        'must have a name of lowercase letters, digits and hyphens, such as year-end',
      ),
    freeze,
    { error: 'must list freezes by their names' },
  )
  .optional()
  .meta({
    description:
      'When changes are refused, in the time zone of this file. Undo, the ends of temporary changes and emergency mode are never frozen; to extend something is, and to undo an undo.',
    examples: [{ 'year-end': { from: '2026-12-20T18:00', to: '2027-01-04', except: ['admin'] } }],
  });

const named = 'must have a name of lowercase letters, digits and hyphens, such as night';
const name = z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, named);

/** Times for planned changes, by their name for `--window`. */
export const windows = z
  .record(name, weekly.min(1, 'must have at least one entry'), { error: 'must list windows by their names' })
  .optional()
  .meta({
    description:
      'Maintenance windows by name, in hours of the week: --window NAME runs a change in the next one. Hours that follow on each other are one window.',
    examples: [{ night: ['Mon-Fri 22:00-05:00'], weekend: ['Sat,Sun'] }],
  });
