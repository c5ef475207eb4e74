/** Numbers for people. All are rounded, so never compare them. */

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** `1,234,567`, at most two digits behind the point. */
export const number = (value: number): string => grouped.format(value);

const sizes = ['kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** An amount of bytes in powers of 1,000: `512 bytes`, `418 kB`, `61.2 GB`, `1.4 TB`. */
export function bytes(amount: number): string {
  if (Math.abs(amount) < 999.5) return `${Math.round(amount)} ${Math.round(amount) === 1 ? 'byte' : 'bytes'}`;
  let size = amount;
  let unit = '';
  // A value that rounds to 1,000 of a unit is 1 of the next.
  for (const next of sizes) {
    size /= 1_000;
    unit = next;
    if (Math.abs(size) < 999.5) break;
  }
  return `${significant(size)} ${unit}`;
}

/** A percentage: `64.3%`, `0.02%`. Only an exact value becomes 100% or 0%. */
export function percent(share: number): string {
  const rounded = Math.abs(share) < 1 ? Math.round(share * 100) / 100 : Math.round(share * 10) / 10;
  if (rounded === 100 && share < 100) return '99.9%';
  if (rounded === 0 && share > 0) return 'less than 0.01%';
  return `${number(rounded)}%`;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** A length of time in milliseconds: `410 µs`, `350 ms`, `1.8 s`, `30 s`, `2 min 5 s`, `3 h 20 min`, `12 days 7 h`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 0) return `-${duration(-milliseconds)}`;
  if (milliseconds > 0 && milliseconds < 0.9995) return `${number(Math.round(milliseconds * 1_000))} µs`;
  if (milliseconds === 0) return '0 s';
  if (milliseconds < 999.5) return `${significant(milliseconds)} ms`;
  if (milliseconds < 9_950) return `${significant(milliseconds / second)} s`;
  const seconds = Math.round(milliseconds / second) * second;
  if (seconds < minute) return `${seconds / second} s`;
  if (seconds < hour) return inTwo(seconds, [minute, ' min'], [second, ' s']);
  const minutes = Math.round(milliseconds / minute) * minute;
  if (minutes < day) return inTwo(minutes, [hour, ' h'], [minute, ' min']);
  const hours = Math.round(milliseconds / hour) * hour;
  return inTwo(hours, [day, hours < 2 * day ? ' day' : ' days'], [hour, ' h']);
}

type Unit = readonly [milliseconds: number, name: string];

function inTwo(length: number, [large, largeName]: Unit, [small, smallName]: Unit): string {
  const first = `${number(Math.floor(length / large))}${largeName}`;
  const rest = Math.floor((length % large) / small);
  return rest === 0 ? first : `${first} ${rest}${smallName}`;
}

/** One decimal if it is significant. */
const significant = (value: number): string =>
  number(Math.abs(value) < 99.95 ? Math.round(value * 10) / 10 : Math.round(value));

const lengths: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: second,
  m: minute,
  h: hour,
  d: day,
};

/**
 * Reads a duration as servers write it, in milliseconds: `295h12m4s`, `41.25s`, `1.5ms`, `9 days, 4 hours`.
 * Undefined for other text, and for a bare number, which has no unit.
 */
export function readDuration(written: string): number | undefined {
  const text = written.trim().toLowerCase();
  const part =
    /\s*(?:,\s*)?(\d+(?:\.\d+)?)\s*(?:(ns|us|µs|ms)|(s|m|h|d)(?:ecs?|econds?|ins?|inutes?|rs?|ours?|ays?)?)(?![a-z])/y;
  let sum = 0;
  let found = false;
  while (part.lastIndex < text.length) {
    const match = part.exec(text);
    if (match === null) return undefined;
    const [, amount = '', small, large = ''] = match;
    sum += Number(amount) * (lengths[small ?? large] ?? 0);
    found = true;
  }
  return found ? sum : undefined;
}
