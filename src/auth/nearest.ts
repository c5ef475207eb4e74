import { distance } from 'fastest-levenshtein';

/** More than this is another word, not a typing mistake. */
const mostSlips = 3;

/** The names that were perhaps meant: those within a few typing mistakes, nearest first. */
export function nearest(typed: string, names: readonly string[]): readonly string[] {
  return (
    names
      // The difference in length is a lower bound, so kilobytes of junk are compared with nothing.
      .filter((name) => Math.abs(name.length - typed.length) <= mostSlips)
      .map((name) => ({ name, slips: distance(name, typed) }))
      .filter(({ slips }) => slips <= Math.min(mostSlips, typed.length * 0.7))
      .sort((one, other) => one.slips - other.slips)
      .map(({ name }) => name)
  );
}
