import type { RichTextElement } from '@slack/types';
import { cut, shortened } from '../../graphemes.ts';
import { inUtc, type Span, type Text } from '../../handlers/reply.ts';
import { marked } from '../../marks.ts';
import type { Palette } from './palette.ts';
import { limits } from './slack-limits.ts';

/** Text in Slack's three forms: rich-text elements (raw: without formatting), mrkdwn (escaped), and plain. */

/** A text in Slack's mrkdwn, completely escaped (slack-facts.md §9): for `text` and for context lines. */
export function mrkdwn(text: Text): string {
  return text.map(mrkdwnSpan).join('');
}

export function element(span: Span): RichTextElement {
  if (typeof span === 'string') return { type: 'text', text: clean(span) };
  switch (span.kind) {
    case 'strong':
      return { type: 'text', text: clean(span.text), style: { bold: true } };
    case 'code':
      return { type: 'text', text: clean(span.text), style: { code: true } };
    case 'person':
      return { type: 'user', user_id: span.id };
    case 'group':
      return { type: 'usergroup', usergroup_id: span.id };
    case 'channel':
      return { type: 'channel', channel_id: span.id };
    case 'message':
      return isLinked(span)
        ? { type: 'link', url: span.url, text: clean(span.label) }
        : { type: 'text', text: clean(span.label) };
    case 'ticket':
      return isLinked(span)
        ? { type: 'link', url: span.url, text: clean(span.text) }
        : { type: 'text', text: clean(span.text) };
    case 'time': {
      const { seconds, format, utc } = momentOf(span);
      return { type: 'date', timestamp: seconds, format, fallback: utc };
    }
  }
}

function mrkdwnSpan(span: Span): string {
  if (typeof span === 'string') return escapeMrkdwn(unformatted(clean(span)));
  switch (span.kind) {
    case 'strong':
      return escapeMrkdwn(unformatted(clean(span.text)));
    case 'code':
      // A backtick inside would end the code span.
      return `\`${escapeMrkdwn(clean(span.text)).replaceAll('`', 'ˋ')}\``;
    case 'person':
      return `<@${span.id}>`;
    case 'group':
      return `<!subteam^${span.id}>`;
    case 'channel':
      return `<#${span.id}>`;
    case 'message': {
      const label = escapeMrkdwn(unformatted(clean(span.label)));
      return isLinked(span) ? `<${span.url}|${label}>` : label;
    }
    case 'ticket': {
      const label = escapeMrkdwn(unformatted(clean(span.text)));
      return isLinked(span) ? `<${span.url}|${label}>` : label;
    }
    case 'time': {
      const { seconds, format, utc } = momentOf(span);
      return `<!date^${seconds}^${format}|${utc}>`;
    }
  }
}

export function plainSpan(span: Span): string {
  if (typeof span === 'string') return clean(span);
  if (span.kind === 'time') return momentOf(span).utc;
  if (span.kind === 'message') return clean(span.label);
  return 'text' in span ? clean(span.text) : span.id;
}

/** A message's `text`, within its limit and never ending inside a mention or an entity. */
export function summary(text: Text, emoji?: string): string {
  const said = `${emoji === undefined ? '' : `:${emoji}: `}${mrkdwn(text)}`;
  return said.length <= limits.text ? said : `${cutMrkdwn(said, limits.text - elsewhere.length)}${elsewhere}`;
}

/** Ends a shortened text. */
const elsewhere = ' The rest is in the message.';

/** The beginning of `mrkdwn` output, never ending inside a mention or an entity. */
export function cutMrkdwn(said: string, most: number): string {
  if (said.length <= most) return said;
  return `${cut(said, most - 1).replace(/(?:<[^<>]*|&[a-z]*)$/, '')}…`;
}

/** A label as plain text: without formatting, never empty (Slack refuses that) and never ending inside a letter. */
export function plainLabel(text: string, most: number): string {
  return shortened(clean(text).trim() || '–', most);
}

const isLinked = <One extends Extract<Span, { kind: 'message' | 'ticket' }>>(
  span: One,
): span is One & (LinkedMessage | LinkedTicket) => 'url' in span;

function momentOf({ at, style }: Extract<Span, { kind: 'time' }>) {
  return {
    seconds: Math.floor(at / 1000),
    format: style === 'time' ? '{time}' : '{date_short_pretty} {time}',
    utc: inUtc(at),
  };
}

/** Slack requires exactly these three. */
const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Replaces formatting characters of bold, italic, strike and code, which cannot be escaped, by similar letters. */
const unformatted = (text: string): string =>
  text
    .replaceAll('`', 'ˋ')
    .replace(/(?<![\p{L}\p{N}])[*_~]|[*_~](?![\p{L}\p{N}])/gu, (mark) => lookalikes[mark] ?? mark);

