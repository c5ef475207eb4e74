import { dateAt, momentOn, nextAt } from '../../../auth/hours.ts';
import { readSince } from '../since.ts';

/**
 * A moment to come, as people say it. A day (0 is Monday) or a date has its end where no time was said. Minutes are after
 * midnight, by the clock on the wall.
 */
export type SaidTime =
  | { readonly kind: 'clock'; readonly minutes: number }
  | { readonly kind: 'weekday'; readonly day: number; readonly minutes: number }
  | { readonly kind: 'today' | 'tomorrow'; readonly minutes: number }
  /** Days since 1 January 1970. */
  | { readonly kind: 'date'; readonly date: number; readonly minutes: number }
  /** The next one that there is; months count from 1. */
  | { readonly kind: 'calendar'; readonly month: number; readonly day: number; readonly minutes: number };

export const wholeDay = 24 * 60;
const dayLong = wholeDay * 60_000;
const everyDay = [0, 1, 2, 3, 4, 5, 6];

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/**
 * `18:00`, `6pm`, `friday`, `end of friday`, `monday morning`, `sat 02:00`, `tomorrow 9:00`, `9:00 tomorrow`, `28.11.`, `28 nov 18:00`,
 * `2026-03-31T14:30`. Undefined when it is none of these.
 */
export function readSaidTime(text: string): SaidTime | undefined {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/^this (?=\S)/, '')
    // The whole of a day has its end without these words, too.
    .replace(/^(?:the )?end of (?!(?:the |this )?(?:day|week|weekend|month|year)$)(?=\S)/, '');
  if (/^(?:(?:the )?end of (?:the |this )?day|eod)$/.test(said)) return { kind: 'clock', minutes: wholeDay };
  if (/^(?:the )?end of (?:the |this )?weekend$/.test(said))
    return { kind: 'weekday', day: 6, minutes: wholeDay };
  const [, day, time] = /^([a-z]{3,9})(?:,? (.+))?$/.exec(said) ?? [];
  const [, before, after] = /^(.+?) (?:on )?([a-z]{3,9})$/.exec(said) ?? [];
  const clock = timeIn(said);
  if (clock !== undefined) return { kind: 'clock', minutes: clock };
  const named =
    (day === undefined ? undefined : readDay(day, time)) ??
    (after === undefined ? undefined : readDay(after, before));
  return named ?? readDate(said);
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';

/** `2026-03-31`, `28.11.`, `28.11.2026`, `28 nov`, `november 28th`, each with or without a time. Which of 3/4 is the month, nobody knows. */
function readDate(said: string): SaidTime | undefined {
  if (/^[0-9]{4}-/.test(said)) {
    const date = readSince(said);
    if (date?.kind !== 'day') return undefined;
    const minutes = said.length === 10 ? wholeDay : date.minutes;
    return { kind: 'date', date: date.day / dayLong, minutes };
  }
  const [, start = '', ...found] =
    /^(([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})?)(?:,? (.+))?$/.exec(said) ??
    // Without its second dot it may be a time of the day.
    /^((2[5-9]|3[01])\.([0-9]{1,2})())(?:,? (.+))?$/.exec(said) ??
    new RegExp(`^(([0-9]{1,2})(?:st|nd|rd|th|\\.)? ${monthName}(?:,? ([0-9]{4}))?)(?:,? (.+))?$`).exec(
      said,
    ) ??
    [];
  const [, other = '', name, number, itsYear, itsTime] =
    start !== ''
      ? []
      : (new RegExp(`^(${monthName} ([0-9]{1,2})(?:st|nd|rd|th)?(?:,? ([0-9]{4}))?)(?:,? (.+))?$`).exec(
          said,
        ) ?? []);
  const [day, month, year, time] = other === '' ? found : [number, name, itsYear, itsTime];
  if (day === undefined || month === undefined) return undefined;
  const minutes = time === undefined ? wholeDay : timeIn(time.replace(/^at /, ''));
  const at = { month: /^[0-9]/.test(month) ? Number(month) : months.indexOf(month) + 1, day: Number(day) };
  if (minutes === undefined || !isDate(leapYear, at)) return undefined;
  if (year === undefined || year === '') return { kind: 'calendar', ...at, minutes };
  return isDate(Number(year), at) ? { kind: 'date', date: dateOf(Number(year), at), minutes } : undefined;
}

