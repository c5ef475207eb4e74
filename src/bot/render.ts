import type {
  KnownBlock,
  RichTextBlock,
  RichTextBlockElement,
  RichTextElement,
  TableBlock,
} from '@slack/types';
import type { Field, Part, Reply, Text } from '../handlers/reply.ts';
import { limits } from './limits.ts';
import { clean, cut, element, lengthOf, plainSpan, summary } from './text.ts';

/** A message as Slack takes it: blocks for the eye, `text` for notifications and for whoever hears the screen read. */
export interface Rendered {
  readonly text: string;
  readonly blocks: KnownBlock[];
}

/** Not every workspace draws every block yet (slack-facts.md §3), so a table can also be set in a fixed-width font. */
export type TableStyle = 'block' | 'fixed_width';

/** What comes from an appliance or a person only ever becomes `text` elements: raw to Slack, whatever they contain. */
export function render(reply: Reply, tables: TableStyle = 'block'): Rendered {
  const blocks = [
    ...(reply.headline.length === 0 ? [] : [heading(reply.headline)]),
    ...renderParts(reply.details ?? [], tables),
  ];
  return { text: fallback(reply), blocks: atMost(limits.blocks, blocks) };
}

export function renderParts(parts: readonly Part[], tables: TableStyle = 'block'): KnownBlock[] {
  let budget: number = limits.message;
  // Slack takes one table a message (slack-facts.md §3).
  const first = parts.findIndex(({ kind }) => kind === 'table');
  return parts.flatMap((part, index) => {
    const { block, characters } = renderPart(part, index === first ? tables : 'fixed_width', budget);
    budget = Math.max(0, budget - characters);
    return block;
  });
}

function atMost(count: number, blocks: KnownBlock[]): KnownBlock[] {
  if (blocks.length <= count) return blocks;
  const missing = blocks.length - count + 1;
  return [...blocks.slice(0, count - 1), paragraph([`… and ${missing} more parts that did not fit here`])];
}

/** The first line of a message, within its limit. */
export function heading(text: Text, emoji?: string): RichTextBlock {
  return paragraph(cut(text, limits.headline), emoji);
}

/** One line of text as a block, with the emoji of this short name before it. */
export function paragraph(text: Text, emoji?: string): RichTextBlock {
  const { type, elements } = section(text);
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
  part: Part,
  tables: TableStyle,
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
        (fields) => fields.map(fieldLine),
      );
    case 'list':
      return fitting(part.items, budget, lengthOf, (items) => [
        { type: 'rich_text_list', style: 'bullet', elements: items.map(section) },
      ]);
    case 'table':
      return renderTable(part, tables, budget);
  }
}

/** As many entries as there is room for; the rest is counted aloud, never dropped in silence. */
function fitting<Entry>(
  entries: readonly Entry[],
  budget: number,
  measure: (entry: Entry) => number,
  draw: (entries: readonly Entry[]) => RichTextBlockElement[],
): { readonly block: KnownBlock[]; readonly characters: number } {
  const { kept, characters } = takeWithin(entries, budget, measure);
  const missing = entries.length - kept.length;
  const note = missing === 0 ? [] : [section([`… and ${missing} more that did not fit here`])];
  const elements = [...(kept.length === 0 ? [] : draw(kept)), ...note];
  return { block: elements.length === 0 ? [] : [richText(elements)], characters };
}

function renderTable(
  { columns, rows }: Extract<Part, { kind: 'table' }>,
  style: TableStyle,
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
      : [paragraph([`${kept.length} of ${rows.length} rows are shown; ${missing} more did not fit here.`])];
  const table = style === 'block' ? tableBlock(columns, kept) : fixedWidthTable(columns, kept);
  return { block: [table, ...note], characters: characters + titles };
}

function tableBlock(columns: readonly string[], rows: readonly (readonly Text[])[]): TableBlock {
  return {
    type: 'table',
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

function fixedWidthTable(columns: readonly string[], rows: readonly (readonly Text[])[]): RichTextBlock {
  const lines = [columns.map(clean), ...rows.map((row) => row.map((text) => text.map(plainSpan).join('')))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const text = lines
    .map((line) =>
      line
        .map((value, index) => value.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
  return richText([{ type: 'rich_text_preformatted', elements: [{ type: 'text', text }] }]);
}

const richText = (elements: RichTextBlockElement[]): RichTextBlock => ({ type: 'rich_text', elements });

/** Slack refuses an element without text, and with it the whole message. */
function section(text: Text) {
  const said = text.filter((span) => plainSpan(span) !== '');
  return { type: 'rich_text_section' as const, elements: (said.length === 0 ? ['–'] : said).map(element) };
}

const fieldLine = ({ name, value }: Field) => section([{ kind: 'strong', text: name }, '  ', ...value]);

/** `text` says the headline, or where there is none the first thing below it. */
function fallback({ headline, details = [] }: Reply): string {
  const [first] = details;
  const text = headline.length > 0 ? headline : first?.kind === 'text' ? first.text : ['Details'];
  return summary(text);
}

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
