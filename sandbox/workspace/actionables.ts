import type { Block } from './protocol.ts';

/** The interactive parts of blocks with the pointer of each: elements, accessories, inputs, also inside cards and containers. */
export function* actionables(
  blocks: readonly unknown[],
  at: string,
): Generator<{ readonly element: Block; readonly at: string }> {
  for (const [index, block] of blocks.entries()) {
    if (typeof block !== 'object' || block === null) continue;
    const here = `${at}/${index}`;
    const parts = block as Readonly<Record<string, unknown>>;
    for (const key of ['accessory', 'element'] as const) {
      if (isElement(parts[key])) yield { element: parts[key], at: `${here}/${key}` };
    }
    for (const key of ['elements', 'actions', 'child_blocks'] as const) {
      const nested = parts[key];
      if (!Array.isArray(nested) || parts.type === 'rich_text' || parts.type === 'context') continue;
      if (key === 'child_blocks' || parts.type === 'carousel') {
        yield* actionables(nested, `${here}/${key}`);
        continue;
      }
      for (const [place, element] of nested.entries()) {
        if (isElement(element)) yield { element, at: `${here}/${key}/${place}` };
      }
    }
  }
}

/** An interactive element, as opposed to an image. */
export function isElement(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && 'type' in value && value.type !== 'image';
}
