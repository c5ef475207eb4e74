import type { Edit } from './breakage.ts';

/** @throws Error if the edit does not fit exactly once */
export function broken(text: string, { file, find, put }: Edit): string {
  const times = text.split(find).length - 1;
  if (times !== 1) throw new Error(`${file} has this text ${times} times instead of once: ${find}`);
  return text.replace(find, () => put);
}
