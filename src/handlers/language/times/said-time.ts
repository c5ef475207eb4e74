import { dateAt, minuteAt, momentOn } from '../../../auth/hours.ts';
import { readDuration } from '../../../duration.ts';
import { readSpoken } from '../span-words.ts';
import { clockSaid, readClock, wholeDay } from './clock.ts';

export type SaidTime =
  /** Relative to now; negative in the past. */
  | { readonly kind: 'span'; readonly milliseconds: number }
  | SaidPoint
  /** The words are ambiguous: any of these may be meant. */
  | { readonly kind: 'either'; readonly of: readonly Exclude<SaidTime, { kind: 'either' }>[] };

/** Minutes after midnight by the wall clock. Without them, the whole day. */
interface SaidPoint {
  readonly kind: 'point';
  readonly day: SaidDay | undefined;
  readonly minutes: number | undefined;
}

const point = (day: SaidDay | undefined, minutes: number | undefined): SaidPoint => ({
  kind: 'point',
  day,
  minutes,
});

/**
 * The only reader of times: `18:00`, `friday`, `end of friday`, `monday morning`, `sat 02:00`, `9:00 tomorrow`,
 * `28.11.`, `28 nov 18:00`, `2026-03-31T14:30`, `in 2h`, `2h ago`, `now`. Undefined for other text.
 */
export function readSaidTime(text: string): SaidTime | undefined {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/^(\d{4}-\d{1,2}-\d{1,2})t(?=\d)/, '$1 ')
    .replace(/,? +/g, ' ')
    .replace(/^(?:this|on|at) (?=\S)/, '')
    // A whole day implies its end without these words.
    .replace(/^(?:the )?end of (?!(?:the |this )?(?:day|week|weekend|month|year)$)(?=\S)/, '');
  if (/^(?:right )?now$/.test(said)) return { kind: 'span', milliseconds: 0 };
  if (/^(?:(?:the )?end of (?:the |this )?day|eod)$/.test(said)) return point(undefined, wholeDay);
  if (/^(?:the )?end of (?:the |this )?weekend$/.test(said))
    return point({ is: 'weekday', day: 6 }, undefined);
  const [, ahead, back] = /^in (.+)$|^(.+) ago$/.exec(said) ?? [];
  const span = ahead ?? back;
  if (span !== undefined) {
    const milliseconds = /[a-z]/.test(span) ? (readDuration(span) ?? readSpoken(span)) : undefined;
    return milliseconds === undefined
      ? undefined
      : { kind: 'span', milliseconds: back === undefined ? milliseconds : -milliseconds };
  }
  const found = [...clocksIn(said), ...pointsIn(said)];
  const [first, ...others] = found;
  return first === undefined || others.length === 0 ? first : { kind: 'either', of: found };
}

/** Text that is, or may be, a time of day without a date. */
function clocksIn(said: string): readonly Exclude<SaidTime, { kind: 'either' }>[] {
  const minutes = readClock(said);
  if (minutes === undefined) return [];
  // "2h" may mean two hours from now.
  const isSpan = /^(?:\d|1[0-2]) ?h$/.test(said);
  const span = isSpan ? readDuration(said) : undefined;
  return [
    point(undefined, minutes),
    ...(span === undefined ? [] : [{ kind: 'span', milliseconds: span } as const]),
  ];
}

/**
 * Longer text than "the day after tomorrow at 6:00 pm" is no time. The limit keeps the search over its words
 * short.
 */
const mostWords = 10;

/** A day with an optional time, in either order. */
function pointsIn(said: string): readonly SaidPoint[] {
  const words = said.split(' ');
  if (words.length > mostWords) return [];
  // The longest first, because "28 nov 2026" has no time in it.
  for (let count = words.length; count > 0; count -= 1) {
    const [before, after] = [words.slice(0, count).join(' '), words.slice(count).join(' ')];
    const found = withClock(before, after);
    if (found.length > 0) return found;
    const turned = after === '' ? [] : withClock(after.replace(/^on /, ''), before);
    if (turned.length > 0) return turned;
  }
  return [];
}

function withClock(named: string, time: string): readonly SaidPoint[] {
  const days = readDays(named);
  if (time === '') return days.map((day) => point(day, undefined));
  // "tomorrow at 6" leaves out the minutes. "tonight at 10" has only one meaning.
  const isTonight = named === 'tonight';
  const clock = time.replace(
    isTonight ? /^(?:at )?([0-9]{1,2})$/ : /^at ([0-9]{1,2})$/,
    (_, hour: string) => `${hour}:00`,
  );
  const minutes = readClock(clock.replace(/^at /, ''));
  if (minutes === undefined) return [];
  if (!isTonight) return days.map((day) => point(day, minutes));
  // A time of "tonight" may be after midnight; "tonight at 10" is in the evening.
  const isEvening = minutes >= 5 * 60 && minutes < 12 * 60 && !clock.endsWith('am');
  const isMidnight = minutes === wholeDay / 2 && clock === '12:00';
  return [point(undefined, isMidnight ? wholeDay : minutes + (isEvening ? wholeDay / 2 : 0))];
}

