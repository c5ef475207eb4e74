import { carriesSecret } from '../../secrets.ts';
import type { AnyCommand } from '../command.ts';
import { type Word, wordsIn } from './line.ts';
import type { Match } from './match.ts';
import { takeGeneral, takeOptions } from './options.ts';
import { assignSome, isWord, type Pattern, readPattern, standsFor } from './pattern.ts';
import { bind, type Way } from './reading.ts';
import { commandsUnder, createVocabulary, type Node, plant, shorter, walk } from './table.ts';

/** Takes a cleaned line (`line.ts`). */
export type Matcher = (line: string) => Match;

type Words = readonly Word[];

/** Builds the table for looking up typed lines. Throws if two phrases are the same. */
export function createMatcher(commands: readonly AnyCommand[]): Matcher {
  const patterns = commands.flatMap((command) =>
    [command.phrase, ...(command.also ?? [])].map((phrase) => readPattern(phrase, command)),
  );
  const canonical = createVocabulary(patterns);
  const root = plant(patterns, canonical);

  const find = (words: Words): Match => {
    const { words: own, wrong, ...manner } = takeGeneral(words);
    const way: Way = { manner, canonical, wrong };
    const path = walk(root, own, canonical);
    const deepest = path.at(-1);
    if (deepest === undefined) throw new Error('A path begins at the root');
    const depth = path.length - 1;
    // The longest known phrase wins, so no slot swallows a word of another phrase.
    const [at, meant] = deepest.patterns.length > 0 ? [depth, deepest] : shorter(path);
    const bound =
      meant &&
      preferred(meant.patterns, own.slice(at), way).map((pattern) => bind(pattern, own.slice(at), way));
    const found =
      bound?.find(({ kind }) => kind === 'command') ?? bound?.find(({ kind }) => kind === 'secret');
    if (found !== undefined) return found;
    if (deepest.patterns.length === 0) {
      if (depth === 0 && own.length > 0) return { kind: 'unknown', nearest: [] };
      const continuations = commandsUnder(deepest);
      return depth === own.length
        ? { kind: 'incomplete', continuations }
        : { kind: 'astray', known: textOf(own.slice(0, depth)), continuations };
    }
    return closest(deepest, own.slice(depth), way);
  };

  return (line) => {
    const found = find(wordsIn(line));
    return carriesSecret(line) ? secretIn(found) : found;
  };
}

/**
 * Prefers phrases whose small words are in the line: "add .example.com to google_sni" is no `add <object>
 * <pattern>…`. A small word may be left out only if no other phrase of the command lacks it: in "add -1
 * example.com" the number is meant as the object, although it is no valid one.
 */
function preferred(patterns: readonly Pattern[], words: Words, { canonical }: Way): readonly Pattern[] {
  if (patterns.length < 2) return patterns;
  const small = ({ rest }: Pattern) => rest.flatMap((one) => (one.kind === 'literal' ? [one.word] : []));
  const isWhole = (pattern: Pattern) => {
    const options = takeOptions(pattern, words);
    // The text of an option does not count: "--note add to the list".
    const positional = options.ok ? options.positional : [];
    return small(pattern).every((word) =>
      positional.some((typed) => isWord(word, typed, canonical) || standsFor(word, typed)),
    );
  };
  const whole = patterns.filter(isWhole).toSorted((one, other) => small(other).length - small(one).length);
  const others = patterns.filter(
    (pattern) => !isWhole(pattern) && !whole.some(({ command }) => command === pattern.command),
  );
  return [...whole, ...others];
}

/** The best fit among phrases that do not match; all of them if none fits better. */
function closest(node: Node, words: Words, way: Way): Match {
  const ranked = node.patterns
    .map((pattern) => {
      const { literals, surplus } = assignSome(pattern.rest, words, way.canonical);
      const missing = pattern.rest.filter(({ kind }) => kind === 'literal').length - literals;
      return { pattern, literals, missing, surplus: surplus.length };
    })
    .toSorted(
      (one, other) =>
        other.literals - one.literals || one.surplus - other.surplus || one.missing - other.missing,
    );
  const [best, second] = ranked;
  if (best === undefined) throw new Error('A node without phrases has no closest one');
  const isTied =
    second !== undefined &&
    second.literals === best.literals &&
    second.pattern.command !== best.pattern.command;
  const candidates = [...new Set(ranked.map(({ pattern }) => pattern.command))];
  if (isTied && best.literals === 0 && best.pattern.rest.some(({ kind }) => kind === 'literal')) {
    return { kind: 'incomplete', continuations: candidates };
  }
  // Another phrase of the same command may have an option that this one lacks.
  const ways = ranked.filter(({ pattern }) => pattern.command === best.pattern.command);
  const bound = ways.map(({ pattern }) => bind(pattern, words, way));
  const found = bound.find(({ kind }) => kind !== 'wrong_option') ?? bind(best.pattern, words, way);
  const deeper = commandsUnder(node).filter((command) => !candidates.includes(command));
  // "rdp polices": the next word may be a misspelling in a longer phrase.
  const isAstray =
    found.kind === 'surplus' ||
    // "emergency enabel --for 30m": the option belongs to the misspelled command.
    (found.kind === 'wrong_option' &&
      best.pattern.rest.length === 0 &&
      words[0]?.text.startsWith('--') === false);
  return isAstray && deeper.length > 0
    ? { kind: 'astray', known: best.pattern.name.join(' '), continuations: [...candidates, ...deeper] }
    : found;
}

const textOf = (words: Words): string => words.map(({ text }) => text).join(' ');

const secretIn = (found: Match): Match => ({
  kind: 'secret',
  command: 'command' in found ? found.command : undefined,
});
