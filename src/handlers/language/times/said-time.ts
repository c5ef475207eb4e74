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
  | { readonly kind: 'date'; readonly date: number; readonly minutes: number };

export const wholeDay = 24 * 60;
const dayLong = wholeDay * 60_000;
const everyDay = [0, 1, 2, 3, 4, 5, 6];

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

/** `18:00`, `6pm`, `friday`, `sat 02:00`, `tomorrow 9:00`, `9:00 tomorrow`, `2026-03-31T14:30`. Undefined when it is none of these. */
export function readSaidTime(text: string): SaidTime | undefined {
  const said = text
    .trim()
    .toLowerCase()
    .replace(/^this (?=\S)/, '');
  if (/^(?:(?:the )?end of (?:the |this )?day|eod)$/.test(said)) return { kind: 'clock', minutes: wholeDay };
  const [, day, time] = /^([a-z]{3,9})(?:,? (.+))?$/.exec(said) ?? [];
  const [, before, after] = /^(.+?) (?:on )?([a-z]{3,9})$/.exec(said) ?? [];
  const clock = timeIn(said);
  if (clock !== undefined) return { kind: 'clock', minutes: clock };
  const named =
    (day === undefined ? undefined : readDay(day, time)) ??
    (after === undefined ? undefined : readDay(after, before));
  if (named !== undefined) return named;
  const date = /^[0-9]{4}-/.test(said) ? readSince(said) : undefined;
  if (date?.kind !== 'day') return undefined;
  const minutes = said.length === 10 ? wholeDay : date.minutes;
  return { kind: 'date', date: date.day / dayLong, minutes };
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

/** `18:00`, `6pm`, `6:30 pm`, `noon`: minutes after midnight. */
function timeIn(said: string): number | undefined {
  if (said === 'noon' || said === 'midday') return wholeDay / 2;
  if (said === 'midnight') return wholeDay;
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
