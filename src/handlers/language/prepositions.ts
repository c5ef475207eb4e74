/** The role of a preposition: where something is now, where it goes, or what it is in. */
type PrepositionRole = 'away' | 'toward' | 'inside';

const directions: ReadonlyMap<string, PrepositionRole> = new Map([
  ...['from', 'off', 'out'].map((word) => [word, 'away'] as const),
  ...['to', 'into', 'onto', 'under', 'as'].map((word) => [word, 'toward'] as const),
  ...['in', 'on', 'inside', 'within'].map((word) => [word, 'inside'] as const),
]);

const others: ReadonlySet<string> = new Set(['of', 'for', 'about', 'with', 'by', 'at']);

export const directionOf = (word: string): PrepositionRole | undefined => directions.get(word.toLowerCase());

export const isPreposition = (word: string): boolean =>
  directions.has(word.toLowerCase()) || others.has(word.toLowerCase());

/** Whether two prepositions mean the same: "into" is "to", "off" is "from". "in" fits both directions. */
export function saysTheSame(one: string, other: string): boolean {
  const [first, second] = [directionOf(one), directionOf(other)];
  if (first === undefined || second === undefined) return one.toLowerCase() === other.toLowerCase();
  return first === second || first === 'inside' || second === 'inside';
}
