/**
 * What a command answers, without any Slack in it.
 *
 * Text is a list of spans, and a bare string is always plain: whatever an appliance or a person wrote can
 * never become a mention, a link or formatting, because only the constructors below make those.
 * Every value here is plain JSON, so the journal can keep a preview and show it again after a restart.
 */
export type Span =
  | string
  | { readonly kind: 'strong' | 'code'; readonly text: string }
  | { readonly kind: 'person' | 'group' | 'channel'; readonly id: string }
  /** A message in the chat, by its channel and its `ts` there; shown as its label, which opens it. */
  | { readonly kind: 'message'; readonly channel: string; readonly ts: string; readonly label: string }
  /** A moment, shown in each reader's own time zone. `at` is milliseconds since the epoch. */
  | { readonly kind: 'time'; readonly at: number; readonly style: 'time' | 'date' };

export type Text = readonly Span[];

export interface Field {
  readonly name: string;
  readonly value: Text;
}

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
  /** Whoever presses it may not run the line, and asks those who may. */
  readonly accessRequest?: true;
  /** Opens the form of a command instead of asking the line, with what is known already in it. */
  readonly form?: {
    readonly phrase: string;
    readonly typed: Readonly<Record<string, readonly string[]>>;
    readonly on?: string | undefined;
    readonly dryRun?: true | undefined;
  };
}

export interface Reply {
  /** One sentence that stands alone: the line in the channel and the notification. */
  readonly headline: Text;
  /** The same in fewer words, for its row among the answers of several appliances. */
  readonly brief?: Text;
  /** Everything below it; for an answer in a channel this goes to the thread. */
  readonly details?: readonly Part[];
}

export const strong = (text: string): Span => ({ kind: 'strong', text });
export const code = (text: string): Span => ({ kind: 'code', text });
export const person = (id: string): Span => ({ kind: 'person', id });
export const group = (id: string): Span => ({ kind: 'group', id });
export const channel = (id: string): Span => ({ kind: 'channel', id });
export const messageLink = (label: string, channel: string, ts: string): Span => ({
  kind: 'message',
  channel,
  ts,
  label,
});
/** The time of day, for moments of today. */
export const clock = (at: number | Date): Span => ({ kind: 'time', at: Number(at), style: 'time' });
/** Day and time, for moments that may be older. */
export const moment = (at: number | Date): Span => ({ kind: 'time', at: Number(at), style: 'date' });

/** Builds a text from a template; interpolated strings and numbers stay plain. */
export function say(literals: TemplateStringsArray, ...values: readonly (Span | Text | number)[]): Text {
  const spans: Span[] = [];
  literals.forEach((literal, index) => {
    if (literal !== '') spans.push(literal);
    const value = values[index];
    if (value === undefined || value === '') return;
    if (typeof value === 'number') spans.push(String(value));
    else if (isText(value)) spans.push(...value);
    else spans.push(value);
  });
  return spans;
}

/** Puts texts in a row: `a, b and c`. */
export function enumerate(texts: readonly (Span | Text)[], conjunction: 'and' | 'or' = 'and'): Text {
  return texts.flatMap((text, index) => {
    const separator = index === 0 ? [] : index === texts.length - 1 ? [` ${conjunction} `] : [', '];
    return [...separator, ...(isText(text) ? text : [text])];
  });
}

/** `1 session`, `3 sessions`, `2 categories`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** How long ago, in the unit a person would use: `less than a minute`, `35 min`, `3 h 20 min`, `2 days`. */
export function elapsed(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return plural(Math.floor(hours / 24), 'day');
}

/** The same words without any formatting, for the journal and for logs. IDs stay IDs, moments become ISO 8601. */
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

function isText(value: Span | Text): value is Text {
  return Array.isArray(value);
}
