import { describe, expect, test } from 'vitest';
import { readExposition, seriesOf } from '../../../test/telemetry/exposition.ts';
import { createMetrics } from './metric-registry.ts';

describe('the text of the metrics', () => {
  test('describes each before its samples, and has a count without labels from the start', async () => {
    const metrics = createMetrics();
    metrics.counter({ name: 'lines_total', help: 'Lines that were read' });
    expect(await metrics.text()).toBe(
      [
        '# HELP lines_total Lines that were read',
        '# TYPE lines_total counter',
        'lines_total 0',
        '# HELP appliance_bot_metrics_failed Metrics that cannot be read now, such as those of the journal while it cannot be used',
        '# TYPE appliance_bot_metrics_failed gauge',
        'appliance_bot_metrics_failed 0',
        '',
      ].join('\n'),
    );
  });

  test('keeps a label of any characters as one label on one line', async () => {
    const metrics = createMetrics();
    const hostile = 'a"} 1\nother{x="\\';
    const lines = metrics.counter({ name: 'lines_total', help: 'Lines', labels: ['of'] });
    lines.add({ of: hostile });
    lines.add({ of: hostile }, 2);
    lines.add({ of: 'b' });
    const read = readExposition(await metrics.text());
    expect(read.get('lines_total')?.samples).toEqual([
      { name: 'lines_total', labels: { of: hostile }, value: 3 },
      { name: 'lines_total', labels: { of: 'b' }, value: 1 },
    ]);
  });

  test('has cumulative buckets of a histogram, including values beyond the last edge', async () => {
    const metrics = createMetrics();
    const times = metrics.histogram({
      name: 'wait_seconds',
      help: 'Waits',
      labels: ['of'],
      buckets: [0.5, 1],
    });
    for (const seconds of [0.1, 0.5, 0.7, 7]) times.observe(seconds, { of: 'a' });
    const read = readExposition(await metrics.text());
    const below = (le: string) => seriesOf(read, 'wait_seconds_bucket', { of: 'a', le });
    expect(['0.5', '1', '+Inf'].map(below)).toEqual([2, 3, 4]);
    expect(seriesOf(read, 'wait_seconds_count', { of: 'a' })).toBe(4);
    expect(seriesOf(read, 'wait_seconds_sum', { of: 'a' })).toBeCloseTo(8.3);
  });

  test('leaves out an unreadable value, and counts those', async () => {
    const metrics = createMetrics();
    metrics.gauge({ name: 'rows', help: 'Rows' }, async () => {
      throw new Error('the journal is away');
    });
    metrics.gauge({ name: 'other', help: 'Other' }, () => [{ value: 3 }]);
    const read = readExposition(await metrics.text());
    expect([...read.keys()]).toEqual(['other', 'appliance_bot_metrics_failed']);
    expect(seriesOf(read, 'appliance_bot_metrics_failed')).toBe(1);
  });
});

describe('the reader of these tests finds what is against the format', () => {
  const head = '# HELP a_total A\n# TYPE a_total counter\n';
  test.each([
    ['an end without a line break', `${head}a_total 1`],
    ['a sample of no type', 'a_total 1\n'],
    ['the same series twice', `${head}a_total{x="1",y="2"} 1\na_total{y="2",x="1"} 1\n`],
    ['a metric in two places', `${head}a_total 1\n# HELP b B\n# TYPE b gauge\nb 1\na_total{x="1"} 1\n`],
    ['a type after the samples', '# HELP a A\na 1\n# TYPE a gauge\n'],
    ['a counter without _total', '# HELP a A\n# TYPE a counter\na 1\n'],
    ['a gauge with _total', '# HELP a_total A\n# TYPE a_total gauge\na_total 1\n'],
    ['a quote in a label', `${head}a_total{x="a"b"} 1\n`],
    ['a label that is none', `${head}a_total{x-y="a"} 1\n`],
    ['a value that is none', `${head}a_total undefined\n`],
    ['an escape that is none', `${head}a_total{x="\\t"} 1\n`],
    [
      'counts of buckets that fall',
      '# HELP h_seconds H\n# TYPE h_seconds histogram\nh_seconds_bucket{le="1"} 2\nh_seconds_bucket{le="+Inf"} 1\nh_seconds_sum 1\nh_seconds_count 1\n',
    ],
    [
      'a histogram without +Inf',
      '# HELP h_seconds H\n# TYPE h_seconds histogram\nh_seconds_bucket{le="1"} 1\nh_seconds_sum 1\nh_seconds_count 1\n',
    ],
  ])('%s', (_, text) => {
    expect(() => readExposition(text)).toThrow();
  });
});
