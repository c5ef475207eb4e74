/** Sums by day, in any order. Days without traffic are missing. `date` is `YYYY-MM-DD`. */
export interface DayCount {
  readonly date: string;
  readonly values: readonly number[];
}

/** The mirror may write something else than a date. */
export const isDay = (written: string): boolean => /^\d{4}-\d\d-\d\d$/.test(written);

const length = 24 * 3_600_000;

/**
 * Every day from the earliest to `today` (or to the latest, if a clock is ahead), oldest first. Missing days
 * get zeros, so that a gap is visible.
 * @param today `YYYY-MM-DD`
 * @param width the number of values of a day
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

export const dayName = (date: string): string =>
  `${Number(date.slice(8, 10))} ${months[Number(date.slice(5, 7)) - 1] ?? ''}`;
