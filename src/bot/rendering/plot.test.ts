import { inflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Chart } from '../../handlers/reply.ts';
import { drawChart, plot } from './plot.ts';

const chart = (values: readonly number[], more: Partial<Chart> = {}): Chart => ({
  kind: 'chart',
  style: 'bar',
  title: 'Files synced, by day',
  unit: 'files',
  labels: values.map((_, at) => `${at + 1} Nov`),
  series: [{ name: 'Fetched', values }],
  ...more,
});

/** Decodes a PNG as any viewer does, line by line. */
function decode(png: Uint8Array) {
  const bytes = Buffer.from(png);
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const palette = chunks.get('PLTE') ?? Buffer.alloc(0);
  expect([...chunks.keys()]).toEqual(['IHDR', 'PLTE', 'IDAT', 'IEND']);
  expect(lines.length).toBe((width + 1) * height);
  const at = (x: number, y: number) => {
    const index = lines[y * (width + 1) + 1 + x] ?? 0;
    return [...palette.subarray(3 * index, 3 * index + 3)];
  };
  return { width, height, at };
}

const blue = [29, 92, 143];

describe('a chart as a picture', () => {
  test('is a PNG whose bars are as high as their values', () => {
    const values = Array.from({ length: 30 }, (_, at) => (at + 1) * 10);
    const { width, height, at } = decode(drawChart(chart(values)));
    expect([width, height]).toEqual([1600, 800]);
    const heights = new Map<number, number>();
    for (let x = 0; x < width; x += 1) {
      let high = 0;
      for (let y = 0; y < height; y += 1) if (at(x, y).join() === blue.join()) high += 1;
      if (high > 0) heights.set(x, high);
    }
    const bars = [...heights].filter(([x]) => !heights.has(x - 1)).map(([, high]) => high);
    expect(bars).toHaveLength(30);
    // Grid lines lie behind the bars.
    for (const [index, high] of bars.entries()) {
      const expected = ((index + 1) / 30) * (bars.at(-1) ?? 0);
      expect(Math.abs(high - expected)).toBeLessThanOrEqual(2);
    }
  });

  test('has every day of a year', () => {
    const { at, width } = decode(drawChart(chart(Array.from({ length: 366 }, () => 5))));
    let bars = 0;
    for (let x = 1; x < width; x += 1)
      if (at(x, 650).join() === blue.join() && at(x - 1, 650).join() !== blue.join()) bars += 1;
    expect(bars).toBe(366);
  });

  test('shows a second series in stripes, and its name', () => {
    const series = [
      { name: 'Fetched', values: [4, 4] },
      { name: 'Failed', values: [2, 2] },
    ];
    const canvas = plot(chart([4, 4], { series }));
    const seen = new Set<string>();
    for (let x = 0; x < canvas.width; x += 1) seen.add(String(canvas.at(x, 620)));
    expect(seen).toContain(blue.join());
    expect(seen).toContain([200, 69, 29].join());
  });

  test.each<[string, Chart]>([
    ['no points', chart([])],
    ['one point', chart([7])],
    ['one point of a line', chart([7], { style: 'line' })],
    ['only zeros', chart([0, 0, 0])],
    ['equal values', chart([3, 3, 3], { style: 'line' })],
    ['negative values', chart([-5, 5, -10])],
    ['large numbers', chart([1e15, Number.MAX_SAFE_INTEGER])],
    ['small numbers', chart([1e-9, 2e-9])],
    ['what is no number', chart([Number.NaN, 4, Number.POSITIVE_INFINITY])],
    [
      'hostile names',
      chart([1, 2], { title: '<!channel> \u202e\u0000日本'.repeat(50), labels: ['\n', 'x'.repeat(9_999)] }),
    ],
    [
      'many series',
      chart([1], { series: Array.from({ length: 40 }, (_, at) => ({ name: `S${at}`, values: [at] })) }),
    ],
  ])('is drawn of %s', (_, given) => {
    expect(decode(drawChart(given)).width).toBe(1600);
  });
});
