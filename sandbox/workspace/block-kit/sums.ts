import { isDeepStrictEqual } from 'node:util';
import { actionables } from '../actionables.ts';
import type { Block } from '../protocol.ts';

/** Limits over a whole message or view that no schema can say (slack-facts.md §3). */
const sums = {
  tableCharacters: 10_000,
  dataTableCharacters: 20_000,
  markdownCharacters: 12_000,
  charts: 2,
  tables: 1,
} as const;

/** Problems between fields: sums of characters, counts over the message, tables and charts that do not fit together. */
export function crossFieldProblems(blocks: readonly Block[], at: string): string[] {
  const placed = flatten(blocks, at);
  const of = (type: string) => placed.filter(({ block }) => block.type === type);
  return [
    ...over(of('table'), sums.tables, 'only_one_table_allowed'),
    ...over(
      of('data_visualization'),
      sums.charts,
      `no more than ${sums.charts} data_visualization blocks allowed`,
    ),
    ...tooMany(of('table'), sums.tableCharacters, tableCharacters),
    ...tooMany(of('data_table'), sums.dataTableCharacters, tableCharacters),
    ...tooMany(of('markdown'), sums.markdownCharacters, ({ text }) => String(text).length),
    ...of('data_table').flatMap(({ block, at: here }) => unevenRows(block, here)),
    ...of('data_visualization').flatMap(({ block, at: here }) => chartProblems(block, here)),
    ...placed.flatMap(({ block, at: here }) => lengthOrder(block, here)),
    ...[...actionables(blocks, at)].flatMap(({ element, at: here }) => initialProblems(element, here)),
    ...focusProblems([...actionables(blocks, at)]),
  ];
}

interface Placed {
  readonly block: Block;
  readonly at: string;
}

function flatten(blocks: readonly Block[], at: string): Placed[] {
  return blocks.flatMap((block, index) => {
    const here = { block, at: `${at}/${index}` };
    const children = Array.isArray(block.child_blocks) ? block.child_blocks : [];
    return [here, ...flatten(children, `${here.at}/child_blocks`)];
  });
}

function over(found: readonly Placed[], limit: number, problem: string): string[] {
  return found.slice(limit).map(({ at }) => `${problem} [json-pointer:${at}]`);
}

function tooMany(found: readonly Placed[], limit: number, count: (block: Block) => number): string[] {
  let total = 0;
  for (const { block, at } of found) {
    total += count(block);
    if (total > limit) return [`must be less than ${limit + 1} characters [json-pointer:${at}]`];
  }
  return [];
}

/** The characters of a table's cells, however deep a rich text cell hides them. */
function tableCharacters(block: Block): number {
  return textLength(block.rows);
}

function textLength(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((total: number, item) => total + textLength(item), 0);
  if (typeof value !== 'object' || value === null) return 0;
  const { text, elements } = value as { readonly text?: unknown; readonly elements?: unknown };
  return (typeof text === 'string' ? text.length : 0) + textLength(elements);
}

function unevenRows(block: Block, at: string): string[] {
  const rows = block.rows as readonly (readonly unknown[])[];
  const width = rows[0]?.length;
  const index = rows.findIndex((row) => row.length !== width);
  return index < 0 ? [] : [`all rows must have the same number of cells [json-pointer:${at}/rows/${index}]`];
}

interface Chart {
  readonly series?: readonly {
    readonly name: string;
    readonly data: readonly { readonly label: string }[];
  }[];
  readonly axis_config?: { readonly categories: readonly string[] };
}

/** Each series has exactly one point per category, and a name of its own. */
function chartProblems(block: Block, at: string): string[] {
  const { series = [], axis_config } = block.chart as Chart;
  const names = new Set<string>();
  return series.flatMap(({ name, data }, index) => {
    const here = `[json-pointer:${at}/chart/series/${index}]`;
    const problems = names.has(name) ? [`series name already exists: ${name} ${here}`] : [];
    names.add(name);
    const labels = new Set(data.map(({ label }) => label));
    const categories = axis_config?.categories ?? [];
    const fits = data.length === categories.length && categories.every((category) => labels.has(category));
    return fits ? problems : [...problems, `data must have one point for each category ${here}`];
  });
}

function lengthOrder(block: Block, at: string): string[] {
  const { min_length: min, max_length: max } = (block.element ?? {}) as {
    readonly min_length?: number;
    readonly max_length?: number;
  };
  const wrong = block.type === 'input' && min !== undefined && max !== undefined && min > max;
  return wrong ? [`min_length must not be greater than max_length [json-pointer:${at}/element]`] : [];
}

/** An initial choice must equal one of the options exactly (docs.slack.dev/reference/block-kit/block-elements). */
function initialProblems(element: Block, at: string): string[] {
  const { options, option_groups: groups, initial_option: one, initial_options: many } = element;
  if (!Array.isArray(options) && !Array.isArray(groups)) return [];
  const offered = Array.isArray(options)
    ? options
    : (groups as readonly { readonly options: readonly unknown[] }[]).flatMap((group) => group.options);
  const initial = Array.isArray(many) ? many : one === undefined ? [] : [one];
  const fits = initial.every((option) => offered.some((other) => isDeepStrictEqual(option, other)));
  const field = Array.isArray(many) ? 'initial_options' : 'initial_option';
  return fits ? [] : [`must be one of the options [json-pointer:${at}/${field}]`];
}

/** One element of a view has the cursor (docs.slack.dev/reference/block-kit/block-elements, `focus_on_load`). */
function focusProblems(found: readonly { readonly element: Block; readonly at: string }[]): string[] {
  return found
    .filter(({ element }) => element.focus_on_load === true)
    .slice(1)
    .map(({ at }) => `only one element can have focus_on_load [json-pointer:${at}/focus_on_load]`);
}
