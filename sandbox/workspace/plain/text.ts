/** Names and settings for reading Slack's mark-up as a person would. */
export interface Reading {
  /** A person's handle by ID. */
  readonly person: (id: string) => string;
  /** A user group's handle by ID. */
  readonly group: (id: string) => string;
  readonly channel: (id: string) => string;
  /** An IANA time zone; the machine's own when undefined. */
  readonly timeZone: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Emoji that apps are likely to use, by their short names; others stay as they are typed. */
const emoji: Readonly<Record<string, string>> = {
  '+1': '👍',
  '-1': '👎',
  heart: '❤️',
  pray: '🙏',
  raised_hands: '🙌',
  tada: '🎉',
  white_check_mark: '✅',
  heavy_check_mark: '✔️',
  x: '❌',
  warning: '⚠️',
  no_entry: '⛔',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  rotating_light: '🚨',
  lock: '🔒',
  unlock: '🔓',
  mag: '🔍',
  eyes: '👀',
  bell: '🔔',
  calendar: '📆',
  information_source: 'ℹ️',
  question: '❓',
  white_circle: '⚪',
  red_circle: '🔴',
  large_green_circle: '🟢',
  large_yellow_circle: '🟡',
};

/** Reads mrkdwn: mentions and dates by name, links with their address, marks taken off, entities resolved. */
export function mrkdwn(text: string, reading: Reading): string {
  // Code is kept as it is; only what Slack resolves inside it, too, is resolved.
  const parts = text.split(/(```[\s\S]*?```|`[^`\n]+`)/);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : unmark(part)))
    .map((part) => resolved(part.replace(/<([^<>]+)>/g, (_, inner: string) => reference(inner, reading))))
    .join('');
}

/** Reads plain text: emoji only. */
export function plain(text: string): string {
  return named(text);
}

/** `14:05`, local. */
export function time(ms: number, reading: Reading, seconds = false): string {
  const style: Intl.DateTimeFormatOptions = {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...(seconds ? { second: '2-digit' } : {}),
  };
  return formatted(ms, 'en-GB', style, reading);
}

/** Slack's date formats, such as `{date_short_pretty} at {time}`, for seconds since 1970. */
export function date(seconds: number, format: string, reading: Reading): string {
  const ms = seconds * 1000;
  return format.replace(/\{(\w+)\}/g, (whole, token: string) => dateToken(token, ms, reading) ?? whole);
}

function dateToken(token: string, ms: number, reading: Reading): string | undefined {
  const say = (style: Intl.DateTimeFormatOptions): string => formatted(ms, 'en-GB', style, reading);
  const long = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  const short = { day: 'numeric', month: 'short', year: 'numeric' } as const;
  switch (token) {
    case 'date_num':
      return day(ms, reading);
    case 'date_slash':
      return say({ day: '2-digit', month: '2-digit', year: 'numeric' });
    case 'date':
      return say(long);
    case 'date_short':
      return say(short);
    case 'date_long':
      return say({ weekday: 'long', ...long });
    case 'date_pretty':
    case 'day_divider_pretty':
      return nearby(ms, reading) ?? say(long);
    case 'date_short_pretty':
      return nearby(ms, reading) ?? say(short);
    case 'date_long_pretty':
      return nearby(ms, reading) ?? say({ weekday: 'long', ...long });
    case 'time':
      return time(ms, reading);
    case 'time_secs':
      return time(ms, reading, true);
    case 'ago':
      return ago(ms - reading.now);
    default:
      return undefined;
  }
}

/** Formatters of times, by language, style and zone: making one takes many times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(
  ms: number,
  language: string,
  style: Intl.DateTimeFormatOptions,
  { timeZone }: Reading,
): string {
  const options = { ...style, ...(timeZone !== undefined && { timeZone }) };
  const key = JSON.stringify([language, options]);
  const format = formats.get(key) ?? new Intl.DateTimeFormat(language, options);
  formats.set(key, format);
  return format.format(ms);
}

/** `2026-10-01`, local. */
function day(ms: number, reading: Reading): string {
  return formatted(ms, 'sv-SE', {}, reading);
}

function nearby(ms: number, reading: Reading): string | undefined {
  // Counts days of the local calendar, because clock changes make some longer than others.
  const apart = (Date.parse(day(ms, reading)) - Date.parse(day(reading.now, reading))) / 86_400_000;
  return { '0': 'today', '-1': 'yesterday', '1': 'tomorrow' }[apart];
}

function ago(ms: number): string {
  const relative = new Intl.RelativeTimeFormat('en-GB');
  const minutes = Math.round(ms / 60_000);
  if (Math.abs(minutes) < 60) return relative.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 24
    ? relative.format(hours, 'hour')
    : relative.format(Math.round(hours / 24), 'day');
}

/** Reads the text between `<` and `>`. */
function reference(inner: string, reading: Reading): string {
  const [target = '', label] = split(inner, '|');
  if (target.startsWith('@')) return `@${reading.person(target.slice(1))}`;
  if (target.startsWith('#')) return `#${label || reading.channel(target.slice(1))}`;
  if (target.startsWith('!date^')) {
    const [, seconds = '', format = ''] = target.split('^');
    return /^-?\d+$/.test(seconds) ? date(Number(seconds), format, reading) : (label ?? target);
  }
  if (target.startsWith('!subteam^')) return label ?? `@${reading.group(target.slice('!subteam^'.length))}`;
  if (target.startsWith('!')) return `@${target.slice(1)}`;
  const address = target.replace(/^mailto:/, '');
  if (label === undefined || label === address || target === `http://${label}`) return label ?? address;
  return `${label} (${address})`;
}

/** Takes off `*bold*`, `_italic_` and `~strike~`, and the arrow of quotes, outside of references. */
function unmark(text: string): string {
  const parts = text.split(/(<[^<>]+>)/);
  const kept = parts.map((part, index) => (index % 2 === 1 ? part : named(part)));
  return kept
    .join('')
    .replace(/(?<![\w*<])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])/g, '$1')
    .replace(/(?<![\w_<])_(?=\S)([^_\n]+?)(?<=\S)_(?![\w_])/g, '$1')
    .replace(/(?<![\w~<])~(?=\S)([^~\n]+?)(?<=\S)~(?![\w~])/g, '$1')
    .replace(/^&gt; ?/gm, '▎ ');
}

function named(text: string): string {
  return text.replace(/:([a-z0-9_+-]+):/g, (whole, name: string) => emoji[name] ?? whole);
}

function resolved(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function split(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
