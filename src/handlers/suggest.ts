import { distance } from 'fastest-levenshtein';
import { type AnyCommand, isLiteral, nameOf } from './command.ts';
import { splitWords } from './line.ts';
import type { Match } from './phrase.ts';

/** What may have been meant: a command, and the whole line to type for it. */
export interface Suggestion {
  readonly command: AnyCommand;
  /** With what was typed where that fits, else the command's example. */
  readonly line: string;
}

type Words = readonly string[];
type Find = (words: Words) => Match;

/** So many words may stand before what is meant: "could you please tell me". */
const politeWords = 5;
/** More are no suggestion any more. */
const most = 3;

/**
 * What may have been meant by a line that is no command, best first: the same line after some polite words, a slip of
 * the fingers, or only the thing that was to be asked about. `find` looks words up without suggestions.
 */
export function suggest(words: Words, commands: readonly AnyCommand[], find: Find): readonly Suggestion[] {
  const slips = (tail: Words) => closest(tail, commands, find);
  // The first word is known, so nothing polite stands before it.
  if (find(words).kind === 'astray') return slips(words);
  const tails = Array.from({ length: politeWords }, (_, skipped) => words.slice(skipped + 1)).filter(
    (tail) => tail.length > 0,
  );
  return (
    firstFilled(tails, (tail) => beginningOf(tail, find)) ??
    firstFilled([words, ...tails], slips) ??
    questionsAbout(words, commands, find)
  );
}

function firstFilled(tails: readonly Words[], look: (tail: Words) => readonly Suggestion[]) {
  return tails.map(look).find((found) => found.length > 0);
}

/** The commands that these words are, or are the beginning of. */
function beginningOf(words: Words, find: Find): readonly Suggestion[] {
  const found = find(words);
  if ('command' in found) return [asTyped(found.command, words, find)];
  return found.kind === 'incomplete' ? found.continuations.slice(0, most).map(byExample) : [];
}

/** The commands whose name is close to how the words begin, closest first. What follows the name is kept. */
function closest(words: Words, commands: readonly AnyCommand[], find: Find): readonly Suggestion[] {
  return commands
    .flatMap((command) =>
      [command.phrase, ...(command.also ?? [])]
        .map((phrase) => phrase.split(' ').filter(isLiteral))
        .map((name) => ({ command, typed: name.length, distance: relativeDistance(name, words) }))
        .sort((one, other) => one.distance - other.distance)
        .slice(0, 1),
    )
    .filter((candidate) => candidate.distance <= 0.5)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, most)
    .map(({ command, typed }) =>
      asTyped(command, [...nameOf(command).split(' '), ...words.slice(typed)], find),
    );
}

/** 0 for the same words, 1 for nothing in common. What follows the name is arguments and does not count. */
function relativeDistance(name: Words, words: Words): number {
  const expected = name.join(' ');
  // Bounded, so that kilobytes of junk cost no more than a long word.
  const typed = words
    .slice(0, name.length)
    .join(' ')
    .toLowerCase()
    .slice(0, expected.length * 2);
  return distance(expected, typed) / Math.max(expected.length, typed.length, 1);
}

/** The commands that only read and ask about something like these words, such as a bare domain. */
function questionsAbout(words: Words, commands: readonly AnyCommand[], find: Find): readonly Suggestion[] {
  return commands
    .flatMap((command) => {
      const [argument, ...others] = Object.values(command.args);
      if (command.effect !== 'read' || argument?.recognisable !== true || others.length > 0) return [];
      const things = words.filter((word) => argument.read(word).ok);
      return things.length === 0 ? [] : [asTyped(command, [...nameOf(command).split(' '), ...things], find)];
    })
    .slice(0, most);
}

/** The line with these words if it is short and would do, else the example. */
function asTyped(command: AnyCommand, words: Words, find: Find): Suggestion {
  const line = words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ');
  const found = line.length <= 100 ? find(splitWords(line)) : undefined;
  return found?.kind === 'command' && found.command === command ? { command, line } : byExample(command);
}

const byExample = (command: AnyCommand): Suggestion => ({ command, line: command.example });
