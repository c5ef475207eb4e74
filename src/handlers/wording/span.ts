import { type Argument, duration } from '../argument.ts';
import { plural } from '../reply.ts';

/** A span of time between two bounds, in milliseconds, which says its bounds in words: "from 1 minute to 7 days". */
export function span(
  what: string,
  example: string,
  { minutes, days }: { readonly minutes: number; readonly days: number },
): Argument<number> {
  const wanted = `from ${plural(minutes, 'minute')} to ${plural(days, 'day')}`;
  const any = duration(what, example, Number.POSITIVE_INFINITY);
  return {
    ...any,
    read: (word) => {
      const reading = any.read(word);
      if (!reading.ok && reading.problem.code !== 'out_of_range') return reading;
      const fits = reading.ok && reading.value >= minutes * 60_000 && reading.value <= days * 86_400_000;
      return fits ? reading : { ok: false, problem: { code: 'malformed', wanted } };
    },
  };
}
