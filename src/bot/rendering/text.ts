import type { RichTextElement } from '@slack/types';
import { inUtc, type Span, type Text } from '../../handlers/reply.ts';
import { marked } from '../../marks.ts';
import { limits } from './limits.ts';
import type { LinkedMessage, LinkedTicket } from './links.ts';

/**
 * Text, span by span, in the three ways that Slack takes it: rich-text elements (raw: nothing in them is read as
 * formatting), mrkdwn (escaped), and plain.
 */

/** A text in Slack's mrkdwn, with everything in it escaped (slack-facts.md §9): for `text` and for context lines. */
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
      // A back-tick inside would end the code span.
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

/** A text for a message's `text`, within its limit and never ending in half a mention or half an entity. */
export function summary(text: Text, emoji?: string): string {
  const said = `${emoji === undefined ? '' : `:${emoji}: `}${mrkdwn(text)}`;
  return said.length <= limits.text ? said : `${cutMrkdwn(said, limits.text - elsewhere.length)}${elsewhere}`;
}

/** Where the rest of it is. */
const elsewhere = ' The rest is in the message.';

/** The beginning of what `mrkdwn` made, never ending in half a mention or half an entity. */
export function cutMrkdwn(said: string, most: number): string {
  if (said.length <= most) return said;
  return `${said.slice(0, most - 1).replace(/(?:<[^<>]*|&[a-z]*|[\ud800-\udbff])$/, '')}…`;
}

/** Plain text for a label: nothing in it is obeyed, it is never empty (Slack refuses that) and never ends in half a letter. */
export function plainLabel(text: string, most: number): string {
  return shortened(clean(text).trim() || '–', most);
}

export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;

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

/** Slack asks for exactly these three and no others. */
const escapeMrkdwn = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** What would begin or end bold, italic, struck or code text (it cannot be escaped) becomes a letter that looks like it. */
const unformatted = (text: string): string =>
  text
    .replaceAll('`', 'ˋ')
    .replace(/(?<![\p{L}\p{N}])[*_~]|[*_~](?![\p{L}\p{N}])/gu, (mark) => lookalikes[mark] ?? mark);

/** Whether it stands in mrkdwn as it is: neither its letters nor an emoji's name in it become something else. */
export const isLiteral = (text: string): boolean =>
  unformatted(text) === text && !/:[\w+-]+:/.test(text) && !text.includes('\n');

/** For where nobody knows how a text is read, and escaped letters would be seen: what could begin anything looks like itself. */
export const inert = (text: string): string =>
  unformatted(clean(text)).replaceAll('<', '‹').replaceAll('>', '›');

const lookalikes: Readonly<Record<string, string>> = { '*': '∗', _: 'ˍ', '~': '∼' };

/** More than any message has room for. */
const longestShown = 50_000;

/**
 * Nothing in it is obeyed, invisible or one thing that looks like another. What comes too late to be shown is not looked
 * at, and only its length stays, to be counted.
 */
export const clean = (text: string): string =>
  text.length <= longestShown
    ? marked(text)
    : marked(text.slice(0, longestShown)) + '…'.repeat(text.length - longestShown);

export const lengthOf = (text: Text): number => text.reduce((sum, span) => sum + plainSpan(span).length, 0);

/** As much of a text as there is room for; what is left out is counted aloud. */
export function cut(text: Text, budget: number): Text {
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

/** The beginning of a span; a mention or a moment has none. */
function beginning(span: Span, length: number): Span | undefined {
  if (length === 0) return undefined;
  if (typeof span === 'string') return clean(span).slice(0, length);
  if (span.kind === 'message') return { ...span, label: clean(span.label).slice(0, length) };
  return 'text' in span ? { ...span, text: clean(span.text).slice(0, length) } : undefined;
}

/** "disable" and "d" are one word, however many values a sentence was written with. */
export const joined = (text: Text): Text =>
  text.reduce<Text[number][]>((whole, span) => {
    const before = whole.at(-1);
    if (typeof span !== 'string' || typeof before !== 'string') whole.push(span);
    else whole[whole.length - 1] = before + span;
    return whole;
  }, []);

/** Characters of a line in fixed width that a phone shows without breaking it. */
const phone = 44;

/** Whether rows of texts are wider than a phone, with so many characters between two columns. */
export function isWide(columns: readonly string[], rows: readonly (readonly Text[])[], between = 2): boolean {
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...rows.map((row) => lengthOf(row[at] ?? []))),
  );
  return widths.reduce((sum, width) => sum + width + between, -between) > phone;
}
