/** Sums by day, as they come: any order, days without anything left out. `date` is `YYYY-MM-DD`. */
export interface DayCount {
  readonly date: string;
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

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `2026-09-23` is `23 Sep`. */
export const dayName = (date: string): string =>
  `${Number(date.slice(8, 10))} ${months[Number(date.slice(5, 7)) - 1] ?? ''}`;
