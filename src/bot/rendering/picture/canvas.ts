import { crc32, deflateSync } from 'node:zlib';
import { dotsOf, letter } from './font.ts';

/** A colour, as red, green and blue. */
export type Colour = readonly [number, number, number];

/** Pixels of a few colours, drawn on and written as PNG. Whatever lies outside is not drawn. */
export class Canvas {
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

  /** A line so many pixels thick. */
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

  /** Pixels that a text takes in its width. */
  static widthOf(text: string, size: number): number {
    return Math.max(0, Array.from(text).length * letter.step - 1) * size;
  }

  /** The colour that a pixel has. */
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
