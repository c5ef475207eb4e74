import { type Argument, type ArgumentProblem, readWord } from '../argument.ts';
import { mapInTurns } from '../wording/in-turns.ts';
import { type FileLine, isComment } from './cells.ts';
import { formatReader, jsonLines } from './formats.ts';
import { entriesOf, isDecoration, isFence, withoutMarks, withoutRemark } from './pasted.ts';

export interface RefusedValue {
  readonly line: number;
  readonly word: string;
  readonly problem: ArgumentProblem;
}

/** The content of a list; every entry is accounted for. */
export interface ListedValues {
  /** Each once, as written. */
  readonly words: readonly string[];
  readonly refused: readonly RefusedValue[];
  readonly duplicates: number;
  readonly comments: number;
  /** Lines that belong to the format, such as `localhost` in a hosts file. */
  readonly frame: number;
  /** The names of its columns, if it has any. */
  readonly header: readonly string[] | undefined;
  /** For a table: the number and name of the column that was read, and how many there are. */
  readonly column:
    | { readonly number: number; readonly of: number; readonly name: string | undefined }
    | undefined;
  /** For a table without values: its first line. */
  readonly nowhereIn: readonly string[] | undefined;
}

/**
 * The values of an argument in the lines of a file: one a line, several between separators, or a column of a
 * table. For values of any text each line is one, commas included.
 */
export async function valuesOf(lines: readonly FileLine[], argument: Argument): Promise<ListedValues> {
  const read = rememberingly((cell: string) =>
    cell.length > longest ? tooLong(cell) : readWord(argument, cell),
  );
  const isOne = (cell: string) => read(cell).ok;
  const json = jsonLines(lines, isOne);
  const { rows, comments, frame, others }: ListRows =
    json === undefined
      ? rowsIn(entriesIn(lines, argument), argument, isOne)
      : { rows: json.rows, comments: 0, frame: 0, others: [] };
  // Yields regularly: reading ten thousand lines takes time.
  await mapInTurns(rows, ({ cells }) => cells.forEach(isOne));
  const header = headerIn(rows, isOne);
  const body = header === undefined ? rows : rows.slice(1);
  const column = columnIn(body, header, isOne);
  const name = column === undefined || header === undefined ? undefined : rows[0]?.cells[column];
  const words = new Map<unknown, string>();
  const refused: RefusedValue[] = [
    ...others,
    ...(json?.empty ?? []).map(
      ({ number: line, text }): RefusedValue => ({
        line,
        word: text,
        problem: { code: 'other_rule', is: 'an object without a field for one' },
      }),
    ),
  ];
  let duplicates = 0;
  await mapInTurns(body, ({ number: line, cells, text }) => {
    const wanted = column === undefined ? wholeOr(text, cells) : [cells[column] ?? ''];
    for (const word of wanted.flatMap(oneOrSeveral)) {
      const reading = read(word);
      if (word === '') refused.push({ line, word: text, problem: emptyIn(column, name) });
      else if (!reading.ok) refused.push({ line, word, problem: reading.problem });
      else if (words.has(reading.value)) duplicates += 1;
      else words.set(reading.value, word);
    }
  });
  const widest = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const isTable = rows.length > 1 && widest > 1 && rows.every(({ cells }) => cells.length === widest);
  return {
    words: [...words.values()],
    refused: refused.toSorted((one, another) => one.line - another.line),
    duplicates,
    comments,
    frame,
    header,
    column: column === undefined || widest < 2 ? undefined : { number: column + 1, of: widest, name },
    nowhereIn: words.size === 0 && isTable && argument.recognisable ? rows[0]?.cells : undefined,
  };
  /** Words between spaces are several values only if each is one. */
  function oneOrSeveral(cell: string): readonly string[] {
    if (!argument.recognisable || isOne(cell)) return [cell];
    const parts = cell.split(/\s+/);
    return parts.every(isOne) ? parts : [cell];
  }

  /** A comma may be part of an address. */
  function wholeOr(text: string, cells: readonly string[]): readonly string[] {
    const filled = cells.filter((cell) => cell !== '');
    const [first = ''] = filled;
    return first.includes('://') && filled.slice(1).every((cell) => !isOne(cell)) && isOne(text)
      ? [text]
      : filled;
  }
}

const emptyIn = (column = 0, name: string | undefined): ArgumentProblem => ({
  code: 'nothing_in_column',
  column: name ?? String(column + 1),
});

