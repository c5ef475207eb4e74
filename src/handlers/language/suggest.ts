import { distance } from 'fastest-levenshtein';
import type { AnyCommand } from '../command.ts';
import { withoutArea } from './left-out.ts';
import { spelled, type Word, wordsIn } from './line.ts';
import type { Match, Suggestion } from './match.ts';
import { type CommandName, lettersIn } from './names.ts';

type Words = readonly Word[];
type Find = (words: Words) => Match;

/** So many words may stand before what is meant: "could you please tell me". */
const politeWords = 5;
/** More are no suggestion any more. */
const most = 3;
/** What differs in more than half of its letters is another word. */
const farthest = 0.5;

/**
 * What may have been meant by a line that is no command, best first: the same line after some polite words, a slip of
 * the fingers, or only the thing that was to be asked about. `find` looks words up without suggestions.
 */
export function suggest(
  words: Words,
  names: readonly CommandName[],
  canonical: (word: string) => string,
  find: Find,
): readonly Suggestion[] {
  const slips = (tail: Words) => closest(tail, names, find);
  const meant = withoutArea(words, names, canonical, find);
  if (meant.length > 0) return meant;
  // The first word is known, so nothing polite stands before it.
  if (find(words).kind === 'astray') return slips(words);
  const tails = Array.from({ length: politeWords }, (_, skipped) => words.slice(skipped + 1)).filter(
    (tail) => tail.length > 0,
  );
  return (
    firstFilled(tails, (tail) => beginningOf(tail, find)) ??
    firstFilled([words, ...tails], slips) ??
    questionsAbout(words, names, find)
  );
}

function firstFilled(tails: readonly Words[], look: (tail: Words) => readonly Suggestion[]) {
  for (const tail of tails) {
    const found = look(tail);
    if (found.length > 0) return found;
  }
  return undefined;
}

/** The commands that these words are, or are the beginning of. */
function beginningOf(words: Words, find: Find): readonly Suggestion[] {
  const found = find(words);
  if ('command' in found && found.command !== undefined)
    return [asTyped(found.command, words.map(spelled), find)];
  return found.kind === 'incomplete' ? found.continuations.slice(0, most).map(byExample) : [];
}

/**
 * The commands whose name is close to how the words begin, closest first. What follows the name is kept. Where the
 * words begin like a command, that much of them is right, and the slip is in what comes after it.
 */
function closest(words: Words, names: readonly CommandName[], find: Find): readonly Suggestion[] {
  const found = find(words);
  const known = found.kind === 'astray' ? found.known.split(' ') : [];
  const right = known.join(' ').length;
  const best = new Map<AnyCommand, Near>();
  const beginnings: Beginning[] = [];
  for (const name of names) {
    const count = name.words.length;
    if (count <= known.length) continue;
    beginnings[count] ??= beginningWith(words, count);
    const beginning = beginnings[count];
    if (isFar(name, beginning)) continue;
    const { typed } = beginning;
    const far = relativeDistance(name.text, typed, best.get(name.command)?.far ?? farthest);
    if (far !== undefined) best.set(name.command, { name, far, same: sharedBeginning(name.text, typed) });
  }
  const ranked = [...best.values()].toSorted((one, other) => one.far - other.far || other.same - one.same);
  if (ranked[0] === undefined || !isSlip(ranked[0], right)) return [];
  return ranked
    .slice(0, most)
    .map(({ name }) =>
      asTyped(name.command, [...name.declared, ...words.slice(name.words.length).map(spelled)], find),
    );
}

interface Beginning {
  readonly typed: string;
  readonly letters: number;
}

function beginningWith(words: Words, count: number): Beginning {
  const typed = words
    .slice(0, count)
    .map(({ text }) => text)
    .join(' ')
    .toLowerCase()
    .slice(0, longestName);
  return { typed, letters: lettersIn(typed) };
}

/** Each letter that only one of both has costs a change at least: that alone tells most of them apart, at no cost. */
function isFar({ text, letters }: CommandName, { typed, letters: others }: Beginning): boolean {
  const most = farthest * Math.max(text.length, typed.length);
  return (
    Math.abs(text.length - typed.length) > most ||
    bitsIn(letters & ~others) > most ||
    bitsIn(others & ~letters) > most
  );
}

/** Counts in parallel, as processors do. */
function bitsIn(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

interface Near {
  readonly name: CommandName;
  readonly far: number;
  /** How many characters both begin with. */
  readonly same: number;
}

/** Kilobytes of junk cost no more than a long name. */
const longestName = 80;

/** Whether it is also near without the characters that are right: those would make anything after them look alike. */
function isSlip({ name, far }: Near, right: number): boolean {
  return far * name.text.length <= farthest * Math.max(name.text.length - right, 1);
}

/** 0 for the same words, 1 for nothing in common; undefined when it is not nearer than `limit`. */
function relativeDistance(expected: string, typed: string, limit: number): number | undefined {
  const length = Math.max(expected.length, typed.length, 1);
  if (Math.abs(expected.length - typed.length) / length > limit) return undefined;
  const far = distance(expected, typed) / length;
  return far < limit || (far === limit && limit === farthest) ? far : undefined;
}

function sharedBeginning(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** The commands that only read and ask about something like these words, such as a bare domain. */
function questionsAbout(words: Words, names: readonly CommandName[], find: Find): readonly Suggestion[] {
  const first = new Map(names.toReversed().map((name) => [name.command, name]));
  return [...first.values()]
    .toReversed()
    .flatMap(({ command, declared }) => {
      const [argument, ...others] = Object.values(command.args);
      if (command.effect !== 'read' || argument?.recognisable !== true || others.length > 0) return [];
      const things = words.filter(({ text }) => argument.read(text).ok).map(spelled);
      return things.length === 0 ? [] : [asTyped(command, [...declared, ...things], find)];
    })
    .slice(0, most);
}

/** The line with these words if it is short and would do, else the example. */
function asTyped(command: AnyCommand, words: readonly string[], find: Find): Suggestion {
  const line = words.join(' ');
  const found = line.length <= 100 ? find(wordsIn(line)) : undefined;
  return found?.kind === 'command' && found.command === command ? { command, line } : byExample(command);
}

const byExample = (command: AnyCommand): Suggestion => ({ command, line: command.example, isExample: true });
