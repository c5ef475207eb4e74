import { linesOf, type Part, plainText } from '../../handlers/reply.ts';
import { mapInTurns } from '../../handlers/wording/in-turns.ts';
import { marked, withoutUnseen } from '../../marks.ts';
import type { SaidPart } from '../base/chat.ts';

/** Tables and logs as the files that people take away. What stands in them was written by an appliance: none of it is obeyed. */
export type Table = Extract<Part, { kind: 'table' }>;

/**
 * RFC 4180, with the mark by which Excel knows UTF-8. A cell that a spreadsheet would take for a formula begins with an
 * apostrophe instead.
 */
export async function csvOf({ columns, rows }: Table): Promise<string> {
  const lineOf = (line: readonly string[]) => `${line.map(csvCell).join(',')}\r\n`;
  const written = await mapInTurns(rows, (row) => lineOf(row.map(plainText)));
  return `\ufeff${lineOf(columns)}${written.join('')}`;
}

/** An object a row, by the names of the columns. A column that holds nothing but numbers gives numbers, and null where it is empty. */
export async function jsonOf({ columns, rows }: Table): Promise<string> {
  const names = unlike(columns);
  const cells = await mapInTurns(rows, (row) => columns.map((_, index) => plainText(row[index] ?? [])));
  const numeric = columns.map((_, index) => isNumeric(cells.map((row) => row[index] ?? '')));
  const written = await mapInTurns(cells, (row) => {
    const object = Object.fromEntries(
      row.map((cell, index) => [
        names[index] ?? '',
        numeric[index] ? (cell === '' ? null : Number(cell)) : cell,
      ]),
    );
    return `\n${escaped(JSON.stringify(object, null, 2))}`;
  });
  return `[${written.join(',')}\n]\n`;
}

/** A line each, as JSON (https://jsonlines.org). */
export const jsonLinesOf = (lines: readonly string[]): string =>
  lines.map((line) => `${escaped(line)}\n`).join('');

/** Parts of a reply as plain lines, for what is too much for a thread. */
export function textOf(parts: readonly SaidPart[]): string {
  const lines = parts.flatMap((part) =>
    part.kind === 'buttons' || part.kind === 'section' ? [] : ['', ...linesOf(part)],
  );
  return `${lines.map(visible).join('\n')}\n`;
}

/** The lines of a machine: only line ends and tabs stay what they are, and other controls have pictures of their own. */
export const visible = (text: string): string => byLine(pictured(text), marked);

/** One text may be a million lines of letters that nobody has to look at. */
const byLine = (text: string, shown: (line: string) => string): string =>
  /^[\n\t\x20-\x7e]*$/.test(text) ? text : text.replace(/[^\n\t]+/g, shown);

const pictured = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what gets a picture
    .replace(/(?![\n\t])[\u0000-\u001f\u007f]/g, (control) =>
      String.fromCharCode(control === '\u007f' ? 0x2421 : 0x2400 + control.charCodeAt(0)),
    );

/** A name that is only a name, wherever it is saved: letters, digits, dots, hyphens, and an ending. */
export function fileName(wanted: string, ending: string): string {
  const name = wanted
    .toLowerCase()
    .replace(/\.(?:log|txt|csv|jsonl?)$/, '')
    .replace(/[^a-z0-9._]+/g, '-')
    .replace(/^[-.]+|(?<![-.])[-.]+$/g, '')
    .slice(0, 60);
  return `${name === '' ? 'answer' : name}.${ending}`;
}

function csvCell(value: string): string {
  // Words stay as they are, to be compared with others.
  const shown = byLine(pictured(value), withoutUnseen);
  const safe = /^[\s\ufffd]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\n]/.test(shown) ? `'${shown}` : shown;
  return /[",;\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Two columns of one name would become one. */
function unlike(columns: readonly string[]): readonly string[] {
  const names = new Set<string>();
  for (const column of columns) {
    let name = column;
    for (let number = 2; names.has(name); number += 1) name = `${column} (${number})`;
    names.add(name);
  }
  return [...names];
}

/** `4.50` and `007` are no numbers: they would come back as others. */
function isNumeric(cells: readonly string[]): boolean {
  const told = cells.filter((cell) => cell !== '');
  return (
    told.length > 0 && told.every((cell) => Number.isFinite(Number(cell)) && String(Number(cell)) === cell)
  );
}

/** The same JSON, with nothing in it that a terminal would obey. */
const escaped = (json: string): string =>
  json.replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (control) => {
    // There may be millions, most of them of one unit.
    let written = '';
    for (let index = 0; index < control.length; index += 1)
      written += `\\u${control.charCodeAt(index).toString(16).padStart(4, '0')}`;
    return written;
  });
