import { stripVTControlCharacters } from 'node:util';
import { type ApplianceFailure, isApplianceFailure } from '../../../../src/api/errors.ts';
import { aligned, widthOf } from './columns.ts';

/** Values as a terminal shows them. All text in them is the appliance's own. */

/** Removes characters that move the cursor, colour text, ring or reverse the direction of text. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
}

/** For scripts. Also escapes characters that JSON allows and a terminal would obey. */
export function asJson(value: unknown): string {
  const text = JSON.stringify(
    value ?? null,
    (_, one: unknown) => (isApplianceFailure(one) ? told(one) : one),
    2,
  );
  return text.replaceAll(
    /(?!\n)[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export function told(failure: ApplianceFailure) {
  const { code, operation, sent, mayHaveHappened, message } = failure;
  return { code, operation, sent, mayHaveHappened, message };
}

/**
 * For people.
 * @param columns the width of their terminal; without a terminal lines may have any length
 */
export function asText(value: unknown, columns = Number.POSITIVE_INFINITY): string {
  return linesOf(value, columns).join('\n');
}

function linesOf(value: unknown, columns: number): string[] {
  if (value === undefined || value === null || value === '') return ['(nothing)'];
  if (Array.isArray(value)) return value.length === 0 ? ['(none)'] : listed(value, columns);
  if (isRecord(value) && inAWord(value) === undefined) return described(value, columns);
  // Text of several lines, such as a file or an installation's log, keeps its lines.
  return typeof value === 'string' ? value.trimEnd().split(/\r?\n/).map(harmless) : [cell(value)];
}

/** One thing: short values beside their names, long ones below. */
function described(record: Record<string, unknown>, columns: number): string[] {
  const told = Object.entries(record).filter(([, value]) => value !== undefined && value !== '');
  if (told.length === 0) return ['(nothing)'];
  const parts = told.map(([name, value]) => ({
    name: harmless(name),
    lines: linesOf(value, columns - 2),
    isShort: !isNested(value) || Object.keys(value).length === 0,
  }));
  const width = Math.max(...parts.flatMap(({ name, isShort }) => (isShort ? widthOf(name) : [])), 0);
  return parts.flatMap(({ name, lines: [first = '', ...more], isShort }) =>
    isShort && more.length === 0
      ? [`${name}${' '.repeat(width - widthOf(name))}  ${first}`]
      : [`${name}:`, ...[first, ...more].map((line) => `  ${line}`)],
  );
}

/** Several things: a table if it fits, otherwise one after the other. */
function listed(values: readonly unknown[], columns: number): string[] {
  const records = values.filter(isRecord).map(withItsFields);
  if (records.length < values.length) return values.map(cell);
  const all = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const rows = records.map((record) => all.map((column) => cell(record[column])));
  const table = aligned([all.map(harmless), ...rows]);
  if (table.every((line) => widthOf(line) <= columns)) return table;
  const blocks = rows.map((row) =>
    aligned(all.flatMap((column, at) => (row[at] ? [[harmless(column), row[at]]] : []))),
  );
  return blocks.flatMap((block, at) => (at === 0 ? block : ['', ...block]));
}

/**
 * `fields` holds everything again, under the appliance's own names. In a table it is too wide if other columns
 * describe the thing, and the only content if nothing but a name is known.
 */
function withItsFields(record: Record<string, unknown>): Record<string, unknown> {
  const { fields, ...others } = record;
  if (!isRecord(fields)) return record;
  const known = Object.values(others);
  if (known.length > 2) return others;
  const own = Object.entries(fields).filter(([, value]) => !known.some((one) => String(one) === value));
  return { ...others, ...Object.fromEntries(own) };
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (isApplianceFailure(value)) return harmless(value.message);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return severalIn(value.map(nameOf));
  if (!isRecord(value)) return harmless(String(value));
  const word = inAWord(value);
  if (word !== undefined) return cell(word);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined && one !== '');
  // Rights and flags: only those that are on.
  const isFlags = entries.length > 0 && entries.every(([, one]) => typeof one === 'boolean');
  if (isFlags) return severalIn(entries.flatMap(([name, one]) => (one === true ? [name] : [])));
  return entries.map(([name, one]) => `${harmless(name)} ${cell(one)}`).join(', ');
}

/** Moments and durations carry the appliance's own words beside the computed value. */
function inAWord({ at, written, text }: Record<string, unknown>): unknown {
  if (at instanceof Date) return at;
  return [written, text].find((one) => typeof one === 'string');
}

/** The name among others of its kind, with the key by which a call names it. */
function nameOf(one: unknown): string {
  if (!isRecord(one)) return cell(one);
  const { name, pattern, version, id, keyVer } = one;
  const called = cell(name ?? pattern ?? version ?? id ?? Object.values(one)[0]);
  return keyVer === undefined ? called : `${cell(keyVer)} (${called})`;
}

const mostNames = 3;

function severalIn(names: readonly string[]): string {
  const left = names.length - mostNames;
  const first = names.slice(0, mostNames).join(', ');
  return left > 0 ? `${first} and ${left} more` : first;
}

const isNested = (value: unknown): value is object =>
  Array.isArray(value) || (isRecord(value) && inAWord(value) === undefined);

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !isApplianceFailure(value);
