import { readDuration } from '../../duration.ts';
import { momentOf, readSince } from './since.ts';
import { readSpoken } from './span-words.ts';

/** The options by which a change that can be undone is temporary, whatever command it is. */
export type TermOption = 'for' | 'until';
export const termOptions: readonly TermOption[] = ['for', 'until'];

/** What was typed behind one of them. */
export interface TypedTerm {
  readonly option: TermOption;
  readonly text: string;
}

/** How long a change is to last: so long from when it is made, or until a moment. */
export type Term =
  | { readonly kind: 'for'; readonly milliseconds: number }
  | { readonly kind: 'until'; readonly end: End };

/** A day (0 is Monday) or a date has its end where it has no time. Minutes are after midnight. */
type End =
  | { readonly kind: 'clock'; readonly minutes: number }
  | { readonly kind: 'weekday'; readonly day: number; readonly minutes: number }
  | { readonly kind: 'tomorrow'; readonly minutes: number }
  | { readonly kind: 'date'; readonly day: number; readonly minutes: number };

/** What is taken, for people. */
export const termWanted: Readonly<Record<TermOption, string>> = {
  for: 'a duration such as 30m, 2h or 3d, from 1 minute to 90 days',
  until: 'a time such as 18:00, friday, “sat 02:00”, tomorrow or YYYY-MM-DDThh:mm',
};

const minute = 60_000;
const day = 24 * 60;
const [shortest, longest] = [minute, 90 * day * minute];

/** `2h`, `two hours` after `--for`; `18:00`, `6pm`, `friday`, `sat 02:00`, `tomorrow 9:00`, `end of the day`, `2026-03-31T14:30` after `--until`. Undefined when it is none of these. */
export function readTerm({ option, text }: TypedTerm): Term | undefined {
  const said = text.trim().toLowerCase();
  if (option === 'for') {
    const milliseconds = readDuration(said) ?? readSpoken(said);
    const fits = milliseconds !== undefined && milliseconds >= shortest && milliseconds <= longest;
    return fits ? { kind: 'for', milliseconds } : undefined;
  }
  const end = readEnd(said);
  return end && { kind: 'until', end };
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];

function readEnd(typed: string): End | undefined {
  const said = typed.replace(/^this (?=\S)/, '');
  if (/^(?:midnight|(?:the )?end of (?:the |this )?day|eod)$/.test(said))
    return { kind: 'clock', minutes: day };
  const [, named = '', time] = /^([a-z]{3,9})(?:,? (?:at )?(.+))?$/.exec(said) ?? [];
  const minutes = time === undefined ? day : timeIn(time);
  if (named !== '' && minutes !== undefined) {
    if (named === 'tomorrow') return { kind: 'tomorrow', minutes };
    if (named === 'today' || named === 'tonight') return { kind: 'clock', minutes };
    const weekday = weekdays.findIndex((one) => one.startsWith(named));
    if (weekday !== -1) return { kind: 'weekday', day: weekday, minutes };
  }
  const clock = timeIn(said);
  if (clock !== undefined) return { kind: 'clock', minutes: clock };
  const date = /^[0-9]{4}-/.test(said) ? readSince(said) : undefined;
  if (date?.kind !== 'day') return undefined;
  return { kind: 'date', day: date.day, minutes: said.length === 10 ? day : date.minutes };
}

/** `18:00`, `6pm`, `6:30 pm`, `9`: minutes after midnight. */
function timeIn(said: string): number | undefined {
  if (said === 'noon' || said === 'midday') return day / 2;
  const [, hours = '', minutes = '0', half] = /^([0-9]{1,2})(?::([0-9]{2}))? ?(am|pm)?$/.exec(said) ?? [];
  if (hours === '' || (half === undefined && !said.includes(':'))) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'pm' ? 12 : 0);
  return hour > 23 || Number(minutes) > 59 ? undefined : hour * 60 + Number(minutes);
}

/**
 * The moment at which it ends, in milliseconds since the epoch; it may have passed already where a date was given.
 * @param now when it begins
 */
export function endOf(term: Term, now: number, timeZone: string): number {
  if (term.kind === 'for') return now + term.milliseconds;
  const { end } = term;
  const today = dayOf(now, timeZone);
  const at = (days: number, minutes: number) =>
    momentOf({ kind: 'day', day: today + days * day * minute, minutes }, now, timeZone);
  switch (end.kind) {
    case 'clock': {
      const soon = at(0, end.minutes);
      return soon > now ? soon : at(1, end.minutes);
    }
    case 'tomorrow':
      return at(1, end.minutes);
    case 'weekday': {
      const ahead = (end.day - weekdayOf(now, timeZone) + 7) % 7;
      const next = at(ahead, end.minutes);
      return next > now ? next : at(ahead + 7, end.minutes);
    }
    case 'date':
      return momentOf({ kind: 'day', day: end.day, minutes: end.minutes }, now, timeZone);
  }
}

/** A moment as it is typed behind `--until`, in that zone. */
export function typedEnd(at: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
    hourCycle: 'h23',
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}

/** The day there, as its midnight in UTC. */
function dayOf(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(parts.year ?? 0, (parts.month ?? 1) - 1, parts.day);
}

const weekdayOf = (at: number, timeZone: string): number =>
  (new Date(dayOf(at, timeZone)).getUTCDay() + 6) % 7;
