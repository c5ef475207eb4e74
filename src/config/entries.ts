export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The entries of an object, or of the object under one of its keys; none for other values. */
export function entriesOf(value: unknown, key?: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  if (key === undefined) return { ...value };
  return entriesOf(entriesOf(value)[key]);
}
