import { capital } from '../text.ts';

/** Days of the week (0 is Monday) and minutes after midnight, in the policy's time zone. */
export interface Recurrence {
  readonly days: readonly number[];
  readonly minute: number;
}

const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const all = days.map((_, index) => index);

/** Reads `every weekday at 8:00`, `daily at 17:30`, `every Monday and Friday at 9`. Undefined for other text. */
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

/**
 * Splits `status every weekday at 8:00` into line and times. A possible beginning of a time may belong to the
 * line.
 */
export function readScheduled(
  text: string,
): { readonly line: string; readonly every: Recurrence } | undefined {
  const line = text.trim();
  for (const { index } of line.matchAll(/(?<=\S) (?=(?:every|each|daily|on) )/gi)) {
    const every = readRecurrence(line.slice(index));
    if (every !== undefined) return { line: line.slice(0, index), every };
  }
  return undefined;
}

/** The words before a schedule, even an invalid one. */
export const whatOf = (text: string): string | undefined =>
  /^(.*?\S) (?:every|each|everyday|daily|hourly|nightly|weekly|monthly)(?: |$)/i.exec(text.trim())?.[1];

/** "status on branch-2" means `--on branch-2`. */
export function saidOn(text: string): { readonly line: string; readonly on: string } | undefined {
  const [, line, on] = /^(.*\S) on (\S+)$/i.exec(text) ?? [];
  return line === undefined || on === undefined ? undefined : { line, on };
}

export const isSameRecurrence = (one: Recurrence, other: Recurrence): boolean =>
  one.minute === other.minute && one.days.join() === other.days.join();

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
