import { expect, test } from 'vitest';
import { checkBlocks } from '../blocks.ts';
import { newContent } from '../content.ts';

const problems = (...blocks: unknown[]) => checkBlocks(blocks, 'message').problems;
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const cell = (characters = 1) => ({ type: 'raw_text', text: 'x'.repeat(characters) });
const table = (rows: number, columns: number, more: Record<string, unknown> = {}) => ({
  type: 'data_table',
  caption: 'Sessions',
  rows: Array.from({ length: rows }, () => Array.from({ length: columns }, () => cell())),
  ...more,
});
const pie = (segments: unknown[]) => ({
  type: 'data_visualization',
  title: 'Share',
  chart: { type: 'pie', segments },
});
const slices = (count: number) => names(count).map((label) => ({ label, value: 1 }));
const xy = (type: string, series = 1, points = 3, more: Record<string, unknown> = {}) => ({
  type: 'data_visualization',
  title: 'Load',
  chart: {
    type,
    series: names(series).map((name) => ({
      name,
      data: names(points).map((label) => ({ label, value: -0.5 })),
    })),
    axis_config: { categories: names(points), ...more },
  },
});

test.each(['bar', 'line', 'area'])('a %s chart has up to 12 series of 20 named points', (type) => {
  expect(problems(xy(type, 12, 20, { x_label: 'x'.repeat(50) }))).toEqual([]);
  expect(problems(xy(type, 13))).toHaveLength(1);
  expect(problems(xy(type, 1, 21))).toHaveLength(1);
  expect(problems(xy(type, 1, 3, { x_label: 'x'.repeat(51) }))).toHaveLength(1);
  expect(problems(xy(type, 1, 2, { categories: ['n0', 'n0'] }))).toHaveLength(1);
  expect(problems(xy(type, 1, 2, { categories: ['n0', 'n2'] }))).toHaveLength(1);
  expect(problems({ ...xy(type), title: 'x'.repeat(51) })).toHaveLength(1);
  expect(problems({ ...xy(type), title: { type: 'plain_text', text: 'Load' } })).toHaveLength(1);
});

test('two series do not share a name', () => {
  const chart = xy('line', 2);
  const [one, other] = chart.chart.series;
  const series = [one, { ...other, name: one?.name }];
  expect(problems({ ...chart, chart: { ...chart.chart, series } })).toEqual([
    'series name already exists: n0 [json-pointer:/blocks/0/chart/series/1]',
  ]);
});

test('a pie has up to 12 slices, each more than nothing', () => {
  expect(problems(pie(slices(12)))).toEqual([]);
  expect(problems(pie(slices(13)))).toHaveLength(1);
  expect(problems(pie([{ label: 'a', value: 0 }]))).toHaveLength(1);
  expect(problems(pie([{ label: 'x'.repeat(21), value: 1 }]))).toHaveLength(1);
});

test('a data table has up to 201 rows of 20 cells, a caption, and 20,000 characters with all others of its message', () => {
  expect(problems(table(201, 20, { page_size: 100 }))).toEqual([]);
  expect(problems(table(202, 1))).toHaveLength(1);
  expect(problems(table(1, 1))).toHaveLength(1);
  expect(problems(table(2, 21))).toHaveLength(1);
  expect(problems(table(2, 1, { page_size: 101 }))).toHaveLength(1);
  expect(problems(table(2, 1, { caption: undefined }))).toHaveLength(1);
  const long = (characters: number) => ({ ...table(2, 1), rows: [[cell()], [cell(characters - 1)]] });
  expect(problems(long(19_998), table(2, 1))).toEqual([]);
  expect(problems(long(19_999), table(2, 1))).toHaveLength(1);
});

test('a data table as large as Slack allows fits into a message', () => {
  expect(newContent({ text: 'x', blocks: [table(201, 20)] }).blocks).toHaveLength(1);
});