/**
 * Every possible moment in milliseconds since the epoch, the earliest first. They are in the future, except for
 * a date in the past.
 */
export function momentsSaid(said: SaidTime, now: number, timeZone: string): readonly number[] {
  if (said.kind === 'span') return [now + said.milliseconds];
  if (said.kind === 'either')
    return [...new Set(said.of.flatMap((one) => momentsSaid(one, now, timeZone)))].toSorted((a, b) => a - b);
  const { day, minutes = wholeDay } = said;
  const today = dateAt(now, timeZone);
  const dates = day === undefined ? [today - 1, today, today + 1, today + 2] : datesOf(day, now, timeZone);
  const moments = dates.map((date) => momentOn(date, minutes, timeZone));
  if (day?.is === 'near' || day?.is === 'date' || (day?.is === 'weekday' && day.next)) return moments;
  return [moments.find((at) => at > now) ?? Number.POSITIVE_INFINITY];
}

/**
 * The last possible moment. If the clock shows a time twice, the first counts; a skipped time comes after the
 * gap.
 */
export const momentSaid = (said: SaidTime, now: number, timeZone: string): number =>
  Math.max(...momentsSaid(said, now, timeZone));

/** The latest past moment; for a day, its beginning. Undefined if none is past, or if the words are ambiguous. */
export function pastMoment(said: SaidTime, now: number, timeZone: string): number | undefined {
  if (said.kind === 'either') return undefined;
  if (said.kind === 'span') return said.milliseconds > 0 ? undefined : now + said.milliseconds;
  const { day, minutes = 0 } = said;
  const today = dateAt(now, timeZone);
  const dates = day === undefined ? [today - 2, today - 1, today] : datesOf(day, now, timeZone);
  return dates.map((date) => momentOn(date, minutes, timeZone)).findLast((at) => at <= now);
}

/** Unambiguous replacements for ambiguous words: `10:11`, `3 apr`, `in 2h`. */
export const choicesIn = (said: SaidTime): readonly string[] =>
  said.kind === 'either' ? said.of.flatMap(choicesIn) : [spelled(said)];

function spelled(said: Exclude<SaidTime, { kind: 'either' }>): string {
  if (said.kind === 'span') return `in ${said.milliseconds / 3_600_000}h`;
  const parts = [
    ...(said.day === undefined ? [] : [daySaid(said.day)]),
    ...(said.minutes === undefined ? [] : [clockSaid(said.minutes)]),
  ];
  return parts.join(' ');
}

/** Resolves a day that is relative to today, so that it stays the day that the person meant. */
export function onItsDay(said: SaidTime, now: number, timeZone: string): string | undefined {
  if (said.kind !== 'point' || said.day?.is !== 'near') return undefined;
  return spelled({ ...said, day: { is: 'date', date: dateAt(now, timeZone) + said.day.days } });
}

/**
 * The words to type for one possible moment. A day that lasts to its end stays that day, rather than the next
 * midnight.
 */
export function typedChoice(said: SaidTime, at: number, timeZone: string): string {
  const isEnd = isWholeDay(said) && minuteAt(at, timeZone) === 0;
  return isEnd ? dateSaid(dateAt(at - 1, timeZone)) : typedMoment(at, timeZone);
}

const isWholeDay = (said: SaidTime): boolean =>
  said.kind === 'either' ? said.of.some(isWholeDay) : said.kind === 'point' && said.minutes === undefined;

/** A moment as people type it, in that zone: `28 nov 2026 18:00`. */
export function typedMoment(at: number, timeZone: string): string {
  return `${dateSaid(dateAt(at, timeZone))} ${clockSaid(minuteAt(at, timeZone))}`;
}

type SaidDay =
  /** Days from today. */
  | { readonly is: 'near'; readonly days: number }
  /** 0 is Monday. `next`: it may mean the coming one or the one after. */
  | { readonly is: 'weekday'; readonly day: number; readonly next?: true }
  /** Days since 1 January 1970. */
  | { readonly is: 'date'; readonly date: number }
  /** The year is not given; months count from 1. */
  | ({ readonly is: 'calendar' } & MonthDay);

interface MonthDay {
  readonly month: number;
  readonly day: number;
}

