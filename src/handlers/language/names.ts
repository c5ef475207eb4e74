import type { AnyCommand } from '../command.ts';
import { type Pattern, readPattern } from './pattern.ts';
import { ordersOf } from './variants.ts';

/** One of the ways in which a command can be called. */
export interface CommandName {
  readonly command: AnyCommand;
  readonly words: readonly string[];
  /** The same in the form in which words are compared. */
  readonly keys: readonly string[];
  readonly text: string;
  /** Which letters are in it, a bit each. */
  readonly letters: number;
  /** How its declaration begins: what is suggested. */
  readonly declared: readonly string[];
  /** What the words begin with in the order of `area [noun] verb`, and what they end with. */
  readonly area: string;
  readonly verb: string;
}

/** The names of all commands: as they are declared, and in the orders that people say them in. */
export function namesIn(
  patterns: readonly Pattern[],
  canonical: (word: string) => string,
): readonly CommandName[] {
  return patterns.flatMap((pattern) => {
    const { command } = pattern;
    const declared = readPattern(command.phrase, command).name;
    return ordersOf(pattern).map((words) => ({
      ...{ command, words, declared, keys: words.map(canonical) },
      text: words.join(' '),
      letters: lettersIn(words.join(' ')),
      area: pattern.name[0] ?? '',
      verb: words.includes('remove') ? 'remove' : (pattern.name.at(-1) ?? ''),
    }));
  });
}

/** Which letters are in a text, a bit each. */
export function lettersIn(text: string): number {
  let bits = 0;
  for (let index = 0; index < text.length; index += 1) {
    const letter = text.charCodeAt(index) - 97;
    if (letter >= 0 && letter < 26) bits |= 1 << letter;
  }
  return bits;
}
