/** `line 3`, `lines 3, 4 and 7`. */
export const linesOf = (numbers: readonly number[]): string =>
  `${numbers.length === 1 ? 'line' : 'lines'} ${numbers.length > 12 ? `${numbers.slice(0, 10).join(', ')} and ${numbers.length - 10} more` : joined(numbers)}`;

const joined = (numbers: readonly number[]): string =>
  numbers.length < 2 ? numbers.join('') : `${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;
