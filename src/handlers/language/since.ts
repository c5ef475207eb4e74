import { dateAt, momentOn } from '../../auth/hours.ts';
import { readDuration } from '../../duration.ts';
import { momentSaid, pastMoment, readSaidTime, type SaidTime } from './times/said-time.ts';

export const sinceWanted = 'a time such as 7d, 2h, 14:30, yesterday, “friday 14:30” or “28 nov 14:30”';

/**
 * Reads the start of a period: `7d`, `2h30m`, `14:30`, `yesterday`, `28 nov`. Undefined for other text, or if
 * it is ambiguous.
 */
export function readSince(typed: string): SaidTime | undefined {
  const text = typed.trim().toLowerCase();
  // A bare number means minutes elsewhere, but here it could be a year.
  if (/^[0-9]*$/.test(text)) return undefined;
  const milliseconds = readDuration(text);
  if (milliseconds !== undefined) return { kind: 'span', milliseconds: -milliseconds };
  const said = readSaidTime(text);
  return said?.kind === 'either' ? undefined : said;
}

/** The latest past moment that fits, in milliseconds since the epoch; a future one only if none is past. */
export const momentOf = (since: SaidTime, now: number, timeZone: string): number =>
  pastMoment(since, now, timeZone) ?? momentSaid(since, now, timeZone);

/**
 * The end of a period that begins at `from`, if that is given. A day without a time ends at midnight. An hour
 * that last came before the beginning means the next one after it: `--since today --until 18:00` at noon.
 */
export function lastMomentOf(until: SaidTime, now: number, timeZone: string, from = 0): number {
  const moment = momentOf(until, now, timeZone);
  if (isDay(until)) return momentOn(dateAt(moment, timeZone) + 1, 0, timeZone) - 1;
  if (moment >= from || until.kind !== 'point' || until.day !== undefined) return moment;
  const [first = moment, next = moment] = [0, 1].map((days) =>
    momentOn(dateAt(from, timeZone) + days, until.minutes ?? 0, timeZone),
  );
  return first < from ? next : first;
}

/** Whether the words name a whole day: *yesterday*, *friday*, *28 nov*. */
export const isDay = (said: SaidTime): boolean =>
  said.kind === 'point' && said.day !== undefined && said.minutes === undefined;
