/** Slack's date formats, written in the reader's zone and language. Anything unknown leaves the fallback standing. */

type Write = (date: Date, now: Date, language: string | undefined) => string;

const dayNumber = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000;

/** "Today", "Yesterday" and "Tomorrow" where they apply. */
export function nearDay(date: Date, now: Date): string | undefined {
  return { '0': 'Today', '-1': 'Yesterday', '1': 'Tomorrow' }[String(dayNumber(date) - dayNumber(now))];
}

const day =
  (options: Intl.DateTimeFormatOptions): Write =>
  (date, _now, language) =>
    date.toLocaleDateString(language, options);

const pretty =
  (write: Write): Write =>
  (date, now, language) =>
    nearDay(date, now)?.toLowerCase() ?? write(date, now, language);

const short = day({ month: 'short', day: 'numeric', year: 'numeric' });
const middle = day({ month: 'long', day: 'numeric', year: 'numeric' });
const long = day({ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });

const formats: Readonly<Record<string, Write>> = {
  '{date_num}': (date) => {
    const two = (part: number) => String(part).padStart(2, '0');
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  },
  '{date_slash}': day({ year: 'numeric', month: '2-digit', day: '2-digit' }),
  '{date}': middle,
  '{date_pretty}': pretty(middle),
  '{date_short}': short,
  '{date_short_pretty}': pretty(short),
  '{date_long}': long,
  '{date_long_pretty}': pretty(long),
  '{date_long_full}': long,
  '{time}': (date, _now, language) =>
    date.toLocaleTimeString(language, { hour: 'numeric', minute: '2-digit' }),
  '{time_secs}': (date, _now, language) =>
    date.toLocaleTimeString(language, { hour: 'numeric', minute: '2-digit', second: '2-digit' }),
  '{ago}': (date, now, language) => {
    const minutes = Math.round((date.getTime() - now.getTime()) / 60_000);
    const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
    if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
    if (Math.abs(minutes) < 60 * 24) return relative.format(Math.round(minutes / 60), 'hour');
    return relative.format(Math.round(minutes / 60 / 24), 'day');
  },
};

/** Writes a `<!date^…>` token. `seconds` since 1970; `language` is the reader's when left out. */
export function writeDate(
  seconds: number,
  format: string,
  fallback: string,
  now: Date,
  language?: string,
): string {
  const date = new Date(seconds * 1000);
  if (!/\{\w+\}/.test(format) || Number.isNaN(date.getTime())) return fallback;
  let known = true;
  const written = format.replace(/\{\w+\}/g, (name) => {
    const write = formats[name];
    if (!write) known = false;
    return write?.(date, now, language) ?? name;
  });
  return known ? written : fallback;
}
