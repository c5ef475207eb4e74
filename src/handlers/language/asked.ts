import type { AnyCommand } from '../command.ts';
import { type GivenSlots, isPosted, type PostedFile, wordsAmong } from '../lists/posted-file.ts';
import { isFiller } from '../understanding/vocabulary.ts';
import { inQuotes, splitList } from './line.ts';
import { type Manner, mannerNames, type SaidManner } from './manner.ts';
import { readPattern } from './pattern.ts';
import { isPhraseWord } from './table.ts';

/** A command as somebody requested it: the typed words for each slot, and how to run it. */
export interface Asked extends Manner {
  readonly command: AnyCommand;
  /** Words by slot, and files. */
  readonly typed: GivenSlots;
}

/** How each option is written in a line. */
const inLine: { readonly [Name in keyof SaidManner]: (value: SaidManner[Name]) => string } = {
  term: ({ option, text }) => `--${option} ${quoted(text)}`,
  start: ({ option, text }) => `--${option} ${quoted(text)}`,
  ticket: (ticket) => `--ticket ${quoted(ticket)}`,
  reason: (reason) => `--reason ${quoted(reason)}`,
  on: (on) => `--on ${quoted(on)}`,
  dryRun: () => '--dry-run',
};
const spelledOut = <Name extends keyof SaidManner>(
  name: Name,
  value: SaidManner[Name] | undefined,
): readonly string[] => (value === undefined ? [] : [inLine[name](value)]);

/** The reason, from the command's own argument or from the general option. */
export function reasonIn({ command, typed, reason }: Asked): string | undefined {
  return (
    reason ??
    (command.args.reason === undefined ? undefined : typed.reason && wordsAmong(typed.reason).join(' '))
  );
}

/** The request without its reason. */
export function withoutReason({ reason: _, ...asked }: Asked): Asked {
  const { reason, ...typed } = asked.typed;
  return asked.command.args.reason === undefined ? asked : { ...asked, typed };
}

/**
 * The line that requests the same, as the command's declaration writes it. Passwords are left out, and files
 * appear only by name.
 * @param gap replaces each missing argument, for people to read
 */
export function lineOf({ command, typed, ...manner }: Asked, gap?: string): string {
  const { name, rest, options } = readPattern(command.phrase, command);
  const slots = rest.flatMap((element) => {
    if (element.kind === 'literal') return [element.word];
    const words = typed[element.name] ?? [];
    if (words.length === 0) return gap === undefined || element.optional ? [] : [gap];
    // A line inside the line keeps its own quotes.
    if (command.args[element.name]?.isLine)
      return words.map((word) => (isPosted(word) ? fileIn(word) : word));
    const write = element.several ? quotedAmongOthers : quoted;
    // Filler words count as values of a list only in quotes.
    const isSaid = (word: string) => isPhraseWord(command, word) || (element.several && isFiller(word));
    return words.map((word) => (isPosted(word) ? fileIn(word) : isSaid(word) ? inQuotes(word) : write(word)));
  });
  const named = [...options.keys()].flatMap((option) => {
    const words = typed[option];
    if (words === undefined || words.length === 0) return [];
    const input = command.args[option]?.input;
    if (input === 'flag') return [`--${option}`];
    return [
      `--${option}`,
      input === 'secret'
        ? '•••'
        : words
            .map((word) =>
              isPosted(word) ? quoted(word.name) : input === 'file' ? '(a file)' : quoted(word),
            )
            .join(' '),
    ];
  });
  const general = lineOptions(manner);
  return [...name, ...slots, ...named, ...(general === '' ? [] : [general])].join(' ');
}

/** The general options, as they are written after a command's own words. */
export const lineOptions = (manner: Manner): string =>
  mannerNames.flatMap((one) => spelledOut(one, manner[one])).join(' ');

/** Whether a line already ends with exactly these appliances, so that nobody repeats them. */
export const tellsWhere = (line: string, appliances: readonly string[]): boolean =>
  line.endsWith(` --on ${appliances.join(',')}`);

/** A file that stands for a list. In quotes its name is no value of the list when somebody types the line again. */
const fileIn = ({ name }: PostedFile): string => inQuotes(`in ${name}`);

/**
 * Quotes a word so that it reads as one value. An appliance may have supplied it, so nothing in it may end the
 * quotes.
 */
export function quoted(word: string): string {
  return word !== '' && !/[\s"'`]|^-[a-z-]|[,;]--/i.test(word) ? word : inQuotes(word);
}

/** Quotes a word so that it stays one value where a list may stand. */
export function quotedAmongOthers(word: string): string {
  return quoted(word) === word && splitList(word).join('') !== word ? inQuotes(word) : quoted(word);
}
