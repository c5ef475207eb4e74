import { crc32, deflateSync } from 'node:zlib';
import { shortened } from '../../graphemes.ts';
import type { Chart } from '../../handlers/reply.ts';
import { number } from '../../handlers/wording/quantities.ts';
import { clean } from './slack-text.ts';

/** Twice the shown size, so that it is sharp on every screen. */
const size = { width: 1600, height: 800 };
const margin = 40;
const title = 4;
const label = 3;
const gap = 24;
/** Characters of the title, a label and a series' name. */
const longest = { title: 60, label: 16, name: 24 };

const ground: Colour = [255, 255, 255];
const ink: Colour = [29, 28, 29];
const quiet: Colour = [97, 96, 97];
const grid: Colour = [221, 221, 221];
/** Distinct in grey too; every second series is also striped. */
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

/** Draws a chart as PNG, readable on a light and a dark background. */
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
    // A small value stays visible.
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

/** As many labels as fit, from the first at equal distances. */
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

/** About five round numbers from below the minimum to above the maximum. */
function ticksFor(least: number, most: number): readonly number[] {
  const span = most - least || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5].find((one) => one * power >= rough) ?? 10) * power;
  const [from, to] = [Math.floor(least / step), Math.ceil((least + span) / step)];
  return Array.from({ length: to - from + 1 }, (_, at) => (from + at) * step);
}

type Colour = readonly [number, number, number];

/** Pixels of a few colours, drawn and written as PNG. Everything outside is clipped. */
class Canvas {
  readonly width: number;
  readonly height: number;
  readonly #colours: Colour[];
  readonly #pixels: Uint8Array;

  constructor(width: number, height: number, ground: Colour) {
    this.width = width;
    this.height = height;
    this.#colours = [ground];
    this.#pixels = new Uint8Array(width * height);
  }

  /** `x` and `y` are the upper left corner. `isDrawn` leaves out pixels, for a pattern. */
  fill(
    x: number,
    y: number,
    width: number,
    height: number,
    colour: Colour,
    isDrawn: (x: number, y: number) => boolean = () => true,
  ): void {
    const index = this.#indexOf(colour);
    const [right, below] = [Math.min(this.width, x + width), Math.min(this.height, y + height)];
    for (let row = Math.max(0, y); row < below; row += 1)
      for (let column = Math.max(0, x); column < right; column += 1)
        if (isDrawn(column, row)) this.#pixels[row * this.width + column] = index;
  }

  line(from: readonly [number, number], to: readonly [number, number], thick: number, colour: Colour): void {
    const [across, down] = [to[0] - from[0], to[1] - from[1]];
    const steps = Math.max(1, Math.abs(across), Math.abs(down));
    const half = Math.floor(thick / 2);
    for (let step = 0; step <= steps; step += 1) {
      const x = Math.round(from[0] + (across * step) / steps);
      const y = Math.round(from[1] + (down * step) / steps);
      this.fill(x - half, y - half, thick, thick, colour);
    }
  }

  /** Each dot of a letter is `size` pixels wide. */
  text(text: string, x: number, y: number, size: number, colour: Colour): void {
    for (const [column, row] of dotsOf(text))
      this.fill(x + column * size, y + row * size, size, size, colour);
  }

  static widthOf(text: string, size: number): number {
    return Math.max(0, Array.from(text).length * letter.step - 1) * size;
  }

  at(x: number, y: number): Colour | undefined {
    return this.#colours[this.#pixels[y * this.width + x] ?? 0];
  }

  /** PNG with a palette: signature, header, colours, pixels, end (www.w3.org/TR/png). */
  png(): Uint8Array {
    const header = Buffer.alloc(13);
    header.writeUInt32BE(this.width, 0);
    header.writeUInt32BE(this.height, 4);
    header.set([8, 3, 0, 0, 0], 8);
    const lines = Buffer.alloc((this.width + 1) * this.height);
    for (let row = 0; row < this.height; row += 1)
      lines.set(this.#pixels.subarray(row * this.width, (row + 1) * this.width), row * (this.width + 1) + 1);
    return Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
      chunk('IHDR', header),
      chunk('PLTE', Buffer.from(this.#colours.flat())),
      chunk('IDAT', deflateSync(lines)),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  }

  #indexOf(colour: Colour): number {
    const known = this.#colours.findIndex((one) => one.join() === colour.join());
    if (known !== -1) return known;
    return this.#colours.push(colour) - 1;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** Letters of five by seven dots for pictures, because a server may have no font. */

/** From the space on, in the order of ASCII; five columns for each letter, the lowest bit at the top. */
const columns = `
0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649562050 0008070300 001c224100 0041221c00
2a1c7f1c2a 08083e0808 0050300000 0808080808 0060600000 2010080402 3e5149453e 00427f4000 4261514946 2141454b31
1814127f10 2745454539 3c4a494930 0171090503 3649494936 064949291e 0036360000 0056360000 0814224100 1414141414
0041221408 0201510906 324979413e 7e1111117e 7f49494936 3e41414122 7f4141221c 7f49494941 7f09090901 3e4149497a
7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f020c027f 7f0408107f 3e4141413e 7f09090906 3e4151215e
7f09192946 4649494931 01017f0101 3f4040403f 1f2040201f 3f4038403f 6314081463 0708700807 6151494543 007f414100
0204081020 0041417f00 0402010204 4040404040 0001020400 2054545478 7f48444438 3844444420 384444487f 3854545418
087e090102 0c5252523e 7f08040478 00447d4000 2040443d00 7f10284400 00417f4000 7c04180478 7c08040478 3844444438
7c14141408 081414187c 7c08040408 4854545420 043f444020 3c4040207c 1c2040201c 3c4030403c 4428102844 0c5050503c
4464544c44 0008364100 00007f0000 0041360800 1008081008`
  .trim()
  .split(/\s+/);

/** Dots of a letter, and with the gap behind it. */
const letter = { width: 5, height: 7, step: 6 } as const;

/** Replaces unknown letters; the table has the numbers. */
const box = '7f4141417f';

/** The dots of a text, each by its position from the left and the top. */
function dotsOf(text: string): readonly (readonly [x: number, y: number])[] {
  return Array.from(text).flatMap((character, at) => {
    const glyph = columns[(character.codePointAt(0) ?? 0) - 32] ?? box;
    return Array.from({ length: letter.width }, (_, column) => {
      const bits = Number.parseInt(glyph.slice(2 * column, 2 * column + 2), 16);
      const rows = Array.from({ length: letter.height }, (__, row) => row).filter((row) => bits & (1 << row));
      return rows.map((row) => [at * letter.step + column, row] as const);
    }).flat();
  });
}