const dayLong = wholeDay * 60_000;
const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const near: ReadonlyMap<string, number> = new Map([
  ...([
    ['today', 0],
    ['tonight', 0],
    ['tomorrow', 1],
    ['day after tomorrow', 2],
    ['yesterday', -1],
  ] as const),
]);

/**
 * Reads `tomorrow`, `friday`, `next friday`, `28.11.`, `28/11`, `28 nov`, `november 28th 2026`, `2026-11-28`.
 * Returns several for 3/4, because the order of day and month is unknown, and none for other text.
 */
function readDays(said: string): readonly SaidDay[] {
  const days = near.get(said.replace(/^the /, ''));
  if (days !== undefined) return [{ is: 'near', days }];
  const [, next, name = ''] = /^(?:(next )|(?:the )?coming )?([a-z]{3,9})$/.exec(said) ?? [];
  const day = weekdays.findIndex((one) => name !== '' && one.startsWith(name));
  if (day !== -1) return [{ is: 'weekday', day, ...(next !== undefined && { next: true }) }];
  return datesIn(said).flatMap(({ year, ...at }): SaidDay[] => {
    if (!isDate(year ?? leapYear, at)) return [];
    return [year === undefined ? { is: 'calendar', ...at } : { is: 'date', date: dateOf(year, at) }];
  });
}

function datesIn(said: string): readonly (MonthDay & { readonly year: number | undefined })[] {
  const of = (day = '', month = '', year?: string) => ({
    day: Number(day),
    month: /^[0-9]/.test(month) ? Number(month) : months.indexOf(month) + 1,
    year: year === undefined || year === '' ? undefined : Number(year),
  });
  const whole = /^(20[0-9]{2})[-/]([0-9]{1,2})[-/]([0-9]{1,2})$/.exec(said);
  if (whole !== null) return [of(whole[3], whole[2], whole[1])];
  const dotted = /^([0-9]{1,2})\.([0-9]{1,2})(?:\.(20[0-9]{2})?)?$/.exec(said);
  if (dotted !== null) return [of(dotted[1], dotted[2], dotted[3])];
  const slashed = /^([0-9]{1,2})\/([0-9]{1,2})(?:\/(20[0-9]{2}))?$/.exec(said);
  if (slashed !== null) {
    const [, one, other, year] = slashed;
    return one === other ? [of(one, other, year)] : [of(one, other, year), of(other, one, year)];
  }
  const dayFirst = new RegExp(`^([0-9]{1,2})(?:st|nd|rd|th|\\.)? ${monthName}(?: (20[0-9]{2}))?$`).exec(said);
  if (dayFirst !== null) return [of(dayFirst[1], dayFirst[2], dayFirst[3])];
  const monthFirst = new RegExp(`^${monthName} ([0-9]{1,2})(?:st|nd|rd|th)?(?: (20[0-9]{2}))?$`).exec(said);
  return monthFirst === null ? [] : [of(monthFirst[2], monthFirst[1], monthFirst[3])];
}

/** A leap year, so that every date is valid. */
const leapYear = 2024;
const dateOf = (year: number, { month, day }: MonthDay): number => Date.UTC(year, month - 1, day) / dayLong;
/** `Date` silently turns 31 February into another day. */
function isDate(year: number, at: MonthDay): boolean {
  const date = new Date(dateOf(year, at) * dayLong);
  return date.getUTCMonth() + 1 === at.month && date.getUTCDate() === at.day;
}

/** 29 February recurs within eight years at most. */
const yearsAround = 9;

/** Every possible day, the earliest first. A date without a year gives all surrounding years. */
function datesOf(said: SaidDay, now: number, timeZone: string): readonly number[] {
  const today = dateAt(now, timeZone);
  switch (said.is) {
    case 'near':
      return [today + said.days];
    case 'date':
      return [said.date];
    case 'weekday': {
      // The epoch began on a Thursday.
      const days = (((said.day - today - 3) % 7) + 7) % 7;
      if (said.next) return days === 0 ? [today + 7] : [today + days, today + days + 7];
      return [today + days - 7, today + days, today + days + 7];
    }
    case 'calendar': {
      const year = new Date(today * dayLong).getUTCFullYear() - yearsAround;
      return Array.from({ length: 2 * yearsAround + 1 }, (_, index) => year + index)
        .filter((one) => isDate(one, said))
        .map((one) => dateOf(one, said));
    }
  }
}

/** The date as people type it: `28 nov`, `28 nov 2026`. */
const daySaid = (said: SaidDay): string =>
  said.is === 'calendar'
    ? `${said.day} ${months[said.month - 1]}`
    : said.is === 'date'
      ? dateSaid(said.date)
      : said.is === 'weekday'
        ? (weekdays[said.day] ?? '')
        : `in ${said.days}d`;

function dateSaid(date: number): string {
  const at = new Date(date * dayLong);
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}
