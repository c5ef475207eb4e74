const yes: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 'yes', 'on', 'y']);
const no: ReadonlySet<unknown> = new Set([false, 0, '0', 'false', 'no', 'off', 'n']);

/** True or false in every form that appliances write it, such as `1` or `"True"`; undefined when it is neither. */
export function truthOf(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (yes.has(word)) return true;
  return no.has(word) ? false : undefined;
}
