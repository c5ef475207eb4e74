/** The middle value. @throws RangeError when there is none */
export const median = (values: readonly number[]): number => percentile(values, 50);

/** The smallest value that `share` percent of the values do not exceed (nearest rank). @throws RangeError when there is none */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const found = sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)];
  if (found === undefined) throw new RangeError('There are no values.');
  return found;
}
