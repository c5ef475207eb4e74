import { expect, test } from 'vitest';
import { type Chart, chartSummary, linesOf, type Part, partKinds } from './part.ts';
import { strong } from './text.ts';

const chart = (series: Chart['series']): Chart => ({
  kind: 'chart',
  style: 'line',
  title: 'Files per day',
  unit: 'files',
  labels: ['1 Nov', '2 Nov', '3 Nov'],
  series,
});

test('a chart in words gives its first and last, its lowest and highest value', () => {
  expect(chartSummary(chart([{ name: 'Mirror', values: [10, 1_200, 40.125] }]))).toBe(
    'Files per day in files. Mirror: from 10 (1 Nov) to 40.13 (3 Nov), lowest 10 (1 Nov), highest 1,200 (2 Nov).',
  );
  expect(chartSummary(chart([{ name: 'a', values: [] }]))).toBe(
    'Files per day in files. a: nothing reported.',
  );
});

test('a table is read as it was stored, without copying its rows, up to the last cell', () => {
  const { shape } = partKinds.table;
  const rows = [[['1'], [strong('up')]], [['2']]];
  const stored = { kind: 'table', columns: ['ID'], rows };
  expect(shape.parse(stored).rows).toBe(rows);
  expect(shape.safeParse({ ...stored, rows: [...rows, [['3'], [4]]] }).success).toBe(false);
  expect(shape.safeParse({ ...stored, behind: { keys: ['a'], count: 1 } }).success).toBe(false);
});

test('a line of a table or a field never breaks in the middle', () => {
  const parts = [
    { kind: 'table', columns: ['ID', 'Name'], rows: [[['12'], ['a\nb']]] },
    { kind: 'fields', fields: [{ name: 'Name', value: ['a\nb'] }] },
  ] as const satisfies readonly Part[];
  expect(parts.map(linesOf)).toEqual([['ID  Name', '12  a b'], ['Name  a b']]);
});
