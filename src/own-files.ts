import { readFileSync } from 'node:fs';

/** The used parts of a source map (https://tc39.es/ecma426). */
interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** The URL of the bundle that contains this code. */
const here = import.meta.url;
const known = new Map<string, string>();
let isThere = here.endsWith('.js');

/**
 * Replaces positions in the bundle by those in the source files, in the stack of an error or any text with it.
 * The map is read on demand and not kept, because it is large and errors are rare.
 */
export function inOwnFiles(text: string): string {
  const [before = '', ...rest] = text.split(`${here}:`);
  if (rest.length === 0 || !isThere) return text;
  const places = rest.map((one) => /^\d+:\d+/.exec(one)?.[0]);
  const unknown = places.filter((place) => place !== undefined && !known.has(place));
  if (unknown.length > 0) learn(unknown as readonly string[]);
  return rest.reduce((all, one, index) => {
    const place = places[index];
    const own = place === undefined ? undefined : known.get(place);
    return `${all}${own === undefined ? `${here}:${one}` : `${own}${one.slice(place?.length)}`}`;
  }, before);
}

function learn(places: readonly string[]): void {
  let map: SourceMap;
  try {
    map = JSON.parse(readFileSync(new URL(`${here}.map`), 'utf8'));
  } catch {
    // An installation of the bundle alone shows its lines.
    isThere = false;
    return;
  }
  for (const [place, own] of placesIn(map, places)) known.set(place, own);
}

/** Maps positions in the bundle (`LINE:COLUMN`) to the sources. */
export function placesIn(
  { sources, mappings }: SourceMap,
  places: readonly string[],
): ReadonlyMap<string, string> {
  const wanted = Map.groupBy(
    places.map((place) => {
      const [line = 0, column = 0] = place.split(':').map(Number);
      return { place, line, column: column - 1 };
    }),
    ({ line }) => line,
  );
  const found = new Map<string, string>();
  // All numbers of a segment except the first are relative to the previous segment, across lines too.
  let [source, line, column] = [0, 0, 0];
  for (const [index, segments] of mappings.split(';').entries()) {
    const inLine = wanted.get(index + 1) ?? [];
    let at = 0;
    for (const segment of segments === '' ? [] : segments.split(',')) {
      const [inBundle = 0, ofSource = 0, ofLine = 0, ofColumn = 0] = numbersIn(segment);
      at += inBundle;
      source += ofSource;
      line += ofLine;
      column += ofColumn;
      for (const one of inLine) {
        const name = sources[source]?.replace(/^(?:\.\.\/)+/, '');
        if (at <= one.column) found.set(one.place, `${name}:${line + 1}:${column + 1}`);
      }
    }
  }
  return found;
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const values = new Map([...digits].map((digit, value) => [digit, value]));

/**
 * Five bits a digit, the lowest first. The sixth bit announces more digits, and the lowest bit of all is the
 * sign.
 */
function numbersIn(segment: string): readonly number[] {
  const all: number[] = [];
  let [number, shift] = [0, 0];
  for (const digit of segment) {
    const value = values.get(digit) ?? 0;
    number |= (value & 31) << shift;
    shift += 5;
    if (value & 32) continue;
    all.push(number & 1 ? -(number >>> 1) : number >>> 1);
    [number, shift] = [0, 0];
  }
  return all;
}
