import { charactersOf, code, plainText, rowLength, say, type Text } from '../../handlers/reply.ts';
import type { NewAction } from '../../journal/journal.ts';
import type { Button, Said, SaidPart } from '../base/chat.ts';
import type { Target } from '../base/stored.ts';
import type { Table } from './plain-files.ts';

/** A message with a table that is too long for it, kept whole: what it shows next is never asked of the appliance again. */
export interface StoredResult {
  readonly holds: 'message';
  /** What gave it: whoever may have that may turn its pages. Null where it is told to one person of what they did. */
  readonly source: ResultSource | null;
  readonly headline: Text;
  readonly before: readonly SaidPart[];
  readonly table: Table;
  readonly after: readonly SaidPart[];
}

/** A command as it was asked and answered. */
export interface ResultSource {
  /** By its declared phrase. */
  readonly phrase: string;
  /** What was typed. */
  readonly line: string;
  readonly targets: readonly Pick<Target, 'appliance' | 'args'>[];
}

export const sourceOf = (
  { phrase = '', line }: Pick<NewAction, 'phrase' | 'line'>,
  targets: ResultSource['targets'],
): ResultSource => ({ phrase, line, targets: targets.map(({ appliance, args }) => ({ appliance, args })) });

/** A filter on a kept message; its buttons stand for both. */
export interface StoredFilter {
  readonly holds: 'filter';
  /** The token of the kept message. */
  readonly result: string;
  /** What was typed into the filter. */
  readonly filter: string;
}

/** Rows that people read without scrolling. */
const rowsOnPage = 15;
/** Characters of a message, of which Slack takes some 10,000, and of a page in it if the rest of the message is long. */
const characters = { message: 9_000, page: 1_500 };

export const isLong = ({ rows, behind }: Table): boolean =>
  rows.length > rowsOnPage ||
  // What stands behind its rows can only be taken away by the buttons that pages have.
  behind !== undefined ||
  pagesOf(rows, characters.message).length > 1;

/** What is left of a table: every word of the filter stands in some cell of a row, however it is written. */
export function filtered(table: Table, filter: string | undefined): Table {
  const words = wordsOf(filter ?? '');
  if (words.length === 0) return table;
  const isLeft = table.rows.map((row) => {
    const whole = row.map((cell) => folded(plainText(cell))).join('\n');
    return words.every((word) => whole.includes(word));
  });
  const left = <Item>(all: readonly Item[]) => all.filter((_, index) => isLeft[index]);
  const { rows, behind } = table;
  return {
    ...table,
    rows: left(rows),
    ...(behind !== undefined && { behind: { ...behind, keys: left(behind.keys) } }),
  };
}

/** The words of a filter; none when it is empty. */
export const wordsOf = (filter: string): readonly string[] =>
  folded(filter)
    .split(/\s+/)
    .filter((word) => word !== '');

const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

export interface PageView {
  /** What its buttons carry: the token of the message, or of the filter on it. */
  readonly token: string;
  readonly filter?: string | undefined;
  /** From 0; one that there is not is the nearest that there is. */
  readonly page: number;
  /** Only one person reads it, and it has no thread that a file could go to. */
  readonly whispered: boolean;
}

/** Whether there is such a page, from 0. */
export const hasPage = ({ table, before, after }: StoredResult, page: number): boolean =>
  page < pagesOf(table.rows, characters.message - lengthOf([...before, ...after])).length;

/** One page of a kept message. */
export function pageOf(stored: StoredResult, look: PageView): Said {
  const { headline, before, after } = stored;
  const table = filtered(stored.table, look.filter);
  const pages = pagesOf(table.rows, characters.message - lengthOf([...before, ...after]));
  const page = Math.max(0, Math.min(look.page, pages.length - 1));
  const { from, to } = pages[page] ?? { from: 0, to: 0 };
  const shown: readonly SaidPart[] =
    table.rows.length === 0 ? [] : [{ ...table, rows: table.rows.slice(from, to) }];
  return {
    headline,
    details: [
      ...before,
      ...shown,
      { kind: 'text', text: position(from, to, table.rows.length, stored.table.rows.length, look.filter) },
      { kind: 'buttons', buttons: buttonsFor(look, page, pages.length, table) },
      ...after,
    ],
  };
}

function position(from: number, to: number, matching: number, all: number, filter: string | undefined): Text {
  if (filter === undefined) return say`Rows ${from + 1}–${to} of ${all}`;
  const words = code(filter);
  if (matching === 0) return say`None of the ${all} rows matches ${words}`;
  if (to - from < matching)
    return say`Rows ${from + 1}–${to} of the ${matching} that match ${words}, ${all} in all`;
  return say`${matching} of ${all} rows ${matching === 1 ? 'matches' : 'match'} ${words}`;
}

/** The heading right above the table, which tells it from others of the same answer: the appliance that it comes from. */
export function titleOf({ before }: StoredResult): string | undefined {
  const above = before.at(-1);
  const [span, ...others] = above?.kind === 'text' ? above.text : [];
  if (span === undefined || others.length > 0 || typeof span === 'string') return undefined;
  return span.kind === 'strong' ? span.text : undefined;
}

function buttonsFor(
  { token, filter, whispered }: PageView,
  page: number,
  pages: number,
  { rows, behind }: Table,
): readonly Button[] {
  const turn = (label: string, to: number): Button => ({ press: 'page', label, token, detail: String(to) });
  const take = (label: string, detail: string): Button => ({ press: 'export', label, token, detail });
  return [
    ...(page > 0 ? [turn('◀ Previous', page - 1)] : []),
    ...(page < pages - 1 ? [turn('Next ▶', page + 1)] : []),
    { press: 'filter', label: 'Filter…', token, detail: 'ask' },
    ...(filter === undefined
      ? []
      : [{ press: 'filter', label: 'Clear filter', token, detail: 'clear' } as const]),
    ...(whispered || rows.length === 0
      ? []
      : [take('CSV', 'csv'), behind === undefined ? take('JSON', 'json') : take('JSON Lines', 'jsonl')]),
  ];
}

interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** As many rows to a page as are read with ease, and as have room in a message. */
function pagesOf(rows: Table['rows'], room: number): readonly Stretch[] {
  const most = Math.max(room, characters.page);
  const pages: Stretch[] = [];
  let from = 0;
  let held = 0;
  rows.forEach((row, index) => {
    const length = rowLength(row);
    if (index > from && (index - from >= rowsOnPage || held + length > most)) {
      pages.push({ from, to: index });
      from = index;
      held = 0;
    }
    held += length;
  });
  return rows.length === 0 ? pages : [...pages, { from, to: rows.length }];
}

/** Roughly the characters that parts take up in a message. */
export const lengthOf = (parts: readonly SaidPart[]): number =>
  parts.reduce(
    (sum, part) => sum + (part.kind === 'buttons' || part.kind === 'section' ? 0 : charactersOf(part)),
    0,
  );
