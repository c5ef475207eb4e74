/** Hours of a week, in the policy's time zone. */
export interface Hours {
  readonly days: readonly number[];
  /** Minutes since midnight. If `to` is not after `from`, the hours end on the next day. */
  readonly from: number;
  readonly to: number;
}

const dayNames = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const wholeDay = 24 * 60;

/** Reads `Mon-Fri 08:00-18:00`, `Sat,Sun`, `22:00-06:00`. Undefined when it is none of these. */
export function readHours(text: string): Hours | undefined {
  const found = /^(?:([a-z]{3}(?:[-,][a-z]{3})*))?\s*(?:(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2}))?$/.exec(
    text
      .trim()
      .toLowerCase()
      .replaceAll(/(?<!\s)\s*([-,–])\s*/g, (_, mark) => (mark === ',' ? ',' : '-')),
  );
  if (found === null || text.trim() === '') return undefined;
  const [, named, fromHour, fromMinute, toHour, toMinute] = found;
  const days = named === undefined ? dayNames.map((_, index) => index) : readDays(named);
  if (days === undefined) return undefined;
  if (fromHour === undefined || toHour === undefined) return { days, from: 0, to: wholeDay };
  const from = minuteOf(fromHour, fromMinute);
  const to = minuteOf(toHour, toMinute);
  return from === undefined || to === undefined || from === to || from === wholeDay
    ? undefined
    : { days, from, to };
}

function readDays(text: string): readonly number[] | undefined {
  const days = new Set<number>();
  for (const part of text.split(',')) {
    const [first, last = first, ...more] = part.split('-').map((name) => dayNames.indexOf(name as never));
    if (first === undefined || last === undefined || first < 0 || last < 0 || more.length > 0)
      return undefined;
    for (let day = first; ; day = (day + 1) % 7) {
      days.add(day);
      if (day === last) break;
    }
  }
  return [...days].toSorted();
}

function minuteOf(hour: string, minute = ''): number | undefined {
  const value = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && value <= wholeDay ? value : undefined;
}

/** Whether a moment (milliseconds since the epoch) lies in one of them. */
export function isWithin(hours: readonly Hours[], at: number, timeZone: string): boolean {
  if (hours.length === 0) return false;
  const { day, minute } = localTime(at, timeZone);
  const yesterday = (day + 6) % 7;
  return hours.some(({ days, from, to }) =>
    to > from
      ? days.includes(day) && minute >= from && minute < to
      : (days.includes(day) && minute >= from) || (days.includes(yesterday) && minute < to),
  );
}

const minuteLong = 60_000;
const dayLong = wholeDay * minuteLong;

/**
 * The next moment after `after` at which the clock shows this minute on one of these days (0 is Monday). It
 * comes once on each day. If the clock shows the minute twice, the first time counts. If the clock skips it,
 * the moment comes later by the length of the gap.
 */
export function nextAt(
  { days, minute }: { readonly days: readonly number[]; readonly minute: number },
  after: number,
  timeZone: string,
): number {
  for (let date = dateAt(after, timeZone) - 1; ; date += 1) {
    // The epoch began on a Thursday.
    if (!days.includes((date + 3) % 7)) continue;
    const at = momentOn(date, minute, timeZone);
    if (at > after) return at;
  }
}

/** The date there in days since 1 January 1970, by a calendar in which every day has 24 hours. */
export const dateAt = (at: number, timeZone: string): number =>
  Math.floor((at + offsetAt(at, timeZone)) / dayLong);

/** The time on the wall clock there, in minutes after midnight. */
export const minuteAt = (at: number, timeZone: string): number =>
  Math.floor((at + offsetAt(at, timeZone) - dateAt(at, timeZone) * dayLong) / minuteLong);

/** The moment of this minute on this date; on a day when the clock is turned, as `nextAt` says. */
export const momentOn = (date: number, minute: number, timeZone: string): number =>
  momentOf(date * dayLong + minute * minuteLong, timeZone);

/** The moment at which the wall clock shows this time. */
function momentOf(shown: number, timeZone: string): number {
  const before = shown - offsetAt(shown - dayLong, timeZone);
  const behind = shown - offsetAt(shown + dayLong, timeZone);
  const isShown = (at: number) => at + offsetAt(at, timeZone) === shown;
  return isShown(before) || !isShown(behind) ? before : behind;
}

const calendars = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter takes longer than using it a hundred times. */
function calendarOf(timeZone: string): Intl.DateTimeFormat {
  const known = calendars.get(timeZone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  calendars.set(timeZone, made);
  return made;
}

/** How far the wall clock is ahead of UTC, in milliseconds. */
function offsetAt(at: number, timeZone: string): number {
  const parts = calendarOf(timeZone).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((one) => one.type === type)?.value ?? 0);
  const shown = Date.UTC(
    ...([part('year'), part('month') - 1, part('day')] as const),
    ...([part('hour'), part('minute'), part('second')] as const),
  );
  return shown - Math.floor(at / 1_000) * 1_000;
}

/** Minutes of a week that the hours cover. */
export const minutesIn = ({ days, from, to }: Hours): number =>
  days.length * (to > from ? to - from : wholeDay - from + to);

/** The day and time on the wall clock, also on the days when it is turned. */
function localTime(at: number, timeZone: string): { readonly day: number; readonly minute: number } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? '';
  return {
    day: dayNames.indexOf(part('weekday').toLowerCase() as never),
    minute: Number(part('hour')) * 60 + Number(part('minute')),
  };
}

/** `Mon–Fri 08:00–18:00`, for people. */
export function hoursInWords({ days, from, to }: Hours): string {
  const time = (minute: number) =>
    `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const when = from === 0 && to === wholeDay ? [] : [`${time(from)}–${time(to)}`];
  const which = days.length === 7 ? (when.length === 0 ? ['every day'] : []) : [daysInWords(days)];
  return [...which, ...when].join(' ');
}

function daysInWords(days: readonly number[]): string {
  const capital = (day = 0) => {
    const name = dayNames[day] ?? '';
    return name.charAt(0).toUpperCase() + name.slice(1);
  };
  const first = days[0] ?? 0;
  const isRow = days.length > 2 && days.every((day, index) => day === first + index);
  return isRow ? `${capital(first)}–${capital(days.at(-1))}` : days.map(capital).join(', ');
}
