import { dateAt, momentOn } from '../../auth/hours.ts';
import { readDuration } from '../../duration.ts';
import { momentSaid, pastMoment, readSaidTime, type SaidTime } from './times/said-time.ts';

/** What is taken, for people. */
export const sinceWanted = 'a time such as 7d, 2h, 14:30, yesterday, “friday 14:30” or “28 nov 14:30”';

/** From when on, as people say it: `7d`, `2h30m`, `14:30`, `yesterday`, `28 nov`. Undefined when it is none of these, or can be several. */
export function readSince(typed: string): SaidTime | undefined {
  const text = typed.trim().toLowerCase();
  // A bare number is minutes elsewhere; here it could be a year.
  if (/^[0-9]*$/.test(text)) return undefined;
  const milliseconds = readDuration(text);
  if (milliseconds !== undefined) return { kind: 'span', milliseconds: -milliseconds };
  const said = readSaidTime(text);
  return said?.kind === 'either' ? undefined : said;
}

/** The moment that is meant, in milliseconds since the epoch: the last one that has been, where there is one. */
export const momentOf = (since: SaidTime, now: number, timeZone: string): number =>
  pastMoment(since, now, timeZone) ?? momentSaid(since, now, timeZone);

/**
 * The last moment that is meant by the end of a time, which begins `from` then, where that is said: of a day without a time its
 * end. An hour that was last before the beginning is meant as the next one after it: `--since today --until 18:00` at noon.
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

/** Whether a whole day is said: *yesterday*, *friday*, *28 nov*. */
export const isDay = (said: SaidTime): boolean =>
  said.kind === 'point' && said.day !== undefined && said.minutes === undefined;
