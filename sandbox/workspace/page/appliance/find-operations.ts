import type { Operation } from '../../../appliance/protocol.ts';

/**
 * The operations in whose name or heading every typed word occurs, in their own order: those first whose name alone
 * has them all, for a heading stands over many.
 */
export function findOperations(operations: readonly Operation[], typed: string): readonly Operation[] {
  const words = typed.toLowerCase().split(/\s+/);
  const occurIn = (text: string) => words.every((word) => text.toLowerCase().includes(word));
  const found = operations.filter(({ name, area }) => occurIn(`${name} ${area}`));
  const byName = found.filter(({ name }) => occurIn(name));
  return [...byName, ...found.filter((one) => !byName.includes(one))];
}
