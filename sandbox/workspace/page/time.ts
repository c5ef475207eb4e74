import { nearDay } from './blocks/dates.ts';

/** Slack's ts is seconds since 1970 with a counter behind the dot. */
export const dateOf = (ts: string) => new Date(Number(ts) * 1000);

export const clockTime = (ts: string) =>
  dateOf(ts).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' });

/** The clock without AM or PM: the gutter beside a message is too narrow for them. */
export const gutterTime = (ts: string) =>
  new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
    .formatToParts(dateOf(ts))
    .map(({ type, value }) => (type === 'dayPeriod' ? '' : value))
    .join('')
    .trim();

export const sameDay = (one: string, other: string) =>
  dateOf(one).toDateString() === dateOf(other).toDateString();

/** "Today", "Yesterday", or the date in full. */
export function dayName(ts: string, now: Date): string {
  const date = dateOf(ts);
  return (
    nearDay(date, now) ??
    date.toLocaleDateString(undefined, { weekday: 'long', month: 'long', day: 'numeric' })
  );
}
