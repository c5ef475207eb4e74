import { anyText, block, bool, byType, list, ref, type Schema, shape, text } from './shapes.ts';

const rawText = shape('raw_text', { text: anyText }, ['text']);
const rawNumber = shape('raw_number', { value: { type: 'number' }, text: anyText }, ['value', 'text']);
const headCell = byType({ raw_text: rawText, raw_number: rawNumber });
const cell = byType({ raw_text: rawText, raw_number: rawNumber, rich_text: ref('rich_text') });
const label20 = text(20);
const points = list(
  {
    type: 'object',
    required: ['label', 'value'],
    additionalProperties: false,
    properties: { label: label20, value: { type: 'number' } },
  },
  20,
);
const xyChart = (type: string): Schema =>
  shape(
    type,
    {
      series: list(
        {
          type: 'object',
          required: ['name', 'data'],
          additionalProperties: false,
          properties: { name: label20, data: points },
        },
        12,
      ),
      axis_config: {
        type: 'object',
        required: ['categories'],
        additionalProperties: false,
        properties: {
          categories: { ...list(label20, 20), uniqueItems: true },
          x_label: text(50, 0),
          y_label: text(50, 0),
        },
      },
    },
    ['series', 'axis_config'],
  );
const slice: Schema = {
  type: 'object',
  required: ['label', 'value'],
  additionalProperties: false,
  properties: { label: label20, value: { type: 'number', exclusiveMinimum: 0 } },
};

/** Tables and charts (slack-facts.md §3). */
export const dataBlocks: Readonly<Record<string, Schema>> = {
  table: block(
    'table',
    {
      rows: list(list(cell, 20), 100),
      column_settings: {
        type: 'array',
        maxItems: 20,
        items: {
          type: ['object', 'null'],
          additionalProperties: false,
          properties: { align: { enum: ['left', 'center', 'right'] }, is_wrapped: bool },
        },
      },
    },
    ['rows'],
  ),
  data_table: block(
    'data_table',
    {
      caption: anyText,
      page_size: { type: 'integer', minimum: 1, maximum: 100 },
      row_header_column_index: { type: 'integer', minimum: 0, maximum: 19 },
      rows: {
        type: 'array',
        minItems: 2,
        maxItems: 201,
        items: [list(headCell, 20)],
        additionalItems: list(cell, 20),
      },
    },
    ['rows', 'caption'],
  ),
  data_visualization: block(
    'data_visualization',
    {
      title: text(50),
      chart: byType({
        pie: shape('pie', { segments: list(slice, 12) }, ['segments']),
        bar: xyChart('bar'),
        line: xyChart('line'),
        area: xyChart('area'),
      }),
    },
    ['title', 'chart'],
  ),
};
