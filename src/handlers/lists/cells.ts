import { setImmediate as turn } from 'node:timers/promises';

/** A line of a posted file, with its number in an editor. */
export interface FileLine {
  readonly number: number;
  readonly text: string;
  /** The cells of a table, without quotes; one cell if there are no separators. */
  readonly cells: readonly string[];
}

/** Separators, beginning with the least likely inside a cell. */
const separators = ['\t', ';', ',', '|'] as const;
type Separator = (typeof separators)[number];

/**
 * The lines of a text with their cells, as spreadsheets write them (RFC 4180). A quoted cell may contain
 * separators, doubled quotes and line ends; such a line has the number of its first. Empty lines are left out.
 * Undefined if there are too many lines.
 */
export async function linesIn(text: string, most: number): Promise<readonly FileLine[] | undefined> {
  const { separator, stated } = separatorOf(text);
  const lines: FileLine[] = [];
  let number = 1;
  let at = 0;
  while (at < text.length) {
    if (lines.length > most) return undefined;
    // Lets other work run in between.
    if (number % 5_000 === 0) await turn();
    const begin = at;
    const from = number;
    const cells: string[] = [];
    let isOver = false;
    while (!isOver) {
      const cell = cellAt(text, at, separator);
      cells.push(cell.value);
      number += cell.lineEnds;
      at = cell.end;
      isOver = text[at] !== separator;
      if (!isOver) at += 1;
    }
    const line = text.slice(begin, at).trim();
    if (text[at] === '\r') at += 1;
    if (text[at] === '\n') at += 1;
    number += 1;
    if (line !== '' && !(stated && from === 1))
      lines.push({ number: from, text: line, cells: separator === '|' ? withoutBorders(cells) : cells });
  }
  return lines;
}

/** Excel writes it in a line of its own, `sep=;`; otherwise the most frequent one. */
function separatorOf(text: string): { readonly separator: Separator; readonly stated: boolean } {
  const written = /^"?sep=([\t;,])"?\r?$/im.exec(text.slice(0, 10).split('\n', 1)[0] ?? '')?.[1];
  const stated = separators.find((one) => one === written);
  if (stated !== undefined) return { separator: stated, stated: true };
  const head = text.slice(0, 20_000).split(/\r\n|\r|\n/, 200);
  const counts = separators.map((one) => head.filter((line) => !isComment(line) && parts(line, one)).length);
  const most = Math.max(...counts);
  return { separator: most === 0 ? ',' : (separators[counts.indexOf(most)] ?? ','), stated: false };
}

/** A bar separates only between spaces, as in tables of wikis, not in filter rules (`||a.example^`). */
const parts = (line: string, separator: Separator): boolean =>
  separator === '|' ? /(?:^|\s)\|\s/.test(line) : line.includes(separator);

/** Wiki tables also have a bar on either side. */
const withoutBorders = (cells: readonly string[]): readonly string[] =>
  cells.slice(cells[0] === '' ? 1 : 0, cells.length > 1 && cells.at(-1) === '' ? -1 : undefined);

export const isComment = (line: string): boolean => /^\s*(?:#|\/\/|!)/.test(line);

interface Cell {
  readonly value: string;
  /** The position of its separator or of the line's end. */
  readonly end: number;
  readonly lineEnds: number;
}

function cellAt(text: string, from: number, separator: Separator): Cell {
  let at = from;
  while (text[at] === ' ') at += 1;
  return (text[at] === '"' ? quotedAt(text, at, separator) : undefined) ?? bareAt(text, from, separator);
}

/** Undefined if the quotes do not end, or if text follows them: then they are ordinary characters. */
function quotedAt(text: string, from: number, separator: Separator): Cell | undefined {
  let at = from + 1;
  for (;;) {
    at = text.indexOf('"', at);
    if (at === -1 || at - from > longestCell) return undefined;
    if (text[at + 1] !== '"') break;
    at += 2;
  }
  let end = at + 1;
  while (text[end] === ' ') end += 1;
  const next = text[end];
  if (next !== undefined && next !== separator && next !== '\r' && next !== '\n') return undefined;
  const inner = text.slice(from + 1, at);
  const lineEnds = inner.match(/\r\n|\r|\n/g)?.length ?? 0;
  return { value: inner.replaceAll('""', '"').trim(), end, lineEnds };
}

/** Limits an unclosed quote. */
const longestCell = 10_000;

function bareAt(text: string, from: number, separator: Separator): Cell {
  let end = from;
  while (end < text.length && text[end] !== separator && text[end] !== '\r' && text[end] !== '\n') end += 1;
  return { value: text.slice(from, end).trim(), end, lineEnds: 0 };
}
