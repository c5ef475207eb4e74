/** Every prepared statement is kept, so those about a list come in a few sizes only. */
const sizes = [512, 128, 64, 32, 16, 8, 4, 2, 1] as const;

/** Cuts a list into pieces of a few sizes. */
export function* inPieces<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  let from = 0;
  for (const size of sizes) {
    for (; items.length - from >= size; from += size) yield items.slice(from, from + size);
  }
}

/** A list of one of a few sizes, to look for what is in it: its last one stands there several times. */
export function padded<Item>(items: readonly Item[]): readonly Item[] {
  const [last] = items.slice(-1);
  if (last === undefined) return items;
  let size = 1;
  while (size < items.length) size *= 4;
  return [...items, ...Array.from({ length: size - items.length }, () => last)];
}
