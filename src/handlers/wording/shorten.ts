import { abridged } from '../../graphemes.ts';

/** Repeats at most a line of typed text, and marks the cut. */
export const shorten = (typed: string): string => abridged(typed, 60);
