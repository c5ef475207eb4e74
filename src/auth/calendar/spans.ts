import { dateAt, type Hours, momentOn } from '../hours.ts';

/** From one moment up to another one, in milliseconds since the epoch. */
export interface TimeSpan {
  readonly from: number;
  readonly to: number;
}

/** What follows on each other without end is looked at so many days ahead. */
const ahead = 15;

/**
 * The first time in these hours that is not over at a moment; it may have begun. Where one begins before another is over, they are one.
 * Undefined where there is none: what the clock never shows, because it is turned, is no time.
 */
export function nextSpan(hours: readonly Hours[], after: number, timeZone: string): TimeSpan | undefined {
  const today = dateAt(after, timeZone);
  const spans: TimeSpan[] = [];
  for (let date = today - 1; date <= today + ahead; date += 1) {
    for (const { days, from, to } of hours) {
      // The epoch began on a Thursday.
      if (!days.includes((date + 3) % 7)) continue;
      const span = {
        from: momentOn(date, from, timeZone),
        to: momentOn(to > from ? date : date + 1, to, timeZone),
      };
      if (span.to > span.from && span.to > after) spans.push(span);
    }
  }
  const [first, ...others] = spans.toSorted((one, other) => one.from - other.from);
  if (first === undefined) return undefined;
  let { to } = first;
  for (const other of others) if (other.from <= to) to = Math.max(to, other.to);
  return { from: first.from, to };
}
