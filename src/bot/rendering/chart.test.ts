import { describe, expect, test } from 'vitest';
import { checkBlocks } from '../../../sandbox/workspace/blocks.ts';
import type { Chart } from '../../handlers/reply.ts';
import { chartBlock, chartLines, chartTable, isDrawable } from './chart.ts';

const chart = (given: Partial<Chart> = {}): Chart => ({
  kind: 'chart',
  style: 'line',
  title: 'Files per day',
  unit: 'files',
  labels: ['1 Nov', '2 Nov', '3 Nov'],
  series: [{ name: 'Mirror', values: [10, 1_200, 40.125] }],
  ...given,
});
const several = <Thing>(count: number, make: (index: number) => Thing): Thing[] =>
  Array.from({ length: count }, (_, index) => make(index));
const problemsOf = (given: Chart) => checkBlocks([chartBlock(given)], 'message').problems;

describe('as a block', () => {
  test('has Slack’s shape', () => {
    expect(chartBlock(chart())).toEqual({
      type: 'data_visualization',
      title: 'Files per day',
      chart: {
        type: 'line',
        series: [
          {
            name: 'Mirror',
            data: [
              { label: '1 Nov', value: 10 },
              { label: '2 Nov', value: 1_200 },
              { label: '3 Nov', value: 40.125 },
            ],
          },
        ],
        axis_config: { categories: ['1 Nov', '2 Nov', '3 Nov'], y_label: 'files' },
      },
    });
    expect(problemsOf(chart())).toEqual([]);
  });

  test('has up to twenty points and twelve series', () => {
    const most = chart({
      labels: several(20, (index) => `${index}`),
      series: several(12, (index) => ({ name: `${index}`, values: several(20, () => 1) })),
    });
    expect(isDrawable(most)).toBe(true);
    expect(problemsOf(most)).toEqual([]);
  });

  test.each<[string, Partial<Chart>]>([
    ['21 points', { labels: several(21, String), series: [{ name: 'a', values: several(21, () => 1) }] }],
    ['13 series', { series: several(13, (index) => ({ name: `${index}`, values: [1, 2, 3] })) }],
    ['a number that is missing', { series: [{ name: 'a', values: [1, 2] }] }],
    ['a number that is none', { series: [{ name: 'a', values: [1, Number.NaN, 3] }] }],
    ['an endless number', { series: [{ name: 'a', values: [1, Number.POSITIVE_INFINITY, 3] }] }],
    ['nothing', { labels: [], series: [] }],
  ])('%s: not drawn, because it would be wrong or refused', (_, given) => {
    expect(isDrawable(chart(given))).toBe(false);
  });

  test('distinguishes names that are too long or equal', () => {
    const long = 'a label that is too long';
    const given = chart({
      title: 'x'.repeat(80),
      unit: '',
      labels: [long, long, ''],
      series: [
        { name: 'same', values: [1, 2, 3] },
        { name: 'same', values: [1, 2, 3] },
        { name: '\u202e<!channel>', values: [1, 2, 3] },
      ],
    });
    expect(problemsOf(given)).toEqual([]);
    const drawn = JSON.stringify(chartBlock(given));
    expect(drawn).toContain('"a label that is too…"');
    expect(drawn).toContain('"a label that is t… 2"');
    expect(drawn).toContain('"same 2"');
    expect(drawn).not.toContain('\u202e');
  });
});

describe('in fixed width', () => {
  test('has a bar and a number for each point', () => {
    expect(chartLines(chart({ series: [{ name: 'Mirror', values: [0, 1_200, 600] }] }))).toBe(
      `Files per day (files)

1 Nov                            0
2 Nov  ${'█'.repeat(24)}  1,200
3 Nov  ${'█'.repeat(12)}${' '.repeat(12)}  600`,
    );
  });

  test('a small number has a bar, and a negative one its sign', () => {
    const lines = chartLines(chart({ series: [{ name: 'Mirror', values: [1, 10_000, -5_000] }] })).split(
      '\n',
    );
    expect(lines[2]).toMatch(/^1 Nov {2}█ +1$/);
    expect(lines[4]).toMatch(/^3 Nov {2}█{12} +-5,000$/);
  });

  test('has several series below each other, on one scale', () => {
    const lines = chartLines(
      chart({
        series: [
          { name: 'Hits', values: [10, 10, 10] },
          { name: 'Misses', values: [5, 5, 5] },
        ],
      }),
    );
    expect(lines).toContain('\n\nHits\n1 Nov  ████████████████████████  10\n');
    expect(lines).toContain('\n\nMisses\n1 Nov  ████████████              5\n');
  });
});

test('a chart as a table has its numbers, and marks missing ones', () => {
  expect(chartTable(chart({ series: [{ name: 'a', values: [1, Number.NaN] }] }))).toEqual({
    kind: 'table',
    columns: ['Files per day', 'files'],
    rows: [
      [['1 Nov'], ['1']],
      [['2 Nov'], ['not reported']],
      [['3 Nov'], ['not reported']],
    ],
  });
});
