import type { Argument, ArgumentProblem } from '../argument.ts';
import { mapInTurns } from '../wording/in-turns.ts';
import { type FileLine, isComment } from './cells.ts';
import { formatReader, jsonLines } from './formats.ts';
import { entriesOf, isDecoration, isFence, withoutMarks } from './pasted.ts';

/** A value that cannot be taken, where it stands, and why. */
export interface RefusedValue {
  readonly line: number;
  readonly word: string;
  readonly problem: ArgumentProblem;
}

/** What a list is made of: nothing that stands in it is left out without a word. */
export interface ListedValues {
  /** Each once, as it was written. */
  readonly words: readonly string[];
  readonly refused: readonly RefusedValue[];
  /** Values that stand in it before. */
  readonly duplicates: number;
  readonly comments: number;
  /** Lines that belong to the format, such as `localhost` in a hosts file. */
  readonly frame: number;
  /** The names of its columns, where it has such. */
  readonly header: readonly string[] | undefined;
  /** Of a table, the number of the column that was read, what it is called, and how many there are. */
  readonly column:
    | { readonly number: number; readonly of: number; readonly name: string | undefined }
    | undefined;
  /** Of a table in which no column holds a value, what stands in its first line. */
  readonly nowhereIn: readonly string[] | undefined;
}

/**
 * The values of an argument in the lines of a file: one to a line, several between separators, or a column of a table. Of what
 * may be any text, each line is one: a comma belongs to it.
 */
export async function valuesOf(lines: readonly FileLine[], argument: Argument): Promise<ListedValues> {
  const read = rememberingly((cell: string) => (cell.length > longest ? tooLong(cell) : argument.read(cell)));
  const isOne = (cell: string) => read(cell).ok;
  const json = jsonLines(lines, isOne);
  const { rows, comments, frame, others }: ListRows =
    json === undefined
      ? rowsIn(entriesIn(lines, argument), argument)
      : { rows: json.rows, comments: 0, frame: 0, others: [] };
  // To read ten thousand takes its time, and others have their turn in between.
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
        ...{ line, word: text },
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
  /** What stands between spaces is several only where all of it is. */
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

/** Without what stands around them where people copy them from, and without the lines in which nothing else stands. */
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

/** What people call the column of what these are. */
const siteColumn = /^(?:domain|site|host|hostname|url|fqdn|website|address|name|pattern|value)s?(?: name)?$/i;

/** The first line says what the columns are where nothing in it is a value, and it does with a word for it or for more than one column. */
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

/** The column to read; undefined where all that stands there is values. */
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
  // A line of values between commas, with a slip in one of them, is no table.
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

/** The lines that hold entries, with what their format says of each. */
function rowsIn(entries: readonly FileLine[], { recognisable }: Argument): ListRows {
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
    else rows.push(recognisable ? { ...line, cells: line.cells.map(withoutRemark) } : asOne(line));
  }
  return { rows, comments, frame, others };
}

/** What stands behind a value, for people. */
function withoutRemark(cell: string): string {
  const at = cell.search(/\s#/);
  return at === -1 ? cell : cell.slice(0, at).trim();
}

/** Nothing that is listed is longer, in characters: a whole address with its path. */
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