interface MonthDay {
  readonly month: number;
  readonly day: number;
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
const yearsAhead = 9;

function nextDate(
  { month, day, minutes }: MonthDay & Pick<SaidTime, 'minutes'>,
  now: number,
  timeZone: string,
): number {
  const year = new Date(dateAt(now, timeZone) * dayLong).getUTCFullYear();
  const moments = Array.from({ length: yearsAhead }, (_, index) => year + index)
    .filter((one) => isDate(one, { month, day }))
    .map((one) => momentOn(dateOf(one, { month, day }), minutes, timeZone));
  return moments.find((at) => at > now) ?? Number.POSITIVE_INFINITY;
}

/** The last such day, as days since 1 January 1970: `28.11.`, `28 nov`, `november 28th`, `28.11.2026`. With a time where one is said. */
export function pastDate(
  text: string,
  today: number,
): { readonly date: number; readonly minutes: number | undefined } | undefined {
  // Where it is no time of the day, the second dot may be left out.
  const said = readSaidTime(/^[0-9]{1,2}\.[0-9]{1,2}$/.test(text) ? `${text}.` : text);
  if (said?.kind !== 'date' && said?.kind !== 'calendar') return undefined;
  const minutes = said.minutes === wholeDay ? undefined : said.minutes;
  if (said.kind === 'date') return { date: said.date, minutes };
  const year = new Date(today * dayLong).getUTCFullYear();
  const date = Array.from({ length: yearsAhead }, (_, index) => year - index)
    .filter((one) => isDate(one, said))
    .map((one) => dateOf(one, said))
    .find((one) => one <= today);
  return date === undefined ? undefined : { date, minutes };
}

function readDay(named: string, time: string | undefined): SaidTime | undefined {
  // "tomorrow at 6" leaves out the minutes.
  const clock = time?.replace(/^at (?:([0-9]{1,2})$)?/, (_, hour?: string) => (hour ? `${hour}:00` : ''));
  const minutes = clock === undefined ? wholeDay : timeIn(clock);
  if (minutes === undefined) return undefined;
  if (named === 'today' || named === 'tomorrow') return { kind: named, minutes };
  // What is said of the night may be tomorrow's morning; "tonight at 10" is not in the morning.
  if (named === 'tonight') {
    const isEvening = minutes >= 5 * 60 && minutes < 12 * 60 && !clock?.endsWith('am');
    return {
      kind: 'clock',
      minutes:
        minutes === wholeDay / 2 && clock === '12:00' ? wholeDay : minutes + (isEvening ? wholeDay / 2 : 0),
    };
  }
  const day = weekdays.findIndex((one) => one.startsWith(named));
  return day === -1 ? undefined : { kind: 'weekday', day, minutes };
}

/** `18:00`, `6pm`, `6:30 pm`, `6 in the morning`, `noon`, `24:00`: minutes after midnight. */
function timeIn(text: string): number | undefined {
  const said = text
    .replace(/^([0-9: ]+?) in the morning$/, '$1am')
    .replace(/^([0-9: ]+?) in the (?:afternoon|evening)$/, '$1pm');
  if (said === 'noon' || said === 'midday') return wholeDay / 2;
  if (said === 'midnight' || said === '24:00') return wholeDay;
  // When people come, and when they go: whoever means another hour says it.
  if (said === 'morning') return 8 * 60;
  if (said === 'evening') return 18 * 60;
  const [, hours = '', minutes = '0', half] = /^([0-9]{1,2})(?::([0-9]{2}))? ?(am|pm)?$/.exec(said) ?? [];
  if (hours === '' || (half === undefined && !said.includes(':'))) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0);
  return hour > 23 || Number(minutes) > 59 ? undefined : hour * 60 + Number(minutes);
}

/**
 * That moment, in milliseconds since the epoch; of today or of a date it may have passed. A time that the clock shows twice on that
 * day is the first of them, and one that it never shows is as much later.
 */
export function momentSaid(said: SaidTime, now: number, timeZone: string): number {
  switch (said.kind) {
    case 'clock':
      return nextAt({ days: everyDay, minute: said.minutes }, now, timeZone);
    case 'weekday':
      return nextAt({ days: [said.day], minute: said.minutes }, now, timeZone);
    case 'today':
      return momentOn(dateAt(now, timeZone), said.minutes, timeZone);
    case 'tomorrow':
      return momentOn(dateAt(now, timeZone) + 1, said.minutes, timeZone);
    case 'date':
      return momentOn(said.date, said.minutes, timeZone);
    case 'calendar':
      return nextDate(said, now, timeZone);
  }
}

/** A moment as it is typed, in that zone. */
export function typedMoment(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}
