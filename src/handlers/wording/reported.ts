import { type AmountUnit, amountIn, type UnnamedFields } from '../../api/index.ts';
import { maskSecrets } from '../../secrets.ts';
import { capital, type Field, type Part, say, type Text } from '../reply.ts';
import { mapInTurns } from './in-turns.ts';
import { bytes, duration, number, percent, readDuration } from './quantities.ts';
import { clockOf, toldMoment } from './when.ts';

/**
 * Status and numbers that an appliance reports under names of its own, because the document shows no shape
 * (appliance-api.md §4, rows marked R), made readable: a name in words, a number in the unit that its name tells.
 * Nothing is left out, and what is not certain stays as it was written.
 */
export function reportedFields(fields: UnnamedFields, now?: number): readonly Field[] {
  const common = commonPrefix(Object.keys(fields));
  return Object.entries(fields).map(([key, value]) => ({
    name: readableName(key.slice(common.length)),
    value: readableValue(key, value, now),
  }));
}

/** Columns that stand readably beside each other; what a row has beyond them stands together in the last one. */
const mostColumns = 8;

/** More names than that are not all told of every row: thousands of names in thousands of rows would be millions of cells. */
const mostTold = 100;

/** Rows of which nobody knows the columns: those that occur, in the order in which they do. */
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
 * The first value under any of these names, which are in lower case without punctuation, wherever in a report it
 * stands: `uptime` finds `Statistics.uptime`, `totalbytes` finds `total_bytes`.
 */
export function reportedUnder(fields: UnnamedFields, ...names: readonly string[]): string | undefined {
  return allReportedUnder(fields, ...names)[0];
}

/** All values under any of these names, in the order of the names; a report on several programs has several. */
export function allReportedUnder(fields: UnnamedFields, ...names: readonly string[]): readonly string[] {
  return names.flatMap((name) =>
    Object.entries(fields).flatMap(([key, value]) =>
      plain(lastPart(key)) === name && value !== '' ? [value] : [],
    ),
  );
}

/** The same as a number, with the unit of what is counted or without one; undefined where it is none. */
export const numberUnder = (fields: UnnamedFields, ...names: readonly string[]): number | undefined =>
  amountUnder(fields, 'things', names);

/** The same of what is counted otherwise: "94.9%", "527 GB". */
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
 * Whether somebody has switched a service off by its setting; undefined where it does not tell. `service_disabled` is named the wrong way
 * round by the appliance: 1 means enabled, and 0 that it is switched off (field notes).
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
  const named = words.length > 1 && unitWords.has(words.at(-1) ?? '') ? words.slice(0, -1) : words;
  const sentence = named.map((word) => (acronyms.has(word) ? word.toUpperCase() : word)).join(' ');
  return sentence === '' ? key : capital(sentence);
}

/**
 * A value in the unit that its name tells.
 * @param now where every moment is over, so that one which lies ahead is told as that of another clock
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
    // The year 1 is how servers write "never".
    return /^000/.test(value) ? say`never` : toldMoment(Date.parse(value), now);
  }
  if (isNumber(value)) return say`${readableNumber(words, value)}`;
  const isLength = hasAny(words, 'uptime', 'duration', 'latency', 'time', 'age');
  const length = isLength ? readDuration(value) : undefined;
  if (length !== undefined) return say`${duration(length)}`;
  // A statement or a sentence is no moment, though there may be one in it.
  return say`${maskSecrets(value)}${value.length > longestMoment ? '' : clockOf(value)}`;
}

const longestMoment = 30;

function readableNumber(words: readonly string[], value: string): string {
  const amount = Number(value);
  const last = words.at(-1) ?? '';
  // What is only called by a number is not counted: a PID is no amount.
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
/** Words at the end of a name that the value says by itself. */
const unitWords: ReadonlySet<string> = new Set([...milliseconds.keys(), 'percent', 'pct', 'bytes']);

const acronyms: ReadonlySet<string> = new Set(
  'pid id ip ipv4 ipv6 tcp udp dns pdns ttl cpu url os ftp tls http nxdomain servfail'.split(' '),
);

/** Rows by the ten thousand have the same few names. */
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

/** What stands before all the names, such as the key of the only part of a report. */
function commonPrefix(keys: readonly string[]): string {
  const [first = ''] = keys;
  const prefix = first.slice(0, first.indexOf('.') + 1);
  return keys.every((key) => key.startsWith(prefix)) ? prefix : '';
}
