import { readDuration } from '../../duration.ts';

/** From when on, as people say it: so long ago, a time of the day, a day with or without a time. */
export type Since =
  | { readonly kind: 'ago'; readonly milliseconds: number }
  | { readonly kind: 'clock'; readonly minutes: number }
  /** `day` is that day's midnight in UTC, and `minutes` are after it. */
  | { readonly kind: 'day'; readonly day: number; readonly minutes: number };

/** What is taken, for people. */
export const sinceWanted = 'a time such as 7d, 2h, 14:30, YYYY-MM-DD or YYYY-MM-DDThh:mm';

/** `7d`, `2h30m`, `14:30`, `2026-03-31`, `2026-03-31T14:30`. Undefined when it is none of these. */
export function readSince(typed: string): Since | undefined {
  const text = typed.trim().toLowerCase();
  const clock = /^([0-9]{1,2}):([0-9]{2})$/.exec(text);
  if (clock !== null) {
    const minutes = minutesOf(clock[1], clock[2]);
    return minutes === undefined ? undefined : { kind: 'clock', minutes };
  }
  const date = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[t ]([0-9]{1,2}):([0-9]{2}))?$/.exec(text);
  if (date !== null) {
    const [, written = '', hour = '0', minute = '0'] = date;
    const day = Date.parse(`${written}T00:00:00Z`);
    const minutes = minutesOf(hour, minute);
    // 31 February would silently be another day.
    const isThatDay = !Number.isNaN(day) && new Date(day).toISOString().startsWith(written);
    return isThatDay && minutes !== undefined ? { kind: 'day', day, minutes } : undefined;
  }
  // A bare number is minutes elsewhere; here it could be a year.
  const milliseconds = /[a-z]/.test(text) ? readDuration(text) : undefined;
  return milliseconds === undefined ? undefined : { kind: 'ago', milliseconds };
}

/** The moment that is meant, in milliseconds since the epoch. A time of the day is the last one that has been. */
export function momentOf(since: Since, now: number, timeZone: string): number {
  switch (since.kind) {
    case 'ago':
      return now - since.milliseconds;
    case 'day':
      return fromWall(since.day + since.minutes * minute, timeZone);
    case 'clock': {
      const midnight = Math.floor(toWall(now, timeZone) / day) * day;
      const today = fromWall(midnight + since.minutes * minute, timeZone);
      return today <= now ? today : fromWall(midnight - day + since.minutes * minute, timeZone);
    }
  }
}

const minute = 60_000;
const day = 24 * 60 * minute;

function minutesOf(hour = '', minutes = ''): number | undefined {
  return Number(hour) < 24 && Number(minutes) < 60 ? Number(hour) * 60 + Number(minutes) : undefined;
}

/** What the clocks on the walls there show, as if it were UTC. */
function toWall(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    second: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  const whole = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return whole + (at % 1_000);
}

/** The other way around. Where the clocks are turned on that day, the offset of the moment itself counts. */
function fromWall(wall: number, timeZone: string): number {
  const guess = wall - (toWall(wall, timeZone) - wall);
  return wall - (toWall(guess, timeZone) - guess);
}
