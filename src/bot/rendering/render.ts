import type {
  ActionsBlock,
  HeaderBlock,
  KnownBlock,
  MrkdwnElement,
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextSection,
  SectionBlock,
  Button as SlackButton,
  TableBlock,
} from '@slack/types';
import { type Button, type Press, presses, type Said, type SaidPart } from '../../action/base/chat.ts';
import { visible } from '../../action/showing/plain-files.ts';
import { type Field, inWords, type Span, strong, type Text } from '../../handlers/reply.ts';
import { aligned } from '../../handlers/wording/aligned.ts';
import { chartBlock, chartLines, chartTable, isDrawable } from './chart.ts';
import { fullPalette, type Palette } from './palette.ts';
import { limits } from './slack-limits.ts';
import {
  clean,
  cutMrkdwn,
  cutText,
  element,
  isLiteral,
  isWide,
  joined,
  lengthOf,
  linked,
  mrkdwn,
  plainLabel,
  plainSpan,
  summary,
} from './slack-text.ts';

/** A message in Slack's shape: blocks to see, and `text` for notifications and screen readers. */
export interface Rendered {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** Text from appliances and people only becomes raw `text` elements, whatever it contains. */
export function render(said: Said, palette: Palette = fullPalette): Rendered {
  const reply = linked(said, palette);
  const blocks = [
    ...(reply.headline.length === 0 ? [] : [heading(reply.headline)]),
    ...renderParts(reply.details ?? [], palette),
  ];
  return {
    text: summary(spoken(reply)),
    blocks: atMost(limits.blocks, blocks),
  };
}

export function renderParts(parts: readonly SaidPart[], palette: Palette = fullPalette): KnownBlock[] {
  let budget: number = limits.message;
  // Slack accepts two charts and one table a message (slack-facts.md §3). Further charts become tables, and
  // further tables are in fixed width.
  const charts = parts.filter((part) => part.kind === 'chart' && isDrawable(part));
  const shown = new Set(charts.slice(0, limits.chart.perMessage));
  const drawn = parts.map((part) => (part.kind === 'chart' && !shown.has(part) ? chartTable(part) : part));
  const first = drawn.find(({ kind }) => kind === 'table');
  return drawn.flatMap((part) => {
    const asBlock =
      part.kind === 'chart'
        ? palette.blocks.has('data_visualization')
        : part === first && palette.blocks.has('table');
    const { block, characters } = renderPart(part, asBlock, budget);
    budget = Math.max(0, budget - characters);
    return block;
  });
}

function atMost(count: number, blocks: KnownBlock[]): KnownBlock[] {
  if (blocks.length <= count) return blocks;
  const missing = blocks.length - count + 1;
  return [...blocks.slice(0, count - 1), paragraph([`… and ${missing} more parts not shown`])];
}

/** The first line of a message, within its limit: bold, with a normal rest. */
export function heading(text: Text, emoji?: string): RichTextBlock {
  const [lead, rest] = oneWeight(cutText(text, limits.headline));
  const elements = section(lead).elements.map(
    (one): RichTextElement => (one.type === 'date' ? { ...one, style: { bold: true } } : one),
  );
  const more = rest.length === 0 ? [] : section(rest).elements;
  return marking({ type: 'rich_text_section', elements: [...elements, ...more] }, emoji);
}

export const line = (text: Text, emoji?: string): RichTextBlock =>
  paragraph(cutText(text, limits.headline), emoji);

/** One line as a block, with this emoji before it. */
const paragraph = (text: Text, emoji?: string): RichTextBlock => marking(section(text), emoji);

function marking({ type, elements }: RichTextSection, emoji: string | undefined): RichTextBlock {
  const mark: RichTextElement[] =
    emoji === undefined
      ? []
      : [
          { type: 'emoji', name: emoji },
          { type: 'text', text: ' ' },
        ];
  return richText([{ type, elements: [...mark, ...elements] }]);
}

function renderPart(
  part: SaidPart,
  asBlock: boolean,
  budget: number,
): { readonly block: KnownBlock[]; readonly characters: number } {
  switch (part.kind) {
    case 'text':
      return { block: [paragraph(cutText(part.text, budget))], characters: lengthOf(part.text) };
    case 'fields':
      return fitting(
        part.fields,
        budget,
        (field) => lengthOf(field.value) + field.name.length + 2,
        (fields) => factBlocks(fields, (lines) => richText(lines.map(fieldLine))),
      );
    case 'list':
      return fitting(part.items, budget, lengthOf, (items) => [
        richText([{ type: 'rich_text_list', style: 'bullet', elements: items.map(section) }]),
      ]);
    case 'table':
      return renderTable(part, asBlock, budget);
    case 'log':
      return renderLines(visible(part.text), budget);
    case 'chart':
      return asBlock ? { block: [chartBlock(part)], characters: 0 } : renderLines(chartLines(part), budget);
    case 'section':
      return { block: [{ type: 'divider' }, header(part.title)], characters: part.title.length };
    case 'buttons':
      return part.beside === undefined
        ? { block: part.buttons.length === 0 ? [] : [buttonRow(part.buttons)], characters: 0 }
        : {
            block: besideButtons(cutText(part.beside, budget), part.buttons),
            characters: lengthOf(part.beside),
          };
  }
}

/** A line with its button in one row; several buttons need a row of their own. */
function besideButtons(text: Text, buttons: readonly Button[]): KnownBlock[] {
  const [only, ...others] = buttons;
  if (only === undefined || others.length > 0) return [paragraph(text), buttonRow(buttons)];
  const words = cutMrkdwn(mrkdwn(text), limits.section);
  return [
    {
      type: 'section',
      text: { type: 'mrkdwn', text: words, verbatim: true },
      accessory: buttonElement(only, 0),
    },
  ];
}

/** As many entries as fit; the rest is counted, never silently dropped. */
function fitting<Entry>(
  entries: readonly Entry[],
  budget: number,
  measure: (entry: Entry) => number,
  draw: (entries: readonly Entry[]) => readonly KnownBlock[],
): { readonly block: KnownBlock[]; readonly characters: number } {
  const { kept, characters } = takeWithin(entries, budget, measure);
  const missing = entries.length - kept.length;
  const note = missing === 0 ? [] : [paragraph([`… and ${missing} more not shown`])];
  return { block: [...(kept.length === 0 ? [] : draw(kept)), ...note], characters };
}

/** Fixed-width lines; the last ones if not all fit, because they show the end. */
function renderLines(
  text: string,
  budget: number,
): { readonly block: KnownBlock[]; readonly characters: number } {
  const lines = text.split('\n');
  const { kept, characters } = takeWithin(lines.toReversed(), budget, (line) => line.length + 1);
  const missing = lines.length - kept.length;
  const note = missing === 0 ? [] : [paragraph([`… and ${missing} earlier lines not shown`])];
  const shown = kept.toReversed().join('\n');
  return { block: [...note, ...(kept.length === 0 ? [] : [preformatted(shown || '–')])], characters };
}

function renderTable(
  { columns, rows }: Extract<SaidPart, { kind: 'table' }>,
  asBlock: boolean,
  budget: number,
): { readonly block: KnownBlock[]; readonly characters: number } {
  const titles = columns.reduce((sum, column) => sum + column.length, 0);
  const { kept, characters } = takeWithin(
    rows.slice(0, limits.table.rows - 1),
    Math.min(budget, limits.table.characters) - titles,
    (row) => row.reduce((sum, cell) => sum + Math.max(1, lengthOf(cell)), 0),
  );
  const missing = rows.length - kept.length;
  const note: KnownBlock[] =
    missing === 0
      ? []
      : [paragraph([`Showing ${kept.length} of ${rows.length} rows; ${missing} not shown.`])];
  const isBlock = asBlock && columns.length <= limits.table.columns;
  const table = isBlock
    ? tableBlock(columns, kept)
    : isWide(columns, kept) || kept.some((row) => row.some(mentions))
      ? listOfRows(columns, kept)
      : fixedWidthTable(columns, kept);
  return { block: [table, ...note], characters: characters + titles };
}

/** Characters between two columns: padding and a rule of Slack's tables. */
const padding = 5;
/** Characters from which a cell wraps: anywhere, and in a table wider than a phone. */
const longCell = { anywhere: 40, inWide: 22 };

function tableBlock(columns: readonly string[], rows: readonly (readonly Text[])[]): TableBlock {
  const most = isWide(columns, rows, padding) ? longCell.inWide : longCell.anywhere;
  const isLong = (column: number): boolean => rows.some((row) => lengthOf(row[column] ?? []) > most);
  return {
    type: 'table',
    // A sentence in a cell would push other columns off a phone's screen.
    ...(columns.some((_, column) => isLong(column)) && {
      column_settings: columns.map((_, column) => ({ is_wrapped: isLong(column) })),
    }),
    rows: [
      columns.map((column) => ({
        type: 'rich_text',
        elements: [section([{ kind: 'strong', text: column }])],
      })),
      ...rows.map((row) => row.map(cell)),
    ],
  };
}

function cell(text: Text): TableBlock['rows'][number][number] {
  // An empty cell is invalid. Plain ones stay raw text, which Slack sorts and copies best.
  if (text.every((span) => typeof span === 'string')) {
    return { type: 'raw_text', text: clean(text.join('')) || '–' };
  }
  return { type: 'rich_text', elements: [section(text)] };
}

/** Fixed width shows people, groups and channels as IDs. */
const mentions = (text: Text): boolean =>
  text.some((span) => typeof span !== 'string' && ['person', 'group', 'channel'].includes(span.kind));

/** One entry a row, with column names if there are more than two. */
function listOfRows(columns: readonly string[], rows: readonly (readonly Text[])[]): RichTextBlock {
  const items = rows.map(([first = [], ...others]) => {
    const told = others.flatMap((text, at): Text[] => {
      if (lengthOf(text) === 0) return [];
      return [others.length === 1 ? text : [`${columns[at + 1]} `, ...text]];
    });
    return [...first, ...told.flatMap((text, at): Text => [at === 0 ? ': ' : ', ', ...text])];
  });
  return richText([{ type: 'rich_text_list', style: 'bullet', elements: items.map(section) }]);
}

function fixedWidthTable(columns: readonly string[], rows: readonly (readonly Text[])[]): RichTextBlock {
  const lines = [columns.map(clean), ...rows.map((row) => row.map((text) => text.map(plainSpan).join('')))];
  return preformatted(aligned(lines).join('\n') || '–');
}

const preformatted = (text: string): RichTextBlock =>
  richText([{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }]);

const header = (title: string): HeaderBlock => ({
  type: 'header',
  text: { type: 'plain_text', text: plainLabel(title, limits.header), emoji: false },
});

const richText = (elements: RichTextBlockElement[]): RichTextBlock => ({ type: 'rich_text', elements });

/** Slack refuses a message with an empty element. */
function section(text: Text) {
  const said = joined(text).filter((span) => plainSpan(span) !== '');
  const spans = said.length === 0 ? ['–'] : said;
  return { type: 'rich_text_section' as const, elements: spans.flatMap(marked) };
}

function marked(span: Text[number]): readonly RichTextElement[] {
  if (typeof span !== 'string') return [element(span)];
  return byMarks(span).map((part) =>
    typeof part === 'string' ? element(part) : { type: 'emoji', name: part.emoji },
  );
}

const fieldLine = ({ name, value }: Field) => section([{ kind: 'strong', text: name }, '  ', ...value]);

function takeWithin<Entry>(entries: readonly Entry[], budget: number, measure: (entry: Entry) => number) {
  const kept: Entry[] = [];
  let characters = 0;
  for (const entry of entries) {
    const length = measure(entry);
    if (characters + length > budget) break;
    characters += length;
    kept.push(entry);
  }
  return { kept, characters };
}

/** Characters of a fact that fits beside another. */
const shortFact = 48;

/**
 * Facts, short ones in two columns with names above. Sentences, lone facts and text that Slack would format
 * follow as lines, drawn by `lines`.
 */
function factBlocks(
  fields: readonly Field[],
  lines: (fields: readonly Field[]) => RichTextBlock,
): readonly KnownBlock[] {
  const facts = fields.filter(hasRoom);
  if (facts.length < 2) return [lines(fields)];
  const sentences = fields.filter((field) => !hasRoom(field));
  const grids = Array.from({ length: Math.ceil(facts.length / limits.fields) }, (_, at) =>
    grid(facts.slice(at * limits.fields, (at + 1) * limits.fields)),
  );
  return [...grids, ...(sentences.length === 0 ? [] : [lines(sentences)])];
}

function hasRoom({ name, value }: Field): boolean {
  const said = value.map((span) => (typeof span === 'string' ? span : 'text' in span ? span.text : ''));
  return (
    name.length <= shortFact && lengthOf(value) <= shortFact && isLiteral(name) && isLiteral(said.join(''))
  );
}

const grid = (fields: readonly Field[]): SectionBlock => ({ type: 'section', fields: fields.map(fact) });

const fact = ({ name, value }: Field): MrkdwnElement => ({
  type: 'mrkdwn',
  text: `*${mrkdwn([name])}*\n${value.map(factText).join('') || '–'}`,
  verbatim: true,
});

function factText(span: Span): string {
  if (typeof span !== 'string') return mrkdwn([span]);
  return byMarks(span)
    .map((part) => (typeof part === 'string' ? mrkdwn([part]) : `:${part.emoji}:`))
    .join('');
}

/** Characters of a headline that is read at a glance; a longer one ends at its colon. */
const glance = 80;

/** The first sentence in bold, and the unchanged rest. */
export function oneWeight(text: Text): readonly [lead: Text, rest: Text] {
  const [lead, rest] = splitAfter(joined(text), /[.?!](?=\s)/);
  const [short, more] = lengthOf(lead) > glance ? splitAfter(lead, /:(?=\s)/) : [lead, []];
  return [together(short.flatMap(bold)), [...more, ...rest]];
}

/** Splits after the first occurrence of this mark in plain text. */
function splitAfter(text: Text, mark: RegExp): readonly [before: Text, after: Text] {
  for (const [index, span] of text.entries()) {
    if (typeof span !== 'string') continue;
    const at = span.search(mark);
    if (at === -1) continue;
    const end = at + 1;
    return [
      [...text.slice(0, index), span.slice(0, end)],
      [span.slice(end), ...text.slice(index + 1)],
    ];
  }
  return [text, []];
}

const bold = (span: Span): Text =>
  typeof span !== 'string'
    ? [span]
    : byMarks(span).map((part) => (typeof part === 'string' ? strong(part) : part.mark));

/** Merges neighbouring bold spans. */
const together = (text: Text): Text =>
  text.reduce<Span[]>((whole, span) => {
    const [last, now] = [boldIn(whole.at(-1)), boldIn(span)];
    if (last === undefined || now === undefined) whole.push(span);
    else whole[whole.length - 1] = strong(last + now);
    return whole;
  }, []);

const boldIn = (span: Span | undefined): string | undefined =>
  typeof span === 'object' && span.kind === 'strong' ? span.text : undefined;

/** Emoji for marks, which look the same everywhere, even without a colour font. */
const emojiNames: ReadonlyMap<string, string> = new Map([
  ['✅', 'white_check_mark'],
  ['❌', 'x'],
  ['⚠️', 'warning'],
  ['🚨', 'rotating_light'],
  ['⏳', 'hourglass_flowing_sand'],
  ['⚪', 'white_circle'],
  ['ℹ️', 'information_source'],
]);
const anyMark = new RegExp(`(${[...emojiNames.keys()].join('|')})`, 'u');

const byMarks = (text: string): readonly (string | { readonly mark: string; readonly emoji: string })[] =>
  text
    .split(anyMark)
    .filter((part) => part !== '')
    .map((part) => {
      const emoji = emojiNames.get(part);
      return emoji === undefined ? part : { mark: part, emoji };
    });

/**
 * A message in words: for screen readers, and for notifications (slack-facts.md §1). It begins with the most
 * important part, and covers everything but button labels, which are read in place.
 */
export function spoken({ headline, details = [] }: Said): Text {
  const told = [headline, ...details.map(wordsOf)];
  const whole = told.filter((text) => text.length > 0);
  return whole.length === 0
    ? ['Details']
    : whole.flatMap((text, index) => (index === 0 ? text : [' · ', ...text]));
}

const wordsOf = (part: SaidPart): Text =>
  part.kind === 'buttons' ? (part.beside ?? []) : part.kind === 'section' ? [part.title] : inWords(part);

/**
 * A button's `action_id` has the kind of press, and its value is an opaque token whose meaning is in the
 * journal. Slack requires unique `action_id`s in a message, so each has a number.
 */
const prefix = 'press';

/** One row of buttons; Slack accepts 25 (slack-facts.md §3). */
export const buttonRow = (buttons: readonly Button[]): ActionsBlock => ({
  type: 'actions',
  elements: buttons.slice(0, limits.buttons).map(buttonElement),
});

const buttonElement = (
  { press, label, about, token, detail, style }: Button,
  index: number,
): SlackButton => ({
  type: 'button',
  action_id: [prefix, press, token.slice(0, 8), index].join(':'),
  // The label may come from an appliance or a file's name.
  text: { type: 'plain_text', text: plainLabel(label, limits.buttonText), emoji: false },
  ...(about !== undefined && {
    accessibility_label: plainLabel(`${label}: ${about}`, limits.buttonText),
  }),
  value: detail === undefined ? token : `${token} ${detail}`,
  ...(style === undefined ? {} : { style }),
});

export const anyButton = new RegExp(`^${prefix}:`);

/** The meaning of a click; undefined for other buttons. */
export function readButton(
  actionId: string,
  value: string | undefined,
): Pick<Press, 'button' | 'token' | 'detail'> | undefined {
  const [own, press] = actionId.split(':');
  if (own !== prefix || value === undefined || !isPress(press)) return undefined;
  const [token = '', detail] = value.split(' ');
  return { button: press, token, detail };
}

const isPress = (text: string | undefined): text is Press['button'] => presses.some((one) => one === text);
