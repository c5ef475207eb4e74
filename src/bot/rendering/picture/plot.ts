import type { Chart } from '../../../handlers/reply.ts';
import { number } from '../../../handlers/wording/quantities.ts';
import { clean, shortened } from '../text.ts';
import { Canvas, type Colour } from './canvas.ts';
import { letter } from './font.ts';

/** Twice as many pixels as are shown, so that it is sharp on every screen. */
const size = { width: 1600, height: 800 };
const margin = 40;
const title = 4;
const label = 3;
/** Pixels between two labels. */
const gap = 24;
/** Of the title, a label and the name of a series. */
const longest = { title: 60, label: 16, name: 24 };

const ground: Colour = [255, 255, 255];
const ink: Colour = [29, 28, 29];
const quiet: Colour = [97, 96, 97];
const grid: Colour = [221, 221, 221];
/** Told apart in grey as well; every second series is striped besides. */
const colours: readonly Colour[] = [
  ...([
    [29, 92, 143],
    [200, 69, 29],
    [47, 111, 106],
    [138, 79, 29],
    [107, 63, 160],
    [97, 96, 97],
  ] as const),
];

/** Draws a chart as PNG, in colours that are read on a light and on a dark ground. */
export const drawChart = (chart: Chart): Uint8Array => plot(chart).png();

export function plot({ style, title: name, unit, labels, series }: Chart): Canvas {
  const canvas = new Canvas(size.width, size.height, ground);
  canvas.text(shortened(clean(`${name} (${unit})`), longest.title), margin, margin, title, ink);
  const all = series.flatMap(({ values }) => values.filter(Number.isFinite));
  const ticks = ticksFor(Math.min(0, ...all), Math.max(0, ...all));
  const texts = ticks.map((tick) => number(tick));
  const left = margin + Math.max(...texts.map((text) => Canvas.widthOf(text, label))) + gap;
  const top = margin + letter.height * (title + label) + 2 * gap;
  const bottom = size.height - margin - letter.height * label - gap;
  const right = size.width - margin;
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const y = (value: number): number => Math.round(bottom - ((value - low) / (high - low)) * (bottom - top));
  for (const [at, tick] of ticks.entries()) {
    const text = texts[at] ?? '';
    canvas.fill(left, y(tick), right - left, 2, tick === 0 ? quiet : grid);
    const x = left - gap - Canvas.widthOf(text, label);
    canvas.text(text, x, y(tick) - Math.round((letter.height * label) / 2), label, quiet);
  }
  const step = (right - left) / Math.max(1, labels.length);
  drawLabels(canvas, labels, { left, step, y: bottom + gap });
  if (series.length > 1)
    drawLegend(
      canvas,
      series.map((one) => one.name),
      margin + letter.height * title + gap,
    );
  for (const [at, { values }] of series.entries()) {
    const points = labels.flatMap((_, index) => {
      const value = values[index];
      return value !== undefined && Number.isFinite(value) ? [{ index, value }] : [];
    });
    if (style === 'bar') drawBars(canvas, points, { at, of: series.length, left, step, y });
    else drawLine(canvas, points, { at, left, step, y });
  }
  return canvas;
}

type Points = readonly { readonly index: number; readonly value: number }[];
interface Place {
  readonly at: number;
  readonly left: number;
  readonly step: number;
  readonly y: (value: number) => number;
}

function drawBars(canvas: Canvas, points: Points, place: Place & { readonly of: number }): void {
  const { at, of, left, step, y } = place;
  const width = Math.max(1, Math.floor((step * 0.8) / of));
  const stripes = at % 2 === 1 ? (x: number, row: number) => (x + row) % 8 < 5 : undefined;
  for (const { index, value } of points) {
    const x = Math.round(left + step * index + step * 0.1 + width * at);
    const [from, to] = [Math.min(y(value), y(0)), Math.max(y(value), y(0))];
    // What is little is seen all the same.
    const height = value === 0 ? 0 : Math.max(3, to - from);
    canvas.fill(x, value < 0 ? from : to - height, width, height, colourOf(at), stripes);
  }
}

function drawLine(canvas: Canvas, points: Points, { at, left, step, y }: Place): void {
  const placed = points.map(
    ({ index, value }) => [Math.round(left + step * (index + 0.5)), y(value)] as const,
  );
  const [first] = placed;
  if (first !== undefined && placed.length === 1)
    canvas.fill(first[0] - 6, first[1] - 6, 12, 12, colourOf(at));
  for (const [index, to] of placed.entries()) {
    const from = placed[index - 1];
    if (from !== undefined) canvas.line(from, to, at % 2 === 0 ? 5 : 9, colourOf(at));
  }
}

/** As many as have room, from the first on at even distances. */
function drawLabels(
  canvas: Canvas,
  labels: readonly string[],
  { left, step, y }: { readonly left: number; readonly step: number; readonly y: number },
): void {
  const texts = labels.map((text) => shortened(clean(text), longest.label));
  const widest = Math.max(0, ...texts.map((text) => Canvas.widthOf(text, label))) + gap;
  const every = Math.max(1, Math.ceil(widest / step));
  for (const [index, text] of texts.entries()) {
    if (index % every !== 0) continue;
    const x = Math.round(left + step * (index + 0.5) - Canvas.widthOf(text, label) / 2);
    canvas.text(text, Math.min(x, size.width - Canvas.widthOf(text, label)), y, label, quiet);
  }
}

function drawLegend(canvas: Canvas, names: readonly string[], y: number): void {
  let x = margin;
  for (const [at, name] of names.entries()) {
    const text = shortened(clean(name), longest.name);
    const side = letter.height * label;
    const stripes = at % 2 === 1 ? (column: number, row: number) => (column + row) % 8 < 5 : undefined;
    canvas.fill(x, y, side, side, colourOf(at), stripes);
    canvas.text(text, x + side + gap / 2, y, label, ink);
    x += side + gap / 2 + Canvas.widthOf(text, label) + 2 * gap;
  }
}

const colourOf = (at: number): Colour => colours[at % colours.length] ?? ink;

/** Round numbers from below the least to above the most, some five of them. */
function ticksFor(least: number, most: number): readonly number[] {
  const span = most - least || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((one) => one * power >= rough) ?? 10) * power;
  const [from, to] = [Math.floor(least / step), Math.ceil((least + span) / step)];
  return Array.from({ length: to - from + 1 }, (_, at) => (from + at) * step);
}
