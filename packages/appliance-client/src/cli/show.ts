import { stripVTControlCharacters } from 'node:util';
import { type ApplianceFailure, isApplianceFailure } from '../../../../src/api/errors.ts';

/** Values as a terminal shows them. All text in them is the appliance's own. */

/** What moves a cursor, colours, rings, or turns the direction of what is read has no place in a terminal. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ');
}

/** For scripts. What JSON leaves as it is and a terminal would obey is escaped, too. */
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

/** A failure as data. */
export function told(failure: ApplianceFailure) {
  const { code, operation, sent, mayHaveHappened, message } = failure;
  return { code, operation, sent, mayHaveHappened, message };
}

export function asText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : listed(value);
  if (isRecord(value)) return aligned(Object.entries(value).map(([name, one]) => [name, cell(one)]));
  return value === undefined || value === null ? '(nothing)' : cell(value);
}

function listed(values: readonly unknown[]): string {
  const records = values.filter(isRecord);
  if (records.length < values.length) return values.map(cell).join('\n');
  const all = [...new Set(records.flatMap((record) => Object.keys(record)))];
  // Everything once more, under the appliance's own names: too wide for a table.
  const columns = all.length > 1 ? all.filter((column) => column !== 'fields') : all;
  const rows = records.map((record) => columns.map((column) => cell(record[column])));
  return aligned([columns.map(harmless), ...rows]);
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    rows.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0),
  );
  return rows
    .map((row) =>
      row
        .map((one, column) => one.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (isApplianceFailure(value)) return harmless(value.message);
  if (value instanceof Date) return value.toISOString();
  return harmless(typeof value === 'object' ? JSON.stringify(value) : String(value));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
