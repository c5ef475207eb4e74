import { z } from 'zod';
import { dateAt } from '../../auth/hours.ts';
import { optional, type Stored } from '../../codec.ts';
import { typedMoment } from '../language/times/said-time.ts';
import { clock, code, moment, say, type Text } from '../reply.ts';

/** The later start of a change. Milliseconds since the epoch. */
export type PlannedStart = Stored<typeof startShape>;
export const startShape = z.object({
  at: z.number(),
  /** The change does not run after this. */
  latest: z.number(),
  /** The named window of the policy. */
  window: optional(z.string()),
  /** The time zone of its author; others read it in their own. */
  zone: optional(z.string()),
  /** The line typed for this time, if it was typed for another one. */
  line: optional(z.string()),
  /** The earlier time, if this one needs a new approval. */
  was: optional(z.number()),
  /** Why the last attempt to check it failed. */
  held: optional(z.string()),
});

/** *today 22:00 (22:00 in Europe/Berlin)*: readers may be in another time zone. */
export const startByBothClocks = (start: PlannedStart): Text =>
  start.zone === undefined
    ? startInWords(start)
    : say`${startInWords(start)} (${typedMoment(start.at, start.zone).slice(-5)} in ${start.zone})`;

/** *today 22:00*, *today 22:00 in window night, until tomorrow 05:00*. */
export function startInWords({ at, latest, window, zone = 'UTC' }: PlannedStart): Text {
  if (window === undefined) return say`${moment(at)}`;
  const until = dateAt(at, zone) === dateAt(latest, zone) ? clock(latest) : moment(latest);
  return say`${moment(at)} in window ${code(window)}, until ${until}`;
}
