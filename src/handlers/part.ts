import { z } from 'zod';
import type { Stored } from '../codec.ts';
import type { Manner } from './language/manner.ts';
import type { GivenSlots } from './lists/posted-file.ts';
import { isText, plainText, type Span, say, type Text, textShape } from './text.ts';
import { aligned } from './wording/aligned.ts';
import { number } from './wording/quantities.ts';

/** The parts of an answer, and how each reads as plain text. */

export type Field = Stored<typeof fieldShape>;
export const fieldShape = z.object({ name: z.string(), value: textShape });

/** Fields in this order; one without a value is left out. */
export type FieldsByName = Readonly<Record<string, Text | undefined>>;

export type Part =
  | { readonly kind: 'text'; readonly text: Text }
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }
  | { readonly kind: 'list'; readonly items: readonly Text[] }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Text[])[];
      /** More rows, for a download. */
      readonly behind?: Behind;
    }
  /** Output of a machine, such as an installation's trace. A few lines are shown as they are; many become a file. */
  | { readonly kind: 'log'; readonly name: string; readonly text: string }
  | Chart
  /** Each button sends its line to the bot; the other buttons stay. */
  | { readonly kind: 'offers'; readonly offers: readonly Offer[] };

interface Behind {
  /** For each row, the key (`Entry.key`) of its full record in a download. */
  readonly keys: readonly string[];
  /** The number of rows without the limit. */
  readonly count: number;
  /** Where the remaining rows are. */
  readonly elsewhere: Text;
}

/** Numbers over time or by name. The values of a series are in the order of `labels`. */
export interface Chart {
  readonly kind: 'chart';
  readonly style: 'line' | 'bar';
  readonly title: string;
  /** The unit of the values: "files", "MB". */
  readonly unit: string;
  readonly labels: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}

export interface Offer {
  readonly label: string;
  readonly line: string;
  /** A guess. Its change is shown before it runs, even if the typed line would run at once. */
  readonly guess?: true;
  /** Repeats a button that stands elsewhere. */
  readonly standing?: {
    readonly press: 'offer' | 'cancel' | 'reschedule' | 'approve' | 'deny' | 'confirm';
    readonly token: string;
    readonly detail?: string;
    readonly style?: 'primary' | 'danger';
  };
  /** Ends something harmful, so it is the button that people look for first. */
  readonly loud?: true;
  /** The person may not run the line, so the button asks for approval. */
  readonly accessRequest?: true;
  /**
   * Moves the end of a temporary change there: to now, to never, or to this moment (milliseconds since the
   * epoch).
   */
  readonly moves?: MovedEnd;
  /** Stands for all of these buttons, as if each was pressed. */
  readonly each?: readonly { readonly line: string; readonly moves?: MovedEnd }[];
  readonly asked?: { readonly phrase: string; readonly typed: GivenSlots };
  /** The only person who may use it, in a message that everybody sees. */
  readonly only?: string;
  /** Opens the form of a command, filled with the known values, instead of running a line. */
  readonly form?: Manner & {
    readonly phrase: string;
    readonly typed: GivenSlots;
    /** The delivery that sending the form continues. */
    readonly delivery?: string | undefined;
  };
  /** Opens the form that searches commands, without a question before. */
  readonly build?: true;
}

/** A new end for a temporary change on an appliance. */
export interface MovedEnd {
  readonly action: string;
  readonly on: string;
  readonly to: 'now' | 'never' | number;
}

/** Every part that is shown as it is; offers become buttons first. */
export type PlainPart = Exclude<Part, { kind: 'offers' }>;

/** A kind of part, except its looks (`bot/rendering/render.ts`). */
interface PartKind<One> {
  /** The shape in the journal. */
  readonly shape: z.ZodObject & z.ZodType<One>;
  /** For a file. */
  readonly lines: (part: One) => readonly string[];
  /** For screen readers and notifications. */
  readonly words: (part: One) => Text;
  /** The approximate size in a message. */
  readonly characters: (part: One) => number;
}

/** Checks every entry of a possibly long list without copying it as `z.array` does. */
const listOf = <Item>(fits: (item: unknown) => item is Item): z.ZodType<readonly Item[]> =>
  z.custom<readonly Item[]>((value) => Array.isArray(value) && value.every(fits));
const isString = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isRow = (value: unknown): value is readonly Text[] => Array.isArray(value) && value.every(isText);

