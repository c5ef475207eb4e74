import type { Member } from '../../../api/index.ts';
import type { Argument } from '../../argument.ts';
import { moment, say, type Text } from '../../reply.ts';

/** The end of somebody's access: milliseconds since the epoch, or never. */
export type End = number | 'never';

/** An end in words, perhaps in months and days from today. */
export type Until =
  | End
  | 'end of month'
  | { readonly months: number; readonly days: number }
  /** The next such weekday, today included; 0 is Sunday. */
  | { readonly weekday: number };

/**
 * A last day, or a day with a time; all in UTC, because the appliance does not report its time zone. Refuses
 * hours and minutes from now: they would move between request and confirmation.
 */
export const until: Argument<Until> = {
  what: 'a last day, such as 30d, 2 weeks, friday, tomorrow, end of month or YYYY-MM-DD, or never',
  example: '30d',
  words: 4,
  read: (typed) => {
    const value = readUntil(typed.trim().toLowerCase().replaceAll(/\s+/g, ' '));
    return value === undefined
      ? { ok: false, problem: { code: 'malformed', wanted: 'written like one of these, and a real day' } }
      : { ok: true, value };
  },
};

function readUntil(typed: string): Until | undefined {
  if (typed === 'never' || typed === 'forever') return 'never';
  if (/^end of (?:the )?month$/.test(typed)) return 'end of month';
  if (typed === 'today') return { months: 0, days: 0 };
  if (typed === 'tomorrow') return { months: 0, days: 1 };
  const name = /^(?:(?:this|on) )?([a-z]{3,9})$/.exec(typed)?.[1] ?? '';
  const weekday = weekdays.findIndex((day) => name.length >= 3 && day.startsWith(name));
  if (weekday !== -1) return { weekday };
  // A bare "m" could be minutes.
  const span = /^(?:in )?([1-9][0-9]{0,2}) ?(d|days?|w|weeks?|months?|y|years?)$/.exec(typed);
  const [months, days] = spans.get(span?.[2]?.[0]) ?? [];
  if (months === undefined || days === undefined) return readMoment(typed);
  const count = Number(span?.[1]);
  return { months: months * count, days: days * count };
}

const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

const spans = new Map<string | undefined, readonly [months: number, days: number]>([
  ['d', [0, 1]],
  ['w', [0, 7]],
  ['m', [1, 0]],
  ['y', [12, 0]],
]);

/** `2027-03-31`, `2027-03-31T18:00`, `31.3.2027`. */
function readMoment(typed: string): number | undefined {
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(typed);
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[t ](\d{2}):(\d{2})(?::(\d{2}))?z?)?$/.exec(typed);
  const [year, month, day] = german === null ? (iso ?? []).slice(1, 4) : german.slice(1).toReversed();
  if (year === undefined) return undefined;
  const [hour, minute, second = '0'] = iso?.[4] === undefined ? ['23', '59', '59'] : iso.slice(4);
  const time = [Number(hour), Number(minute), Number(second)] as const;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day), ...time));
  // `Date` silently turns 31 February into another day.
  const isThatDay = at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day);
  return isThatDay &&
    time.every((part, index) => part < (index === 0 ? 24 : 60)) &&
    at.getUTCFullYear() >= 2000
    ? at.getTime()
    : undefined;
}

/** Resolves an end at this moment. A month from 31 January ends with February. */
export function endOf(until: Until, now: number): End {
  if (typeof until === 'number' || until === 'never') return until;
  const today = new Date(now);
  const { months, days } =
    until === 'end of month'
      ? { months: 0, days: 0 }
      : 'weekday' in until
        ? { months: 0, days: (until.weekday - today.getUTCDay() + 7) % 7 }
        : until;
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() + months];
  const lastOfMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const day = until === 'end of month' ? lastOfMonth : Math.min(today.getUTCDate(), lastOfMonth) + days;
  return Date.UTC(year, month, day, 23, 59, 59);
}

/** Seconds are smaller until the year 5138, milliseconds larger since 1973. */
const secondsEnd = 1e11;

/**
 * The end as the appliance writes it (appliance-api.md §2.14: "a string holding a number"). The unit is
 * undocumented: it follows existing members, otherwise seconds. "Never" is undocumented too: 0 if an existing
 * member has that, otherwise undefined.
 */
export function endOfLifeFor(value: End, members: readonly Member[]): number | undefined {
  const known = members.flatMap(({ endOfLife }) => (endOfLife === undefined ? [] : [endOfLife]));
  if (value === 'never') return known.includes(0) ? 0 : undefined;
  return known.some((end) => end >= secondsEnd) ? value : Math.floor(value / 1_000);
}

/** The end of a member's access; undefined if there is none, or if it is no number. */
export const momentOf = ({ endOfLife = 0 }: Pick<Member, 'endOfLife'>): Date | undefined =>
  endOfLife === 0 ? undefined : new Date(endOfLife < secondsEnd ? endOfLife * 1_000 : endOfLife);

/** An end for people; other values stay as written. */
export function untilText({ endOfLife, fields }: Pick<Member, 'endOfLife' | 'fields'>, now?: number): Text {
  const at = momentOf({ ...(endOfLife === undefined ? {} : { endOfLife }) });
  if (endOfLife === undefined) {
    const written = Object.entries(fields).find(([name]) => name.toLowerCase() === 'endoflife')?.[1];
    return say`${written === undefined || written === '' ? 'not reported' : written}`;
  }
  // Servers write "no time" as 1970.
  if (at === undefined) return say`no end`;
  return now !== undefined && at.getTime() < now ? say`${moment(at)}, in the past` : say`${moment(at)}`;
}

export const shownUntil = (value: End): Text => (value === 'never' ? say`no end` : say`${moment(value)}`);
