import type { Operation } from '../../../appliance/protocol.ts';

/**
 * The operations whose name or heading has every typed word, in their own order. Those whose name alone has them come
 * first, for a heading stands over many.
 */
export function findOperations(operations: readonly Operation[], typed: string): readonly Operation[] {
  const words = typed.toLowerCase().split(/\s+/);
  const occurIn = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = operations.filter(({ name, area }) => occurIn(`${name} ${area}`));
  const byName = found.filter(({ name }) => occurIn(name));
  return [...byName, ...found.filter((one) => !byName.includes(one))];
}
