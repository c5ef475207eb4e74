import { readDuration } from '../../duration.ts';
import { readSpoken } from './span-words.ts';
import { momentSaid, onItsDay, readSaidTime, type SaidTime } from './times/said-time.ts';
import type { TypedStart } from './times/start.ts';

/** The options that make an undoable change temporary. */
export type TermOption = 'for' | 'until';
export const termOptions: readonly TermOption[] = ['for', 'until'];

export interface TypedTerm {
  readonly option: TermOption;
  readonly text: string;
}

/** The end of a change: after a duration from its start, or at a moment. */
export type Term =
  | { readonly kind: 'for'; readonly milliseconds: number }
  | { readonly kind: 'until'; readonly end: SaidTime };

export const termWanted: Readonly<Record<TermOption, string>> = {
  for: 'a duration such as 30m, 2h or 3d, from 1 minute to 90 days',
  until: 'a time such as 18:00, friday, “sat 02:00”, tomorrow, “28 nov” or “28 nov 18:00”',
};

const shortest = 60_000;
/** Milliseconds. Beyond this, nobody remembers the change that would be undone. */
export const longestTerm = 90 * 24 * 60 * shortest;

/**
 * Reads `2h` and `two hours` after `--for`, and a time (`times/said-time.ts`) after `--until`. Undefined for
 * other text.
 */
export function readTerm({ option, text }: TypedTerm): Term | undefined {
  if (option === 'for') {
    const said = text.trim().toLowerCase();
    const milliseconds = readDuration(said) ?? readSpoken(said);
    const fits = milliseconds !== undefined && milliseconds >= shortest && milliseconds <= longestTerm;
    return fits ? { kind: 'for', milliseconds } : undefined;
  }
  const end = readSaidTime(text);
  return end && { kind: 'until', end };
}

/**
 * The end in milliseconds since the epoch. A date may be in the past. For an ambiguous time, the last possible
 * moment.
 * @param begin the start of the change
 */
export const endOf = (term: Term, begin: number, timeZone: string): number =>
  term.kind === 'for' ? begin + term.milliseconds : momentSaid(term.end, begin, timeZone);

/**
 * Resolves relative days when the change begins later: `tomorrow` counts from the day of typing, not from the
 * start.
 */
export function termMeant(
  { term, start }: { readonly term?: TypedTerm | undefined; readonly start?: TypedStart | undefined },
  now: number,
  timeZone: string,
): TypedTerm | undefined {
  const read = start && term && readTerm(term);
  const text = read?.kind === 'until' ? onItsDay(read.end, now, timeZone) : undefined;
  return text === undefined ? term : { option: 'until', text };
}
