/** Cuts text between visible letters, and never inside an emoji, a flag or an accented letter. */

/** Created on demand: few texts are cut, and most of those at a plain letter. */
let segmenter: Intl.Segmenter | undefined;
const segmentsOf = (text: string): Intl.Segments => {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return segmenter.segment(text);
};

/** No character below joins its neighbours, except CR and LF. */
const plainBelow = 0x300;

/** Whether a cut here is certainly safe, without looking at the surroundings. */
function isPlainCut(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before < plainBelow && after < plainBelow && !(before === 0x0d && after === 0x0a);
}

/** The position itself, or the bounds of the letter across it. */
function around(text: string, at: number): { readonly begin: number; readonly end: number } {
  if (at <= 0 || at >= text.length || isPlainCut(text, at)) return { begin: at, end: at };
  const across = segmentsOf(text).containing(at);
  if (across === undefined || across.index === at) return { begin: at, end: at };
  return { begin: across.index, end: across.index + across.segment.length };
}

/** Half of a surrogate pair is no character. */
const isBetweenHalves = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

/**
 * The beginning of a text, of at most `most` UTF-16 units. A letter longer than that is cut between its
 * characters.
 */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Text beyond the next character does not matter.
  const { begin } = around(text.slice(0, most + 2), most);
  return text.slice(0, begin > 0 || most <= 0 ? begin : isBetweenHalves(text, most) ? most - 1 : most);
}

export function ending(text: string, most: number): string {
  const at = text.length - most;
  if (at <= 0) return text;
  const { end } = around(text, at);
  return text.slice(end < text.length || most <= 0 ? end : isBetweenHalves(text, at) ? at + 1 : at);
}

/** The text if it fits, otherwise its beginning and an ellipsis. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${cut(text, most - 1)}…`;

/** At most this much of the text, with its full length. */
export const abridged = (text: string, most: number): string =>
  text.length <= most ? text : `${cut(text, most)}… (${text.length} characters)`;

/** The visible letters of a text, one by one, so that a caller reads only as many as it needs. */
export function* lettersOf(text: string): Generator<string, void> {
  for (const { segment } of segmentsOf(text)) yield segment;
}
