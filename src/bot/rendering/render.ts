import type {
  ContextBlock,
  HeaderBlock,
  KnownBlock,
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  RichTextSection,
  TableBlock,
} from '@slack/types';
import type { Button, Said, SaidPart } from '../../action/base/chat.ts';
import { visible } from '../../action/showing/plain-files.ts';
import { factsOf, inOneLine } from '../../handlers/audit/action-part.ts';
import type { Field, Text } from '../../handlers/reply.ts';
import { aligned } from '../../handlers/wording/aligned.ts';
import { buttonElement, buttonRow } from './buttons.ts';
import { chartBlock, chartLines, chartTable, isDrawable } from './chart.ts';
import { byMarks } from './emoji.ts';
import { type EntitiesIn, entitiesIn, entityOf } from './entity.ts';
import { factBlocks } from './fields.ts';
import { oneWeight } from './headline.ts';
import { limits } from './limits.ts';
import { linked } from './links.ts';
import { fullPalette, type Palette } from './palette.ts';
import { spoken } from './spoken.ts';
import {
  clean,
  cut,
  cutMrkdwn,
  element,
  isWide,
  joined,
  lengthOf,
  mrkdwn,
  plainLabel,
  plainSpan,
  summary,
} from './text.ts';

/** A message as Slack takes it: blocks for the eye, `text` for notifications and for whoever hears the screen read. */
export interface Rendered extends EntitiesIn {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** What comes from an appliance or a person only ever becomes `text` elements: raw to Slack, whatever they contain. */
export function render(said: Said, palette: Palette = fullPalette): Rendered {
  const reply = linked(said, palette);
  const blocks = [
    ...(reply.headline.length === 0 ? [] : [heading(reply.headline)]),
    ...renderParts(reply.details ?? [], palette),
  ];
  return {
    text: summary(spoken(reply)),
    blocks: atMost(limits.blocks, blocks),
    ...entitiesIn(reply.details, palette),
  };
}

export function renderParts(parts: readonly SaidPart[], palette: Palette = fullPalette): KnownBlock[] {
  let budget: number = limits.message;
  // Slack takes two charts and one table a message (slack-facts.md §3). Other charts become tables, other tables are set
  // in fixed width.
  const charts = parts.filter((part) => part.kind === 'chart' && isDrawable(part));
  const shown = new Set(charts.slice(0, limits.chart.perMessage));
  const drawn = parts.map((part) => (part.kind === 'chart' && !shown.has(part) ? chartTable(part) : part));
  const first = drawn.find(({ kind }) => kind === 'table');
  return drawn.flatMap((part) => {
    const asBlock =
      part.kind === 'chart'
        ? palette.blocks.has('data_visualization')
        : part.kind === 'action'
          ? palette.entities && entityOf(part) !== undefined
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

/** A line in small letters. */
const aside = (text: Text): ContextBlock => ({
  type: 'context',
  elements: [{ type: 'mrkdwn', text: cutMrkdwn(mrkdwn(text), limits.context), verbatim: true }],
});

/** The first line of a message, within its limit: what it says in one weight, what follows that in the weight of all else. */
export function heading(text: Text, emoji?: string): RichTextBlock {
  const [lead, rest] = oneWeight(cut(text, limits.headline));
  const elements = section(lead).elements.map(
    (one): RichTextElement => (one.type === 'date' ? { ...one, style: { bold: true } } : one),
  );
  const more = rest.length === 0 ? [] : section(rest).elements;
  return marking({ type: 'rich_text_section', elements: [...elements, ...more] }, emoji);
}

/** A line below it. */
export const line = (text: Text, emoji?: string): RichTextBlock =>
  paragraph(cut(text, limits.headline), emoji);

/** One line of text as a block, with the emoji of this short name before it. */
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
      return { block: [paragraph(cut(part.text, budget))], characters: lengthOf(part.text) };
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
    case 'action':
      // What can be opened shows its facts below: they stand in one line above.
      return asBlock
        ? { block: [aside(inOneLine(part))], characters: 0 }
        : renderPart({ kind: 'fields', fields: factsOf(part) }, false, budget);
    case 'section':
      return { block: [{ type: 'divider' }, header(part.title)], characters: part.title.length };
    case 'buttons':
      return part.beside === undefined
        ? { block: part.buttons.length === 0 ? [] : [buttonRow(part.buttons)], characters: 0 }
        : { block: besideButtons(cut(part.beside, budget), part.buttons), characters: lengthOf(part.beside) };
  }
}

/** A line with its button in one row; of several buttons only a row of their own has room. */
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

/** As many entries as there is room for; the rest is counted aloud, never dropped in silence. */
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

/** Lines in fixed width, the last ones if there is no room for all: they say how it ended. */
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

/** Between two columns, in characters: of a table that Slack draws it is padding and a rule. */
const padding = 5;
/** Characters of a cell from which on its column wraps: any, and in a table that is wider than a phone. */
const longCell = { anywhere: 40, inWide: 22 };

function tableBlock(columns: readonly string[], rows: readonly (readonly Text[])[]): TableBlock {
  const most = isWide(columns, rows, padding) ? longCell.inWide : longCell.anywhere;
  const isLong = (column: number): boolean => rows.some((row) => lengthOf(row[column] ?? []) > most);
  return {
    type: 'table',
    // A sentence in a cell would push the rest out of a phone's sight.
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
  // An empty cell is not valid; plain ones stay raw text, which Slack sorts and copies best.
  if (text.every((span) => typeof span === 'string')) {
    return { type: 'raw_text', text: clean(text.join('')) || '–' };
  }
  return { type: 'rich_text', elements: [section(text)] };
}

/** In fixed width Slack takes nothing but letters: people, groups and channels would stand there as IDs. */
const mentions = (text: Text): boolean =>
  text.some((span) => typeof span !== 'string' && ['person', 'group', 'channel'].includes(span.kind));

/** A row each, with what its columns are called where there are more than two. */
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

/** Slack refuses an element without text, and with it the whole message. */
function section(text: Text) {
  const said = joined(text).filter((span) => plainSpan(span) !== '');
  const spans = said.length === 0 ? ['–'] : said;
  return { type: 'rich_text_section' as const, elements: spans.flatMap(marked) };
}

/** A mark becomes its emoji. */
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
