import { dateAt, minuteAt, momentOn } from '../../../auth/hours.ts';
import { readDuration } from '../../../duration.ts';
import { readSpoken } from '../span-words.ts';
import { clockSaid, readClock, wholeDay } from './clock.ts';
import { dateSaid, datesOf, daySaid, readDays, type SaidDay } from './said-day.ts';

/** A moment as people say it, to come or past. */
export type SaidTime =
  /** So long from now; ago, where it is less than 0. */
  | { readonly kind: 'span'; readonly milliseconds: number }
  | SaidPoint
  /** What was said can be each of these. */
  | { readonly kind: 'either'; readonly of: readonly Exclude<SaidTime, { kind: 'either' }>[] };

/** Minutes are after midnight, by the clock on the wall; a day without them is all of that day. */
interface SaidPoint {
  readonly kind: 'point';
  readonly day: SaidDay | undefined;
  readonly minutes: number | undefined;
}

const point = (day: SaidDay | undefined, minutes: number | undefined): SaidPoint => ({
  ...{ kind: 'point', day, minutes },
});

/**
 * The one reader of times: `18:00`, `friday`, `end of friday`, `monday morning`, `sat 02:00`, `9:00 tomorrow`, `28.11.`, `28 nov 18:00`,
 * `2026-03-31T14:30`, `in 2h`, `2h ago`, `now`. Undefined when it is none of these.
 */
export function readSaidTime(text: string): SaidTime | undefined {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/^(\d{4}-\d{1,2}-\d{1,2})t(?=\d)/, '$1 ')
    .replace(/,? +/g, ' ')
    .replace(/^(?:this|on|at) (?=\S)/, '')
    // The whole of a day has its end without these words, too.
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

/** What is only a time of the day, or could be. */
function clocksIn(said: string): readonly Exclude<SaidTime, { kind: 'either' }>[] {
  const minutes = readClock(said);
  if (minutes === undefined) return [];
  // "2h" may be two hours from now.
  const isSpan = /^(?:\d|1[0-2]) ?h$/.test(said);
  const span = isSpan ? readDuration(said) : undefined;
  return [
    point(undefined, minutes),
    ...(span === undefined ? [] : [{ kind: 'span', milliseconds: span } as const]),
  ];
}

/** "the day after tomorrow at 6:00 pm" and then some: what is longer says no time, and is not tried at each of its words. */
const mostWords = 10;

/** A day with or without a time, in the order in which people say them. */
function pointsIn(said: string): readonly SaidPoint[] {
  const words = said.split(' ');
  if (words.length > mostWords) return [];
  // The longest first: "28 nov 2026" has no time in it.
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
  // "tomorrow at 6" leaves out the minutes, and in the night there is one 10.
  const isTonight = named === 'tonight';
  const clock = time.replace(
    isTonight ? /^(?:at )?([0-9]{1,2})$/ : /^at ([0-9]{1,2})$/,
    (_, hour: string) => `${hour}:00`,
  );
  const minutes = readClock(clock.replace(/^at /, ''));
  if (minutes === undefined) return [];
  if (!isTonight) return days.map((day) => point(day, minutes));
  // What is said of the night may be tomorrow's morning; "tonight at 10" is not in the morning.
  const isEvening = minutes >= 5 * 60 && minutes < 12 * 60 && !clock.endsWith('am');
  const isMidnight = minutes === wholeDay / 2 && clock === '12:00';
  return [point(undefined, isMidnight ? wholeDay : minutes + (isEvening ? wholeDay / 2 : 0))];
}

/** The moments that can be meant, in milliseconds since the epoch, the first one first: the next ones; of a date they may have passed. */
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

/** The only one, or the last of those that can be meant. A time that the clock shows twice is the first one, one that it never shows as much later. */
export const momentSaid = (said: SaidTime, now: number, timeZone: string): number =>
  Math.max(...momentsSaid(said, now, timeZone));

/** The last such moment that has been; of a day its beginning. Undefined where none has, or where it can be several. */
export function pastMoment(said: SaidTime, now: number, timeZone: string): number | undefined {
  if (said.kind === 'either') return undefined;
  if (said.kind === 'span') return said.milliseconds > 0 ? undefined : now + said.milliseconds;
  const { day, minutes = 0 } = said;
  const today = dateAt(now, timeZone);
  const dates = day === undefined ? [today - 2, today - 1, today] : datesOf(day, now, timeZone);
  return dates.map((date) => momentOn(date, minutes, timeZone)).findLast((at) => at <= now);
}

/** What somebody may type instead of what can be several: `10:11`, `3 apr`, `in 2h`. */
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

/** The same where a day is named from today: that is the day of whoever types it, whatever comes before that moment. */
export function onItsDay(said: SaidTime, now: number, timeZone: string): string | undefined {
  if (said.kind !== 'point' || said.day?.is !== 'near') return undefined;
  return spelled({ ...said, day: { is: 'date', date: dateAt(now, timeZone) + said.day.days } });
}

/** What somebody may type for one of the moments that can be meant: a day that is meant to its end is that day, and not the next one at midnight. */
export function typedChoice(said: SaidTime, at: number, timeZone: string): string {
  const isEnd = isWholeDay(said) && minuteAt(at, timeZone) === 0;
  return isEnd ? dateSaid(dateAt(at - 1, timeZone)) : typedMoment(at, timeZone);
}

const isWholeDay = (said: SaidTime): boolean =>
  said.kind === 'either' ? said.of.some(isWholeDay) : said.kind === 'point' && said.minutes === undefined;

/** A moment as it is typed, in that zone: `28 nov 2026 18:00`. */
export function typedMoment(at: number, timeZone: string): string {
  return `${dateSaid(dateAt(at, timeZone))} ${clockSaid(minuteAt(at, timeZone))}`;
}
