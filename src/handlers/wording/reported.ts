import { type AmountUnit, amountIn, type UnnamedFields } from '../../api/index.ts';
import { maskSecrets } from '../../secrets.ts';
import { capital, type Field, type Part, say, type Text } from '../reply.ts';
import { mapInTurns } from './in-turns.ts';
import { bytes, duration, number, percent, readDuration } from './quantities.ts';
import { clockOf, toldMoment } from './when.ts';

/**
 * Makes reports readable whose shape is undocumented (appliance-api.md §4, rows marked R): names in words, and
 * numbers in the unit of their name. Nothing is left out, and uncertain values stay as written.
 */
export function reportedFields(fields: UnnamedFields, now?: number): readonly Field[] {
  const common = commonPrefix(Object.keys(fields));
  return Object.entries(fields).map(([key, value]) => ({
    name: readableName(key.slice(common.length)),
    value: readableValue(key, value, now),
  }));
}

/** The most readable columns; further fields are joined in the last one. */
const mostColumns = 8;

/** The most names for each row: thousands of names in thousands of rows would make millions of cells. */
const mostTold = 100;

/** Rows with unknown columns: those that occur, in order of occurrence. */
export async function reportedTable(
  rows: readonly UnnamedFields[],
  keys: readonly string[] = [...new Set(rows.flatMap((row) => Object.keys(row)))],
): Promise<Part> {
  const own = keys.length > mostColumns ? keys.slice(0, mostColumns - 1) : keys;
  const others = keys.slice(own.length);
  const [columns, all] = [new Set(own), new Set(keys)];
  const othersOf = (row: UnnamedFields): readonly string[] =>
    others.length <= mostTold ? others : Object.keys(row).filter((key) => all.has(key) && !columns.has(key));
  const rest = (row: UnnamedFields): Text =>
    othersOf(row).flatMap((key, at) => [
      `${at === 0 ? '' : ', '}${readableName(key)}: `,
      ...readableValue(key, row[key]),
    ]);
  return {
    kind: 'table',
    columns: [...own.map(readableName), ...(others.length === 0 ? [] : ['Other'])],
    rows: await mapInTurns(rows, (row) => [
      ...own.map((key) => readableValue(key, row[key])),
      ...(others.length === 0 ? [] : [rest(row)]),
    ]),
  };
}

/**
 * The first value under any of these names, anywhere in a report. Names are in lower case without punctuation:
 * `uptime` finds `Statistics.uptime`, `totalbytes` finds `total_bytes`.
 */
export function reportedUnder(fields: UnnamedFields, ...names: readonly string[]): string | undefined {
  return allReportedUnder(fields, ...names)[0];
}

/** All values under any of these names, in the order of the names. A report on several programs has several. */
export function allReportedUnder(fields: UnnamedFields, ...names: readonly string[]): readonly string[] {
  return names.flatMap((name) =>
    Object.entries(fields).flatMap(([key, value]) =>
      plain(lastPart(key)) === name && value !== '' ? [value] : [],
    ),
  );
}

/** The value as a number, with or without the counted unit; undefined if it is none. */
export const numberUnder = (fields: UnnamedFields, ...names: readonly string[]): number | undefined =>
  amountUnder(fields, 'things', names);

/** The value as an amount in another unit: "94.9%", "527 GB". */
export function amountUnder(
  fields: UnnamedFields,
  unit: AmountUnit,
  names: readonly string[],
): number | undefined {
  const written = reportedUnder(fields, ...names);
  if (written === undefined) return undefined;
  return isNumber(written) ? Number(written) : amountIn(written, unit);
}

/**
 * Whether a service is switched off by its setting; undefined if not reported. The appliance's
 * `service_disabled` has a reversed name: 1 means enabled, and 0 means switched off (field notes).
 */
export function isSwitchedOff(fields: UnnamedFields): boolean | undefined {
  const written = reportedUnder(
    fields,
    'servicedisabled',
    'enabled',
    'isenabled',
    'enable',
    'serviceenabled',
  );
  if (written === undefined) return undefined;
  if (/^(?:1|true|yes|on|enabled)$/i.test(written)) return false;
  return /^(?:0|false|no|off|disabled)$/i.test(written) ? true : undefined;
}

const isNamedWrong = (key: string): boolean => plain(lastPart(key)) === 'servicedisabled';