/** Whether mrkdwn leaves a text unchanged, without formatting or emoji. */
export const isLiteral = (text: string): boolean =>
  unformatted(text) === text && !/:[\w+-]+:/.test(text) && !text.includes('\n');

const lookalikes: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼' };

/** More than any message can show. */
const longestShown = 50_000;

/**
 * Removes formatting, invisible and misleading characters. Text beyond the visible part is skipped, and only
 * its length is kept for counting.
 */
export function clean(text: string): string {
  const shown = cut(text, longestShown);
  return marked(shown) + '…'.repeat(text.length - shown.length);
}

export const lengthOf = (text: Text): number => text.reduce((sum, span) => sum + plainSpan(span).length, 0);

/** As much of a text as fits, and the count of the rest. */
export function cutText(text: Text, budget: number): Text {
  const whole = lengthOf(text);
  if (whole <= budget) return text;
  let room = budget;
  const kept = text.flatMap((span): Span[] => {
    const length = plainSpan(span).length;
    const part = length <= room ? span : beginning(span, room);
    room = Math.max(0, room - length);
    return part === undefined ? [] : [part];
  });
  return [...kept, `… (${whole - lengthOf(kept)} more characters not shown)`];
}

/** The beginning of a span; a mention or a moment cannot be cut. */
function beginning(span: Span, length: number): Span | undefined {
  if (length === 0) return undefined;
  if (typeof span === 'string') return cut(clean(span), length);
  if (span.kind === 'message') return { ...span, label: cut(clean(span.label), length) };
  return 'text' in span ? { ...span, text: cut(clean(span.text), length) } : undefined;
}

/** Joins adjacent strings: "disable" and "d" are one word. */
export const joined = (text: Text): Text =>
  text.reduce<Text[number][]>((whole, span) => {
    const before = whole.at(-1);
    if (typeof span !== 'string' || typeof before !== 'string') whole.push(span);
    else whole[whole.length - 1] = before + span;
    return whole;
  }, []);

/** Characters of a fixed-width line on a phone. */
const phone = 44;

/** Whether rows are wider than a phone, with this many characters between columns. */
export function isWide(columns: readonly string[], rows: readonly (readonly Text[])[], between = 2): boolean {
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => lengthOf(row[at] ?? []))),
  );
  return widths.reduce((sum, width) => sum + width + between, -between) > phone;
}

type TicketSpan = Extract<Span, { kind: 'ticket' }>;
type MessageSpan = Extract<Span, { kind: 'message' }>;

interface LinkedMessage extends MessageSpan {
  readonly url: string;
}

interface LinkedTicket extends TicketSpan {
  readonly url: string;
}

/** Addresses of messages and tickets. */
type Addresses = Pick<Palette, 'workspace' | 'ticketAt'>;

/**
 * Adds addresses to messages (`messageLink`): `https://acme.slack.com/archives/C1/p…`. `workspace` is the
 * workspace's `url` in Slack; without it messages are only named. So are tickets without a link in the policy.
 * Addresses enter a text only here, and an existing one is dropped.
 */
export function linked<Value>(value: Value, addresses: Addresses): Value {
  // Replies are plain JSON (`handlers/reply.ts`), and every value keeps its shape.
  return follow(value, addresses) as Value;
}

function follow(value: unknown, addresses: Addresses): unknown {
  if (Array.isArray(value)) return value.map((one) => follow(one, addresses));
  if (typeof value !== 'object' || value === null) return value;
  if (isMessage(value)) return link(value, addresses.workspace);
  if (isTicketSpan(value)) return ticketLinked(value, addresses.ticketAt);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, follow(one, addresses)]));
}

const isMessage = (value: object): value is MessageSpan => 'kind' in value && value.kind === 'message';

const isTicketSpan = (value: object): value is TicketSpan => 'kind' in value && value.kind === 'ticket';

function ticketLinked(
  { kind, text }: TicketSpan,
  ticketAt: Addresses['ticketAt'],
): TicketSpan | LinkedTicket {
  const url = ticketAt?.(text);
  return { kind, text, ...(url !== undefined && { url }) };
}

function link(
  { kind, channel, ts, label }: MessageSpan,
  workspace: string | undefined,
): MessageSpan | LinkedMessage {
  const message: MessageSpan = { kind, channel, ts, label };
  // Both become parts of an address, so they must have Slack's exact shape.
  const isSound = /^[A-Z0-9]+$/.test(channel) && /^\d+\.\d+$/.test(ts);
  if (workspace === undefined || !isSound) return message;
  return { ...message, url: new URL(`/archives/${channel}/p${ts.replace('.', '')}`, workspace).href };
}
