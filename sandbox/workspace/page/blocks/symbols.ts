/**
 * Symbols that stand in a text as such, and not as `:name:`. The text is split at those that we draw (Emoji.tsx), so that
 * readers without a font of emoji see no empty boxes.
 */
const names: Readonly<Record<string, string>> = {
  '⚠': 'warning',
  '✅': 'white_check_mark',
  '✔': 'heavy_check_mark',
  '❌': 'x',
  '✖': 'heavy_multiplication_x',
  '🚨': 'rotating_light',
  '🚫': 'no_entry_sign',
  '⛔': 'no_entry',
  '❓': 'question',
  '✋': 'hand',
  '⏳': 'hourglass_flowing_sand',
  '⌛': 'hourglass',
  '🔒': 'lock',
  '🔓': 'unlock',
  ℹ: 'information_source',
};

const symbol = new RegExp(`(${Object.keys(names).join('|')})\\uFE0F?`, 'u');

export const hasSymbol = (text: string): boolean => symbol.test(text);

interface Part {
  readonly type: string;
  readonly text?: unknown;
  readonly elements?: readonly Part[];
  readonly style?: { readonly code?: boolean };
}

/** Rich text in which each symbol that we draw is an emoji. Code stays as it was written. */
export function withEmoji<T extends Part>(part: T): T {
  const { elements } = part;
  if (!elements || part.type === 'rich_text_preformatted') return part;
  // Only the elements of a section or quote are exchanged, for elements that may stand there as well.
  return { ...part, elements: elements.flatMap((one) => (one.elements ? withEmoji(one) : parted(one))) };
}

function parted(element: Part): readonly Part[] {
  const { type, text, style } = element;
  if (type !== 'text' || typeof text !== 'string' || style?.code || !hasSymbol(text)) return [element];
  return text
    .split(symbol)
    .filter((words) => words !== '')
    .map((words) => {
      const name = names[words];
      return name ? { type: 'emoji', name } : { ...element, text: words };
    });
}
