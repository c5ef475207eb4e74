import type { Text } from '../text.ts';

/** What is on watch or on a schedule in a channel. Moments: milliseconds since the epoch. */
export interface WatchList {
  readonly all: () => Promise<readonly WatchedThing[]>;
  /** False where it was stopped already. */
  readonly stop: (id: number) => Promise<boolean>;
  /** Has a line asked at these times from now on, on this person's behalf; undefined where it is no lookup. */
  readonly schedule: (line: string, every: Recurrence) => Promise<{ readonly next: number } | undefined>;
  readonly timeZone: string;
}

export interface WatchedThing {
  readonly id: number;
  readonly kind: 'watch' | 'schedule';
  /** "status", or the line that is asked. */
  readonly name: string;
  readonly appliance: string | undefined;
  readonly person: string;
  readonly quiet: string | undefined;
  readonly over: number | undefined;
  /** How it stands, and since when. */
  readonly says: Text | undefined;
  readonly since: number | undefined;
  readonly next: number;
  readonly every: Recurrence | undefined;
}

/** Days of the week (0 is Monday) and minutes after midnight, in the policy's time zone. */
export interface Recurrence {
  readonly days: readonly number[];
  readonly minute: number;
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const all = days.map((_, index) => index);

/** Reads `every weekday at 8:00`, `daily at 17:30`, `every Monday and Friday at 9`. Undefined when it is none of these. */
function readRecurrence(text: string): Recurrence | undefined {
  const found =
    /^(?:(daily)|(?:every|each|on) ([a-z, ]+?)) (?:at )?(\d{1,2})(?::(\d{2}))?(?: ?(am|pm))?$/i.exec(
      text.trim(),
    );
  if (found === null) return undefined;
  const [, daily, named = '', hours = '', minutes = '0', half] = found;
  const which = daily === undefined ? daysIn(named.toLowerCase()) : all;
  const hour =
    half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return which === undefined || hour > 23 || Number(minutes) > 59
    ? undefined
    : { days: which, minute: hour * 60 + Number(minutes) };
}

function daysIn(named: string): readonly number[] | undefined {
  if (named === 'day' || named === 'morning' || named === 'evening') return all;
  if (named === 'weekday' || named === 'workday' || named === 'working day') return [0, 1, 2, 3, 4];
  if (named === 'weekend') return [5, 6];
  const found = named
    .split(/,| and | /)
    .filter((word) => word !== '')
    .map((word) => days.findIndex((day) => word.length > 2 && day.startsWith(word.replace(/s$/, ''))));
  return found.length === 0 || found.includes(-1) ? undefined : [...new Set(found)].toSorted();
}

/** `status every weekday at 8:00`: the line, and when. */
export function readScheduled(
  text: string,
): { readonly line: string; readonly every: Recurrence } | undefined {
  const [, line = '', when = ''] = /^(.+?) ((?:every|each|daily|on) .+)$/i.exec(text.trim()) ?? [];
  const every = readRecurrence(when);
  return every === undefined ? undefined : { line, every };
}

export function recurrenceInWords({ days: which, minute }: Recurrence): string {
  const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
  const names = which.map((day) => capital(days[day] ?? ''));
  const when =
    which.length === 7
      ? 'every day'
      : which.join() === '0,1,2,3,4'
        ? 'every weekday'
        : `every ${names.join(', ')}`;
  return `${when} at ${time}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