/** `averageLatency_us` becomes "Average latency": the unit goes to the value. */
export function readableName(key: string): string {
  if (isNamedWrong(key)) return readableName(`${key.slice(0, key.lastIndexOf('.') + 1)}enabled`);
  const words = wordsOf(key);
  const unitless = words.length > 1 && unitWords.has(words.at(-1) ?? '') ? words.slice(0, -1) : words;
  const named = isTraffic(unitless) ? unitless.filter((word) => !/^stat(?:istic)?s$/.test(word)) : unitless;
  const sentence = named
    .map((word) => directions.get(word) ?? (acronyms.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return sentence === '' ? key : capital(sentence);
}

/**
 * A value in the unit of its name.
 * @param now given if every moment is past, so that a future one belongs to another clock
 */
export function readableValue(key: string, value: string | undefined, now = Number.POSITIVE_INFINITY): Text {
  if (value === undefined || value.trim() === '') return say`not reported`;
  if (isNamedWrong(key)) return readableValue('enabled', value);
  const words = wordsOf(lastPart(key));
  if (/^(?:true|false)$/i.test(value)) return say`${/^t/i.test(value) ? 'yes' : 'no'}`;
  if (hasAny(words, 'running', 'installed', 'enabled', 'available') && /^[01]$/.test(value)) {
    return say`${value === '1' ? 'yes' : 'no'}`;
  }
  const zoned = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value);
  if (zoned && !Number.isNaN(Date.parse(value))) {
    // Servers write "never" as the year 1.
    return /^000/.test(value) ? say`never` : toldMoment(Date.parse(value), now);
  }
  if (isNumber(value)) return say`${readableNumber(words, value)}`;
  const isLength = hasAny(words, 'uptime', 'duration', 'latency', 'time', 'age');
  const length = isLength ? readDuration(value) : undefined;
  if (length !== undefined) return say`${duration(length)}`;
  // A long statement is no moment, though it may contain one.
  return say`${maskSecrets(value)}${value.length > longestMoment ? '' : clockOf(value)}`;
}

const longestMoment = 30;

function readableNumber(words: readonly string[], value: string): string {
  const amount = Number(value);
  const last = words.at(-1) ?? '';
  // An identifying number is not grouped: a PID is no amount.
  if (hasAny(words, 'pid', 'id', 'port', 'serial', 'version', 'year')) return value;
  if (hasAny(words, 'percent', 'percentage', 'pct')) return percent(amount);
  if (hasAny(words, 'bytes')) return bytes(amount);
  const unit = milliseconds.get(last) ?? (last === 'uptime' ? 1_000 : undefined);
  return unit === undefined ? number(amount) : duration(amount * unit);
}

const hasAny = (words: readonly string[], ...wanted: readonly string[]): boolean =>
  wanted.some((word) => words.includes(word));

const milliseconds: ReadonlyMap<string, number> = new Map([
  ['us', 0.001],
  ['usec', 0.001],
  ['ms', 1],
  ['msec', 1],
  ['sec', 1_000],
  ['secs', 1_000],
  ['seconds', 1_000],
]);
/** Words at the end of a name that the formatted value already expresses. */
const unitWords: ReadonlySet<string> = new Set([...milliseconds.keys(), 'percent', 'pct', 'bytes']);

/** Network cards count `rx_packets` and `tx_packets`. */
const directions: ReadonlyMap<string, string> = new Map([
  ['rx', 'received'],
  ['tx', 'sent'],
]);
const isTraffic = (words: readonly string[]): boolean => words.some((word) => directions.has(word));

const acronyms: ReadonlySet<string> = new Set(
  'pid id ip ipv4 ipv6 tcp udp dns pdns ttl cpu url os ftp tls http nxdomain servfail'.split(' '),
);

/** A cache, because tens of thousands of rows share few names. */
const known = new Map<string, readonly string[]>();
const mostKnown = 10_000;

/** `fooBar_baz.qux` is foo, bar, baz, qux. */
function wordsOf(key: string): readonly string[] {
  const before = known.get(key);
  if (before !== undefined) return before;
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  if (known.size >= mostKnown) known.clear();
  if (key.length <= 200) known.set(key, words);
  return words;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
const lastPart = (key: string): string => key.slice(key.lastIndexOf('.') + 1);
const isNumber = (value: string): boolean => /^-?\d{1,15}(?:\.\d+)?$/.test(value.trim());

/** The prefix that all names share, such as the key of a report's only part. */
function commonPrefix(keys: readonly string[]): string {
  const [first = ''] = keys;
  const prefix = first.slice(0, first.indexOf('.') + 1);
  return keys.every((key) => key.startsWith(prefix)) ? prefix : '';
}
