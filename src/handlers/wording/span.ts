import { readDuration } from '../../duration.ts';
import type { Argument } from '../argument.ts';
import { plural } from '../reply.ts';

/**
 * A span of time between two bounds, in milliseconds, which says its bounds in words, "from 1 minute to 7 days": `30m`, `2h`, `90s`,
 * `1h30m`, `1 d`. A bare number is minutes.
 */
export function span(
  what: string,
  example: string,
  { minutes, days }: { readonly minutes: number; readonly days: number },
): Argument<number> {
  const wanted = `from ${plural(minutes, 'minute')} to ${plural(days, 'day')}`;
  return {
    ...{ what, example },
    read: (word) => {
      const value = readDuration(word);
      if (value === undefined) return { ok: false, problem: { code: 'not_a_duration' } };
      return value >= minutes * 60_000 && value <= days * 86_400_000
        ? { ok: true, value }
        : { ok: false, problem: { code: 'malformed', wanted } };
    },
  };
}
