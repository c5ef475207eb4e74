import { z } from 'zod';

/**
 * Text for people, as a list of spans. A bare string is always plain: words of an appliance or a person can
 * never become a mention, a link or formatting, because only the constructors below make those.
 */
export type Span =
  | string
  | { readonly kind: 'strong' | 'code'; readonly text: string }
  | { readonly kind: 'person' | 'group' | 'channel'; readonly id: string }
  /** A message in the chat, by channel and `ts`; shown as a label that links to it. */
  | { readonly kind: 'message'; readonly channel: string; readonly ts: string; readonly label: string }
  /** A ticket, linked if the policy has an address. */
  | { readonly kind: 'ticket'; readonly text: string }
  /** A moment in each reader's own time zone. `at` is milliseconds since the epoch. */
  | { readonly kind: 'time'; readonly at: number; readonly style: 'time' | 'date' };

export type Text = readonly Span[];

type Marked = Exclude<Span, string>;

/** Texts are by far the largest part of the journal. Checking them by hand costs less than JSON.parse. */
const marked: {
  readonly [Kind in Marked['kind']]: (span: Readonly<Record<string, unknown>>) => boolean;
} = {
  strong: ({ text }) => typeof text === 'string',
  code: ({ text }) => typeof text === 'string',
  person: ({ id }) => typeof id === 'string',
  group: ({ id }) => typeof id === 'string',
  channel: ({ id }) => typeof id === 'string',
  ticket: ({ text }) => typeof text === 'string',
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

/** As stored in the journal. */
export const isText = (value: unknown): value is Text => Array.isArray(value) && value.every(isSpan);
export const textShape = z.custom<Text>(isText);

export const strong = (text: string): Span => ({ kind: 'strong', text });
export const code = (text: string): Span => ({ kind: 'code', text });
/** An empty ID means the bot itself (`caller.ts`). */
export const person = (id: string): Span => (id === '' ? 'Appliance Bot' : { kind: 'person', id });
export const group = (id: string): Span => ({ kind: 'group', id });
export const channel = (id: string): Span => ({ kind: 'channel', id });
export const messageLink = (
  label: string,
  channel: string,
  ts: string,
): Extract<Span, { kind: 'message' }> => ({
  kind: 'message',
  channel,
  ts,
  label,
});
export const ticketLink = (text: string): Span => ({ kind: 'ticket', text });
/** The time, for moments of today. */
export const clock = (at: number | Date): Span => ({ kind: 'time', at: Number(at), style: 'time' });
/** Date and time, for moments that may be older. */
export const moment = (at: number | Date): Span => ({ kind: 'time', at: Number(at), style: 'date' });

/** Builds a text from a template; interpolated strings and numbers stay plain. */
export function say(literals: TemplateStringsArray, ...values: readonly (Span | Text | number)[]): Text {
  const spans: Span[] = [];
  literals.forEach((literal, index) => {
    if (literal !== '') spans.push(literal);
    const value = values[index];
    if (value === undefined || value === '') return;
    if (typeof value === 'number') spans.push(String(value));
    else if (isList(value)) spans.push(...value);
    else spans.push(value);
  });
  return spans;
}

/** Joins texts: `a, b and c`. */
export function enumerate(texts: readonly (Span | Text)[], conjunction: 'and' | 'or' = 'and'): Text {
  return texts.flatMap((text, index) => {
    const separator = index === 0 ? [] : index === texts.length - 1 ? [` ${conjunction} `] : [', '];
    return [...separator, ...(isList(text) ? text : [text])];
  });
}

export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** `1 session`, `3 sessions`, `2 categories`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** A duration in the unit that a person would use: `less than a minute`, `35 min`, `3 h 20 min`, `2 days`. */
export function elapsed(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return plural(Math.floor(hours / 24), 'day');
}

/** The words without formatting, for the journal and for logs. IDs stay IDs, moments become ISO 8601. */
export function plainText(text: Text): string {
  return text
    .map((span) => {
      if (typeof span === 'string') return span;
      if (span.kind === 'time') return new Date(span.at).toISOString();
      if (span.kind === 'message') return span.label;
      return 'text' in span ? span.text : span.id;
    })
    .join('');
}

/** A moment for readers whose time zone is unknown: `2026-11-25 18:00 UTC`. `at` is milliseconds since the epoch. */
export const inUtc = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** The words for readers outside the chat, where no client renders moments. */
export const readableText = (text: Text): string =>
  plainText(text.map((span) => (typeof span !== 'string' && span.kind === 'time' ? inUtc(span.at) : span)));

const isList = (value: Span | Text): value is Text => Array.isArray(value);
