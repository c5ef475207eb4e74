import { readDuration } from '../../duration.ts';
import { readSpoken } from './span-words.ts';
import { momentSaid, onItsDay, readSaidTime, type SaidTime } from './times/said-time.ts';
import type { TypedStart } from './times/start.ts';

/** The options by which a change that can be undone is temporary, whatever command it is. */
export type TermOption = 'for' | 'until';
export const termOptions: readonly TermOption[] = ['for', 'until'];

/** What was typed behind one of them. */
export interface TypedTerm {
  readonly option: TermOption;
  readonly text: string;
}

/** How long a change is to last: so long from when it is made, or until a moment. */
export type Term =
  | { readonly kind: 'for'; readonly milliseconds: number }
  | { readonly kind: 'until'; readonly end: SaidTime };

/** What is taken, for people. */
export const termWanted: Readonly<Record<TermOption, string>> = {
  for: 'a duration such as 30m, 2h or 3d, from 1 minute to 90 days',
  until: 'a time such as 18:00, friday, “sat 02:00”, tomorrow, “28 nov” or “28 nov 18:00”',
};

const shortest = 60_000;
/** Nobody remembers what is undone later, in milliseconds. */
export const longestTerm = 90 * 24 * 60 * shortest;

/** `2h`, `two hours` after `--for`; a time (`times/said-time.ts`) after `--until`. Undefined when it is none of these. */
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
 * The moment at which it ends, in milliseconds since the epoch; it may have passed already where a date was given, and is the last one
 * where there are several that can be meant.
 * @param begin when it begins
 */
export const endOf = (term: Term, begin: number, timeZone: string): number =>
  term.kind === 'for' ? begin + term.milliseconds : momentSaid(term.end, begin, timeZone);

/** An end as it is meant by whoever types it, where it is to begin later: `tomorrow` is their tomorrow, and not the day after the start. */
export function termMeant(
  { term, start }: { readonly term?: TypedTerm | undefined; readonly start?: TypedStart | undefined },
  now: number,
  timeZone: string,
): TypedTerm | undefined {
  const read = start && term && readTerm(term);
  const text = read?.kind === 'until' ? onItsDay(read.end, now, timeZone) : undefined;
  return text === undefined ? term : { option: 'until', text };
}