export const partKinds: {
  readonly [Kind in PlainPart['kind']]: PartKind<Extract<PlainPart, { kind: Kind }>>;
} = {
  text: {
    shape: z.object({ kind: z.literal('text'), text: textShape }),
    lines: ({ text }) => [plainText(text)],
    words: ({ text }) => text,
    characters: ({ text }) => plainText(text).length,
  },
  fields: {
    shape: z.object({ kind: z.literal('fields'), fields: z.array(fieldShape) }),
    lines: ({ fields }) => aligned(fields.map(({ name, value }) => [name, oneLine(value)])),
    words: ({ fields }) =>
      joined(
        fields.map(({ name, value }) => [`${name}: `, ...value]),
        ', ',
      ),
    characters: ({ fields }) =>
      fields.reduce((sum, { name, value }) => sum + name.length + plainText(value).length + 2, 0),
  },
  list: {
    shape: z.object({
      kind: z.literal('list'),
      items: listOf(isText),
    }),
    lines: ({ items }) => items.map((item) => `- ${plainText(item)}`),
    words: ({ items }) => joined(items, ', '),
    characters: ({ items }) => rowLength(items),
  },
  table: {
    shape: z.object({
      kind: z.literal('table'),
      columns: listOf(isString),
      rows: listOf(isRow),
      behind: z.object({ keys: listOf(isString), count: z.number(), elsewhere: textShape }).exactOptional(),
    }),
    lines: ({ columns, rows }) => aligned([columns, ...rows.map((row) => row.map(oneLine))]),
    words: ({ columns, rows }) => [
      `Table of ${columns.join(', ')}${rows.length === 0 ? '' : ': '}`,
      ...joined(
        rows.map((row) => joined(row, ', ')),
        '; ',
      ),
    ],
    characters: ({ columns, rows }) =>
      rows.reduce((sum, row) => sum + rowLength(row), columns.join('').length),
  },
  log: {
    shape: z.object({ kind: z.literal('log'), name: z.string(), text: z.string() }),
    lines: ({ name, text }) => [name, text],
    words: ({ name, text }) => [`${name}: ${text.replaceAll('\n', ' / ')}`],
    characters: ({ text }) => text.length,
  },
  chart: {
    shape: z.object({
      kind: z.literal('chart'),
      style: z.enum(['line', 'bar']),
      title: z.string(),
      unit: z.string(),
      labels: listOf(isString),
      series: z.array(z.object({ name: z.string(), values: listOf(isNumber) })),
    }),
    lines: ({ title, unit, labels, series }) => [
      `${title} (${unit})`,
      ...aligned([
        ['', ...series.map(({ name }) => name)],
        ...labels.map((label, index) => [
          label,
          ...series.map(({ values }) => String(values[index] ?? 'not reported')),
        ]),
      ]),
    ],
    // `chartSummary` describes its content.
    words: ({ title }) => [`Chart: ${title}`],
    characters: () => 0,
  },
};

export const linesOf = (part: PlainPart): readonly string[] => kindOf(part).lines(part);
/** A part as the end of a sentence, for screen readers. */
export const inWords = (part: PlainPart): Text => kindOf(part).words(part);
export const charactersOf = (part: PlainPart): number => kindOf(part).characters(part);

export const rowLength = (row: readonly Text[]): number =>
  row.reduce((sum, cell) => sum + Math.max(1, plainText(cell).length), 0);

// TypeScript does not see that `part.kind` selects the matching entry.
const kindOf = (part: PlainPart) => partKinds[part.kind] as PartKind<PlainPart>;

const joined = (texts: readonly Text[], separator: string): Text =>
  texts.flatMap((text, index) => (index === 0 ? text : [separator, ...text]));

const oneLine = (text: Text): string => plainText(text).replaceAll('\n', ' ');

/** A paragraph, written like `say`. */
export const paragraph = (...sentence: Parameters<typeof say>) =>
  ({ kind: 'text', text: say(...sentence) }) as const satisfies Part;

export const fieldsOf = (fields: readonly Field[] | FieldsByName): readonly Field[] =>
  isList(fields)
    ? fields
    : Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));

export const fieldList = (fields: readonly Field[] | FieldsByName) =>
  ({ kind: 'fields', fields: fieldsOf(fields) }) as const satisfies Part;

/**
 * A table with one row for each thing. Each column has a function for its cells; a column without one is left
 * out. No part if there are no things.
 */
export function tableOf<Thing>(
  things: readonly Thing[],
  columns: Readonly<Record<string, ((thing: Thing, at: number) => Text | Span | number) | undefined>>,
  behind?: Behind,
): readonly Part[] {
  if (things.length === 0) return [];
  const shown = Object.entries(columns).flatMap(([name, cell]) =>
    cell === undefined ? [] : [{ name, cell }],
  );
  return [
    {
      kind: 'table',
      columns: shown.map(({ name }) => name),
      rows: things.map((thing, at) => shown.map(({ cell }) => say`${cell(thing, at)}`)),
      ...(behind !== undefined && { behind }),
    },
  ];
}

const isList = (fields: readonly Field[] | FieldsByName): fields is readonly Field[] => Array.isArray(fields);

/** A chart as a sentence for screen readers: its first and last, its lowest and highest value. */
export function chartSummary({ title, unit, labels, series }: Chart): string {
  const told = series.map(({ name, values }) => {
    const points = labels.flatMap((label, index) => {
      const value = values[index];
      return value !== undefined && Number.isFinite(value) ? [{ label, value }] : [];
    });
    const [first] = points;
    const last = points.at(-1);
    if (first === undefined || last === undefined) return `${name}: nothing reported`;
    const least = points.reduce((low, point) => (point.value < low.value ? point : low));
    const highest = points.reduce((high, point) => (point.value > high.value ? point : high));
    const at = ({ label, value }: typeof first) => `${number(value)} (${label})`;
    return `${name}: from ${at(first)} to ${at(last)}, lowest ${at(least)}, highest ${at(highest)}`;
  });
  return `${title} in ${unit}. ${told.join('; ')}.`;
}
