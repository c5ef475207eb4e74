import { distance } from 'fastest-levenshtein';

/** More is another word, and no slip of the fingers. */
const mostSlips = 3;

/** Which of the names were perhaps meant: those that are a few slips of the fingers away, nearest first. */
export function nearest(typed: string, names: readonly string[]): readonly string[] {
  return (
    names
      // Every letter more is a slip at least; so kilobytes of junk are compared with nothing.
      .filter((name) => Math.abs(name.length - typed.length) <= mostSlips)
      .map((name) => ({ name, slips: distance(name, typed) }))
      .filter(({ slips }) => slips <= Math.min(mostSlips, typed.length * 0.7))
      .sort((one, other) => one.slips - other.slips)
      .map(({ name }) => name)
  );
}
