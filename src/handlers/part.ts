import { z } from 'zod';
import { type ActionPart, actionPartShape, factsOf } from './audit/action-part.ts';
import type { Manner } from './language/manner.ts';
import { isText, plainText, type Span, say, type Text, textShape } from './text.ts';
import { aligned } from './wording/aligned.ts';
import { number } from './wording/quantities.ts';

/** What an answer is made of, and what each kind of it says where it is not drawn. */

export interface Field {
  readonly name: string;
  readonly value: Text;
}

export const fieldShape = z.object({ name: z.string(), value: textShape }) satisfies z.ZodType<Field>;

/** Fields under their names, in this order; one without a value is left out. */
export type FieldsByName = Readonly<Record<string, Text | undefined>>;

export type Part =
  | { readonly kind: 'text'; readonly text: Text }
  | { readonly kind: 'fields'; readonly fields: readonly Field[] }
  | { readonly kind: 'list'; readonly items: readonly Text[] }
  | {
      readonly kind: 'table';
      readonly columns: readonly string[];
      readonly rows: readonly (readonly Text[])[];
      /** What stands behind the rows, for whoever takes them away as a file. */
      readonly behind?: Behind;
    }
  /** Lines of a machine, such as an installation's trace: a few are shown as they stand, many become a file. */
  | { readonly kind: 'log'; readonly name: string; readonly text: string }
  | Chart
  | ActionPart
  /** Each puts a line to the bot when it is pressed; the ones that were not pressed stay. */
  | { readonly kind: 'offers'; readonly offers: readonly Offer[] };

/** More than a table shows. */
interface Behind {
  /** For each row the key (`Entry.key`) under which everything about it is found when somebody takes it away. */
  readonly keys: readonly string[];
  /** How many rows there would be, had all of them room. */
  readonly count: number;
  /** Where those are that have none. */
  readonly elsewhere: Text;
}

/** Numbers over time or by name. The values of a series stand in the order of `labels`. */
export interface Chart {
  readonly kind: 'chart';
  readonly style: 'line' | 'bar';
  readonly title: string;
  /** What the values are: "files", "MB". */
  readonly unit: string;
  readonly labels: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** A line that somebody may ask with one click. */
export interface Offer {
  readonly label: string;
  readonly line: string;
  /** It was guessed: what it changes is put before whoever presses it, also where the typed line would run at once. */
  readonly guess?: true;
  /** A button that stands elsewhere already, and does here what it does there. */
  readonly standing?: {
    readonly press: 'offer' | 'cancel' | 'request' | 'reschedule' | 'approve' | 'deny' | 'confirm';
    readonly token: string;
    readonly detail?: string;
    readonly style?: 'primary' | 'danger';
  };
  /** It ends what must not go on: what somebody looks for first. */
  readonly loud?: true;
  /** Whoever presses it may not run the line, and asks those who may. */
  readonly accessRequest?: true;
  /** Of what an action has made temporary there, the end: it is now, never, or at this moment (milliseconds since the epoch). */
  readonly moves?: MovedEnd;
  /** It stands for all of these: each is asked for as if its own button was pressed. */
  readonly each?: readonly { readonly line: string; readonly moves?: MovedEnd }[];
  /** What the line has no room for: the words of a command by slot. */
  readonly asked?: { readonly phrase: string; readonly typed: Readonly<Record<string, readonly string[]>> };
  /** Who alone may take it, where it stands before everybody. */
  readonly only?: string;
  /** Opens the form of a command instead of asking the line, with what is known already in it. */
  readonly form?: Manner & {
    readonly phrase: string;
    readonly typed: Readonly<Record<string, readonly string[]>>;
    /** What its sending counts as: the press that it goes on with. */
    readonly delivery?: string | undefined;
  };
  /** Opens the form in which a command is searched; nothing is asked before. */
  readonly build?: true;
}

/** What becomes of the end of what an action has made temporary on an appliance. */
export interface MovedEnd {
  readonly action: string;
  readonly on: string;
  readonly to: 'now' | 'never' | number;
}

/** All that is shown as it stands: what is offered becomes buttons before. */
export type PlainPart = Exclude<Part, { kind: 'offers' }>;

/** What is known of a kind of part, besides its looks (`bot/rendering/render.ts`). */
interface PartKind<One> {
  /** As it is read from the journal. */
  readonly shape: z.ZodObject & z.ZodType<One>;
  /** For a file. */
  readonly lines: (part: One) => readonly string[];
  /** For whoever hears it, and for notifications. */
  readonly words: (part: One) => Text;
  /** Roughly how much room it takes in a message. */
  readonly characters: (part: One) => number;
}

/** Every one of a list that may be long fits; they are not copied, as those of `z.array` are. */
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
    // What it shows is said beside it (`chartSummary`).
    words: ({ title }) => [`Chart: ${title}`],
    characters: () => 0,
  },
  action: {
    shape: actionPartShape,
    lines: (part) => linesOf(fieldList(factsOf(part))),
    words: (part) => inWords(fieldList(factsOf(part))),
    characters: (part) => charactersOf(fieldList(factsOf(part))),
  },
};

/** A part as plain lines. */
export const linesOf = (part: PlainPart): readonly string[] => kindOf(part).lines(part);
/** A part as a sentence goes on, for whoever cannot see it. */
export const inWords = (part: PlainPart): Text => kindOf(part).words(part);
/** Roughly the characters that it takes up in a message. */
export const charactersOf = (part: PlainPart): number => kindOf(part).characters(part);

export const rowLength = (row: readonly Text[]): number =>
  row.reduce((sum, cell) => sum + Math.max(1, plainText(cell).length), 0);

// TypeScript does not see that a part has the kind under which it is looked up.
const kindOf = (part: PlainPart) => partKinds[part.kind] as PartKind<PlainPart>;

const joined = (texts: readonly Text[], separator: string): Text =>
  texts.flatMap((text, index) => (index === 0 ? text : [separator, ...text]));

const oneLine = (text: Text): string => plainText(text).replaceAll('\n', ' ');

/** A paragraph of an answer, written like `say`. */
export const paragraph = (...sentence: Parameters<typeof say>) =>
  ({ kind: 'text', text: say(...sentence) }) as const satisfies Part;

export const fieldsOf = (fields: readonly Field[] | FieldsByName): readonly Field[] =>
  isList(fields)
    ? fields
    : Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));

/** Names and values below each other. */
export const fieldList = (fields: readonly Field[] | FieldsByName) =>
  ({ kind: 'fields', fields: fieldsOf(fields) }) as const satisfies Part;

/**
 * A table of things, one a row: under the name of each column what it shows of one; a column without that is left out.
 * No part at all when there is none.
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

/** A chart in a sentence, for whoever cannot see it: where it begins and ends, its least and its most. */
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
