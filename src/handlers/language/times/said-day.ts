import { dateAt } from '../../../auth/hours.ts';
import { wholeDay } from './clock.ts';

/** A day, as people say it. */
export type SaidDay =
  /** So many days from today. */
  | { readonly is: 'near'; readonly days: number }
  /** 0 is Monday. `next`: of which nobody knows whether it is the one that comes, or the one after it. */
  | { readonly is: 'weekday'; readonly day: number; readonly next?: true }
  /** Days since 1 January 1970. */
  | { readonly is: 'date'; readonly date: number }
  /** Of a year that is not said; months count from 1. */
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
 * `tomorrow`, `friday`, `next friday`, `28.11.`, `28/11`, `28 nov`, `november 28th 2026`, `2026-11-28`. Which of 3/4 is the month, nobody
 * knows: then it can be several. None when it is none of these.
 */
export function readDays(said: string): readonly SaidDay[] {
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

/** It has every day that there is. */
const leapYear = 2024;
const dateOf = (year: number, { month, day }: MonthDay): number => Date.UTC(year, month - 1, day) / dayLong;
/** 31 February would silently be another day. */
function isDate(year: number, at: MonthDay): boolean {
  const date = new Date(dateOf(year, at) * dayLong);
  return date.getUTCMonth() + 1 === at.month && date.getUTCDate() === at.day;
}

/** 29 February comes every eight years at the latest. */
const yearsAround = 9;

/** The days that can be meant, what comes first before the others; of a date without its year in all the years around. */
export function datesOf(said: SaidDay, now: number, timeZone: string): readonly number[] {
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

/** As it is typed, where it is a date: `28 nov`, `28 nov 2026`. */
export const daySaid = (said: SaidDay): string =>
  said.is === 'calendar'
    ? `${said.day} ${months[said.month - 1]}`
    : said.is === 'date'
      ? dateSaid(said.date)
      : said.is === 'weekday'
        ? (weekdays[said.day] ?? '')
        : `in ${said.days}d`;

export function dateSaid(date: number): string {
  const at = new Date(date * dayLong);
  return `${at.getUTCDate()} ${months[at.getUTCMonth()]} ${at.getUTCFullYear()}`;
}