/** Without marks from pasting, and without lines that hold nothing else. */
function entriesIn(lines: readonly FileLine[], { recognisable }: Argument): readonly FileLine[] {
  const filled = lines.filter(({ cells, text }) =>
    recognisable ? cells.some((cell) => cell !== '') && !isDecoration(text) : !isFence(text),
  );
  const texts = entriesOf(
    filled.map(({ text }) => text),
    recognisable !== true,
  );
  return filled.map((line, at) => {
    const text = texts[at] ?? '';
    const [first = '', ...cells] = line.cells;
    return text === line.text ? line : { ...line, text, cells: [withoutMarks(first), ...cells] };
  });
}

/** Usual names of such a column. */
const siteColumn = /^(?:domain|site|host|hostname|url|fqdn|website|address|name|pattern|value)s?(?: name)?$/i;

/** The first line is a header if none of its cells is a value, and if it has a known name or several columns. */
function headerIn(
  [first, second]: readonly FileLine[],
  isOne: (cell: string) => boolean,
): readonly string[] | undefined {
  if (first === undefined || second === undefined || first.cells.some(isOne)) return undefined;
  const named = first.cells.filter((cell) => cell !== '');
  const isNamed = named.some((cell) => siteColumn.test(cell));
  const isTable = named.length > 1 && second.cells.length === first.cells.length && second.cells.some(isOne);
  return isNamed || isTable ? named : undefined;
}

/** The column to read; undefined if all cells are values. */
function columnIn(
  rows: readonly FileLine[],
  header: readonly string[] | undefined,
  isOne: (cell: string) => boolean,
): number | undefined {
  const filled = (cell: string) => cell !== '';
  const named = header?.findIndex((cell) => siteColumn.test(cell)) ?? -1;
  if (named !== -1) return named;
  const strays = rows.filter(
    ({ cells }) => cells.filter(filled).length > 1 && !cells.filter(filled).every(isOne),
  );
  // A list of values with one mistake is no table.
  if (strays.length * 2 <= rows.length) return undefined;
  const counts = new Map<number, number>();
  for (const { cells } of rows)
    cells.forEach((cell, index) => {
      if (isOne(cell)) counts.set(index, (counts.get(index) ?? 0) + 1);
    });
  return [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
}

const asOne = ({ text, ...line }: FileLine): FileLine => {
  const [first = ''] = line.cells;
  return { ...line, text, cells: [text.startsWith('"') ? first : text] };
};

interface ListRows {
  readonly rows: readonly FileLine[];
  readonly comments: number;
  readonly frame: number;
  readonly others: readonly RefusedValue[];
}

/** The lines with entries, and what their format says of each. */
function rowsIn(
  entries: readonly FileLine[],
  { recognisable }: Argument,
  isOne: (cell: string) => boolean,
): ListRows {
  const read = formatReader(entries);
  const rows: FileLine[] = [];
  const others: RefusedValue[] = [];
  let frame = 0;
  let comments = 0;
  for (const line of entries) {
    if (isComment(line.text)) {
      comments += 1;
      continue;
    }
    const found = read(line.text);
    if (found?.kind === 'frame') frame += 1;
    else if (found?.kind === 'other')
      others.push({ line: line.number, word: line.text, problem: { code: 'other_rule', is: found.is } });
    else if (found?.kind === 'values') rows.push({ ...line, cells: found.words });
    else rows.push(recognisable ? { ...line, cells: beforeRemark(line.cells, isOne) } : asOne(line));
  }
  return { rows, comments, frame, others };
}

/** The cells without a remark. A remark may contain separators, and what stands in it is no entry. */
function beforeRemark(cells: readonly string[], isOne: (cell: string) => boolean): readonly string[] {
  const at = cells.findIndex(
    (cell, index) => withoutRemark(cell, isOne) !== cell || (index > 0 && /^#\s/.test(cell)),
  );
  const found = cells[at];
  if (found !== undefined)
    return found.startsWith('#') ? cells.slice(0, at) : [...cells.slice(0, at), withoutRemark(found, isOne)];
  return cells.map((cell) => cell.split(/\s#/, 1)[0]?.trim() ?? cell);
}

/** In characters; longer than any listed value, such as an address with its path. */
const longest = 2_000;
const tooLong = ({ length: given }: string) =>
  ({ ok: false, problem: { code: 'too_long', most: longest, given } }) as const;

function rememberingly<Value>(look: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const value = known.get(text) ?? look(text);
    known.set(text, value);
    return value;
  };
}
