/** Sums by day, as they come: any order, days without anything left out. `date` is `YYYY-MM-DD`. */
export interface DayCount {
  readonly date: string;
  readonly values: readonly number[];
}

/** Some days in a row, summed up. */
export interface DaySpan {
  /** `23 Sep`, or `30 Sep – 1 Oct`; at most 15 characters. */
  readonly label: string;
  readonly values: readonly number[];
}

const length = 24 * 3_600_000;

/**
 * Every day from the earliest to `today` (or to the latest, where a clock is ahead), oldest first. Days that are missing
 * have zeros, so that a gap shows as one.
 * @param today `YYYY-MM-DD`
 * @param width how many values a day has
 */
export function everyDay(days: readonly DayCount[], today: string, width: number): readonly DayCount[] {
  const known = new Map(days.map((day) => [day.date, day]));
  const dates = [...known.keys()].toSorted();
  const [first] = dates;
  if (first === undefined) return [];
  const last = [dates.at(-1) ?? first, today].toSorted().at(-1) ?? first;
  const count = Math.round((Date.parse(last) - Date.parse(first)) / length) + 1;
  return Array.from({ length: count }, (_, at) => {
    const date = new Date(Date.parse(first) + at * length).toISOString().slice(0, 10);
    return known.get(date) ?? { date, values: Array.from({ length: width }, () => 0) };
  });
}

/** Puts days in a row together so that there are at most `most` spans; all but the first are equally long. */
export function inSpans(
  days: readonly DayCount[],
  most: number,
): { readonly spans: readonly DaySpan[]; readonly daysEach: number } {
  const daysEach = Math.max(1, Math.ceil(days.length / most));
  // The newest span is a whole one, so that it can be compared with those before it.
  const short = days.length % daysEach;
  const starts = Array.from({ length: Math.ceil(days.length / daysEach) }, (_, at) =>
    at === 0 ? 0 : (short || daysEach) + (at - 1) * daysEach,
  );
  const spans = starts.map((start, at) => {
    const own = days.slice(start, starts[at + 1]);
    const values = own.reduce<readonly number[]>(
      (sums, day) => day.values.map((value, which) => value + (sums[which] ?? 0)),
      [],
    );
    return { label: labelOf(own[0]?.date ?? '', own.at(-1)?.date ?? ''), values };
  });
  return { spans, daysEach };
}

function labelOf(first: string, last: string): string {
  if (first === last) return dayName(first);
  const [from, to] = [dayName(first), dayName(last)];
  const sameMonth = first.slice(0, 7) === last.slice(0, 7);
  return sameMonth ? `${from.split(' ', 1)[0]}–${to}` : `${from} – ${to}`;
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2026-09-23` is `23 Sep`. */
export const dayName = (date: string): string =>
  `${Number(date.slice(8, 10))} ${months[Number(date.slice(5, 7)) - 1] ?? ''}`;
