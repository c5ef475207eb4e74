import type { AnyCommand } from '../command.ts';
import { readPosted } from '../lists/posted-file.ts';
import { isFiller } from '../understanding/vocabulary.ts';
import { inQuotes, splitList } from './line.ts';
import { type Manner, mannerNames, type SaidManner } from './manner.ts';
import { readPattern, type TypedSlots } from './pattern.ts';
import { isPhraseWord } from './table.ts';

/** A command as it was asked for: what was typed for each slot, and how it is to be run. */
export interface Asked extends Manner {
  readonly command: AnyCommand;
  /** Words by slot. */
  readonly typed: TypedSlots;
}

/** How each of it stands in a line. */
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

/** Why it is asked, wherever that stands. */
export function reasonIn({ command, typed, reason }: Asked): string | undefined {
  return reason ?? (command.args.reason === undefined ? undefined : typed.reason?.join(' '));
}

/** The same, with no reason given yet. */
export function withoutReason({ reason: _, ...asked }: Asked): Asked {
  const { reason, ...typed } = asked.typed;
  return asked.command.args.reason === undefined ? asked : { ...asked, typed };
}

/** The line that says the same, as the command's declaration writes it. Passwords do not stand in it, and files only by name. */
export function lineOf({ command, typed, ...manner }: Asked): string {
  const { name, rest, options } = readPattern(command.phrase, command);
  const slots = rest.flatMap((element) => {
    if (element.kind === 'literal') return [element.word];
    const words = typed[element.name] ?? [];
    // A line in the line has quotes of its own.
    if (command.args[element.name]?.isLine) return words;
    const write = element.several ? quotedAmongOthers : quoted;
    // What people say around a thing is taken for one of several only in quotes.
    const everyWord = command.args[element.name]?.everyWord;
    const isSaid = (word: string) =>
      isPhraseWord(command, word) || (element.several && !everyWord && isFiller(word));
    return words.map((word) =>
      isFile(command, element.name, word)
        ? inQuotes(`in ${readPosted(word)?.name}`)
        : isSaid(word)
          ? inQuotes(word)
          : write(word),
    );
  });
  const named = [...options.keys()].flatMap((option) => {
    const words = typed[option];
    if (words === undefined || words.length === 0) return [];
    const input = command.args[option]?.input;
    if (input === 'flag') return [`--${option}`];
    return [
      `--${option}`,
      input === 'secret' ? '•••' : words.map(input === 'file' ? fileName : quoted).join(' '),
    ];
  });
  const general = lineOptions(manner);
  return [...name, ...slots, ...named, ...(general === '' ? [] : [general])].join(' ');
}

/** What every command takes, as it stands behind its own words. */
export const lineOptions = (manner: Manner): string =>
  mannerNames.flatMap((one) => spelledOut(one, manner[one])).join(' ');

/** Whether a line ends with just these appliances, so that they need not be told again. */
export const tellsWhere = (line: string, appliances: readonly string[]): boolean =>
  line.endsWith(` --on ${appliances.join(',')}`);

/** A file that stands for a list: its name in quotes is none of what is wanted. */
const isFile = ({ args }: AnyCommand, slot: string, word: string): boolean =>
  args[slot]?.fromFile === true && readPosted(word) !== undefined;

/** Typed again, it opens the form that asks for the file. */
const fileName = (word: string): string => quoted(readPosted(word)?.name ?? '(a file)');

/** A word as it must be typed to stay that one word. An appliance may have given it, so nothing in it may end the quotes. */
export function quoted(word: string): string {
  return word !== '' && !/[\s"'`]|^-[a-z-]|[,;]--/i.test(word) ? word : inQuotes(word);
}

/** A word as it must be typed to stay one where several may stand. */
export function quotedAmongOthers(word: string): string {
  return quoted(word) === word && splitList(word).join('') !== word ? inQuotes(word) : quoted(word);
}
