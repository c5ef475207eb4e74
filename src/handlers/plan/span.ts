import { dateAt, momentOn } from '../../auth/hours.ts';
import { readDuration } from '../../duration.ts';
import { readSpoken } from '../language/span-words.ts';
import { readClock, wholeDay } from '../language/times/clock.ts';
import { datesOf } from '../language/times/said-day.ts';
import { readSaidTime } from '../language/times/said-time.ts';

/** A span of time that has been. In milliseconds since the epoch; its end is no part of it. */
export interface PastSpan {
  readonly from: number;
  readonly to: number;
}

/** What is taken, for people. */
export const spanWanted = '14:00-15:00, yesterday 14:00-15:00, today, since 14:00 or last 2h';

/** A moment as it was said: minutes after midnight, and perhaps of which day. */
interface Said {
  /** Days since 1 January 1970. */
  readonly date: number | undefined;
  readonly minutes: number | undefined;
}

/**
 * The span that is meant, as people say it, by the clock on the wall there: the last one that has begun, where no day was said.
 * Undefined where it says none.
 */
export function readPastSpan(text: string, now: number, timeZone: string): PastSpan | undefined {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/^(?:during|in|on|at) |\b(?:from|between) /g, '')
    // `24.11.` ends with a dot of its own.
    .replace(/(?<![.,;!])(?<!\.\d{1,2})[.,;!]+$/, '');
  const today = dateAt(now, timeZone);
  const at = (date: number, minutes: number) => momentOn(date, minutes, timeZone);
  const upToNow = (from: number): PastSpan | undefined => (from < now ? { from, to: now } : undefined);

  const ago = /^(?:(?:in |within )?(?:the )?(?:last|past) |since )?(.+?)(?: ago)?$/.exec(said)?.[1] ?? '';
  const lasting = /[a-z]/.test(ago) ? (readDuration(ago) ?? readSpoken(ago)) : undefined;
  if (lasting !== undefined) return upToNow(now - lasting);
  if (/^last night$|^tonight$/.test(said)) {
    const [from, to] = [at(today - 1, 20 * 60), at(today, 8 * 60)];
    return { from, to: Math.min(to, now) };
  }
  const part = partOfDay(said);
  if (part !== undefined) return part;
  if (said.startsWith('since ')) {
    const since = readMoment(said.slice('since '.length));
    return since && upToNow(startOf(since));
  }
  const whole = readMoment(said);
  if (whole?.date !== undefined && whole.minutes === undefined)
    return cut({ from: at(whole.date, 0), to: at(whole.date, wholeDay) });
  for (const [begin, end] of halves(said)) {
    const span = between(begin, end);
    if (span !== undefined) return cut(span);
  }
  return whole && upToNow(startOf(whole));

  /** `this morning`, `yesterday afternoon`, `monday evening`. */
  function partOfDay(words: string): PastSpan | undefined {
    const [, day = '', name = ''] = /^(\S+) (morning|afternoon|evening)$/.exec(words) ?? [];
    const date = day === 'this' ? today : readMoment(day)?.date;
    const [from, to] = partsOfDay[name] ?? [];
    if (date === undefined || from === undefined || to === undefined) return undefined;
    return cut({ from: at(date, from), to: at(date, to) });
  }

  /** What has not come yet is no part of it. */
  function cut({ from, to }: PastSpan): PastSpan | undefined {
    return from < Math.min(to, now) ? { from, to: Math.min(to, now) } : undefined;
  }

  function between(begin: string, end: string): PastSpan | undefined {
    // "14-15" and "2-3pm" say once what counts for both.
    const isHours = /^(?:\S+ )?\d{1,2}$/.test(begin) && /^\d{1,2}$/.test(end);
    const [, half = ''] = /\d ?(am|pm)$/.exec(end) ?? [];
    const first = readMoment(isHours ? `${begin}:00` : begin) ?? readMoment(`${begin}${half}`);
    if (first === undefined) return undefined;
    if (end === 'now') return upToNow(startOf(first));
    const last = readMoment(isHours ? `${end}:00` : end);
    if (last === undefined) return undefined;
    if (last.minutes === undefined) {
      const isWhole = first.date !== undefined && last.date !== undefined;
      return isWhole ? { from: startOf(first), to: at(last.date, wholeDay) } : undefined;
    }
    // A midnight that begins something is that of its beginning.
    const [begins, ends] = [(first.minutes ?? 0) % wholeDay, last.minutes];
    const isOfTwo = first.date !== undefined && last.date !== undefined;
    const overnight = !isOfTwo && ends <= begins ? 1 : 0;
    // Over midnight only where a day was said, and no more than a night: whatever else may be a slip, and is asked about.
    const isNight = (first.date ?? last.date) !== undefined && ends + wholeDay - begins <= longestNight;
    if (overnight === 1 && !isNight) return undefined;
    const ofDay = (date: number): PastSpan => ({
      from: at(date, begins),
      to: at(isOfTwo ? last.date : date + overnight, ends),
    });
    const date = first.date ?? last.date ?? today;
    const span = ofDay(date);
    return span.from < now || first.date !== undefined ? span : ofDay(date - 1);
  }

  /** Without a day, the last time that it was so late. */
  function startOf({ date, minutes }: Said): number {
    if (date !== undefined) return at(date, minutes ?? 0);
    const thisDay = at(today, minutes ?? 0);
    return thisDay <= now ? thisDay : at(today - 1, minutes ?? 0);
  }

  function readMoment(words: string): Said | undefined {
    const said = readSaidTime(words);
    if (said?.kind !== 'point') return undefined;
    const { day, minutes } = said;
    // The last such day, today included.
    const date = day && datesOf(day, now, timeZone).findLast((one) => one <= today);
    return day !== undefined && date === undefined ? undefined : { date, minutes };
  }
}

const partsOfDay: Readonly<Record<string, readonly [number, number]>> = {
  morning: [0, wholeDay / 2],
  afternoon: [wholeDay / 2, 18 * 60],
  evening: [18 * 60, wholeDay],
};

/** In minutes. */
const longestNight = 12 * 60;

/**
 * Of a span that ends before it begins, and says no day, what may be meant: the other way round, or over the last midnight. Both in
 * words that can be typed. Undefined of any other.
 */
export function eitherWay(text: string): readonly [string, string] | undefined {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/^(?:from|between) /, '');
  for (const [begin, end] of halves(said)) {
    const [first, last] = [readClock(begin), readClock(end)];
    if (first === undefined || last === undefined || last >= first % wholeDay) continue;
    return [`${end}-${begin}`, `yesterday ${begin} - today ${end}`];
  }
  return undefined;
}

/** Every place at which it may be cut in two: a date has dashes, too. */
function halves(said: string): readonly (readonly [string, string])[] {
  const cuts = Array.from(said.matchAll(/ ?(?:-| to | and | until | till ) ?/g), ({ 0: mark, index }) => [
    said.slice(0, index).trim(),
    said.slice(index + mark.length).trim(),
  ]);
  return cuts.flatMap(([begin = '', end = '']) =>
    begin === '' || end === '' ? [] : [[begin, end] as const],
  );
}
