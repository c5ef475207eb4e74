/** What replies and messages are made of, as it is read from the journal. */

import { z } from 'zod';
import type { Behind, Chart, Field, Part, Span, Text } from '../../handlers/reply.ts';
import { listOf, optional } from '../../journal/codec.ts';
import type { Attachment, Button, Said, SaidPart } from './chat.ts';

type Marked = Exclude<Span, string>;

/** Texts are by far the most of what is kept. Checked by hand, they cost less than JSON.parse has cost. */
const marked: {
  readonly [Kind in Marked['kind']]: (span: Readonly<Record<string, unknown>>) => boolean;
} = {
  strong: ({ text }) => typeof text === 'string',
  code: ({ text }) => typeof text === 'string',
  person: ({ id }) => typeof id === 'string',
  group: ({ id }) => typeof id === 'string',
  channel: ({ id }) => typeof id === 'string',
  message: ({ channel, ts, label }) => [channel, ts, label].every((one) => typeof one === 'string'),
  time: ({ at, style }) => typeof at === 'number' && (style === 'time' || style === 'date'),
};

const isSpan = (value: unknown): value is Span =>
  typeof value === 'string' ||
  (typeof value === 'object' && value !== null && isMarked(value as Readonly<Record<string, unknown>>));

function isMarked(span: Readonly<Record<string, unknown>>): boolean {
  const { kind } = span;
  return typeof kind === 'string' && Object.hasOwn(marked, kind) && marked[kind as Marked['kind']](span);
}

const isText = (value: unknown): value is Text => Array.isArray(value) && value.every(isSpan);
const isString = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const isRow = (value: unknown): value is readonly Text[] => Array.isArray(value) && value.every(isText);

export const textShape = z.custom<Text>(isText);

export const fieldShape = z.object({ name: z.string(), value: textShape }) satisfies z.ZodType<Field>;

const behindShape = z.object({
  keys: listOf(isString),
  count: z.number(),
  elsewhere: textShape,
}) satisfies z.ZodType<Behind>;

export const tableShape = z.object({
  kind: z.literal('table'),
  columns: listOf(isString),
  rows: listOf(isRow),
  behind: optional(behindShape),
}) satisfies z.ZodType<Extract<Part, { kind: 'table' }>>;

const chartShape = z.object({
  kind: z.literal('chart'),
  style: z.enum(['line', 'bar']),
  title: z.string(),
  unit: z.string(),
  labels: listOf(isString),
  series: z.array(z.object({ name: z.string(), values: listOf(isNumber) })),
}) satisfies z.ZodType<Chart>;

const buttonShape = z.object({
  press: z.enum(['confirm', 'cancel', 'approve', 'deny', 'offer', 'form', 'page', 'filter', 'export']),
  label: z.string(),
  token: z.string(),
  detail: optional(z.string()),
  style: optional(z.enum(['primary', 'danger'])),
}) satisfies z.ZodType<Button>;

export const partShape: z.ZodType<SaidPart> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: textShape }),
  z.object({ kind: z.literal('fields'), fields: z.array(fieldShape) }),
  z.object({ kind: z.literal('list'), items: listOf(isText) }),
  tableShape,
  z.object({ kind: z.literal('log'), name: z.string(), text: z.string() }),
  chartShape,
  z.object({ kind: z.literal('buttons'), buttons: z.array(buttonShape) }),
]);

const fileShape = z.object({
  name: z.string(),
  title: z.string(),
  content: z.string(),
  words: optional(textShape),
}) satisfies z.ZodType<Attachment>;

export const saidShape: z.ZodType<Said> = z.object({
  headline: textShape,
  details: optional(z.array(partShape)),
  next: optional(z.array(z.lazy(() => saidShape))),
  files: optional(z.array(fileShape)),
});

/** The words that were typed for each slot. */
export const typedShape = z.record(z.string(), z.array(z.string()));
