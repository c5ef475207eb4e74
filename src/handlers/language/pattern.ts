import type { AnyCommand } from '../command.ts';
import { isLiteral, isParticle } from '../command-name.ts';
import type { Word } from './line.ts';
import { saysTheSame } from './prepositions.ts';

/** A phrase split into the words that name it and the slots after them. */
export interface Pattern {
  readonly command: AnyCommand;
  readonly name: readonly string[];
  readonly rest: readonly Element[];
  readonly options: ReadonlyMap<string, Slot>;
}

export type Element = { readonly kind: 'literal'; readonly word: string } | Slot;

export interface Slot {
  readonly kind: 'slot';
  readonly name: string;
  readonly several: boolean;
  readonly optional: boolean;
}

export type TypedSlots = Readonly<Record<string, readonly string[]>>;

/** Words by slot, with their quotes still known. */
export type Assigned = Readonly<Record<string, readonly Word[]>>;

export function readPattern(phrase: string, command: AnyCommand): Pattern {
  const words = phrase.split(' ');
  const firstSlot = words.findIndex((word) => !isLiteral(word));
  const name = firstSlot === -1 ? words : words.slice(0, firstSlot);
  const others = words.slice(name.length);
  return {
    command,
    name,
    rest: others
      .filter((word) => !isOption(word))
      .map((word) => (isLiteral(word) ? { kind: 'literal', word } : readSlot(word))),
    options: new Map(others.filter(isOption).map((word) => [readSlot(word).name, readSlot(word)])),
  };
}

const isOption = (word: string): boolean => /^[<[]--/.test(word);

function readSlot(word: string): Slot {
  return {
    kind: 'slot',
    name: word.replace(/[<>[\]…]/g, '').replace(/^--/, ''),
    several: word.endsWith('…'),
    optional: word.startsWith('['),
  };
}

/**
 * Assigns the words to the slots, in order. Small words may be left out; a slot for several takes as many as it
 * can. Undefined if the words do not fit.
 * @param canonical the form in which literal words are compared
 */
export function assign(
  rest: readonly Element[],
  words: readonly Word[],
  canonical: (word: string) => string,
): Assigned | undefined {
  const strict = distribute(rest, words, 0, canonical, 'strict');
  if (strict !== undefined) return strict;
  const lenient = distribute(rest, words, 0, canonical, 'lenient');
  // In "category move example.com to 260" a category is missing, rather than being called "to".
  return lenient !== undefined && Object.values(lenient).flat().some(isLiteralOf(rest)) ? undefined : lenient;
}

/**
 * The slots in reverse order, as in "add to 252 example.com". A small word stays with its slot. Undefined if
 * the reverse is no other phrase.
 */
export function theOtherWayRound(rest: readonly Element[]): readonly Element[] | undefined {
  const [first, ...others] = rest;
  return first?.kind === 'slot' && others.some(({ kind }) => kind === 'slot')
    ? [...others, first]
    : undefined;
}

/** Whether the words begin with a small word from the middle of the phrase, so that its value comes first. */
export const isTurned = (
  [first]: readonly Element[] = [],
  [word]: readonly Word[],
  canonical: (word: string) => string,
): boolean => first?.kind === 'literal' && isWord(first.word, word, canonical);

export const isSeveral = (element: Element): element is Slot => element.kind === 'slot' && element.several;

const isLiteralOf =
  (rest: readonly Element[]) =>
  ({ text, isQuoted }: Word): boolean =>
    !isQuoted &&
    isParticle(text) &&
    rest.some((element) => element.kind === 'literal' && element.word === text);

/** Whether a word is this literal of a phrase. A quoted word is a value. */
export const isWord = (
  literal: string,
  word: Word | undefined,
  canonical: (word: string) => string,
): boolean => word?.isQuoted === false && canonical(word.text) === canonical(literal);

/**
 * Whether a word can replace a small word of a phrase: "into" for "to". Excludes "on", because it also
 * introduces an appliance.
 */
export const standsFor = (literal: string, { text, isQuoted }: Word): boolean =>
  !isQuoted && isParticle(literal) && text.toLowerCase() !== 'on' && saysTheSame(literal, text);

/** Replaces synonyms by the phrase's own small words where those are missing: "out of" becomes "from". */
export function inItsWords(
  rest: readonly Element[],
  words: readonly Word[],
  canonical: (word: string) => string,
): readonly Word[] {
  const literals = rest.flatMap((one) => (one.kind === 'literal' ? [one.word] : []));
  const isOwn = (word: Word) => literals.some((literal) => isWord(literal, word, canonical));
  let said = words;
  for (const literal of literals) {
    if (said.some((word) => isWord(literal, word, canonical))) continue;
    const at = said.findIndex((word) => !isOwn(word) && standsFor(literal, word));
    if (at === -1) continue;
    const isDouble = isWord('of', said[at + 1], canonical) && /^(?:out|off)$/i.test(said[at]?.text ?? '');
    said = said.toSpliced(at, isDouble ? 2 : 1, { text: literal, isQuoted: false });
  }
  return inOrderOf(literals, said, canonical);
}

/** Sorts parts that small words introduce into the order of the phrase: "a.example to games from gambling". */
function inOrderOf(
  literals: readonly string[],
  words: readonly Word[],
  canonical: (word: string) => string,
): readonly Word[] {
  const places = literals.map((literal) =>
    Array.from(words.keys()).filter((index) => isWord(literal, words[index], canonical)),
  );
  const starts = places.flat().toSorted((one, other) => one - other);
  const [first = 0] = starts;
  if (literals.length < 2 || first === 0 || places.some(({ length }) => length !== 1)) return words;
  const parts = places.flat().map((start) => words.slice(start, starts[starts.indexOf(start) + 1]));
  return [...words.slice(0, first), ...parts.flat()];
}

/** Assigns the words from index `from` on. It does not copy them, because there may be thousands of splits. */
function distribute(
  rest: readonly Element[],
  words: readonly Word[],
  from: number,
  canonical: (word: string) => string,
  manner: 'strict' | 'lenient',
): Assigned | undefined {
  const [first, ...others] = rest;
  const left = words.length - from;
  if (first === undefined) return left === 0 ? {} : undefined;
  const onward = (taken: number) => distribute(others, words, from + taken, canonical, manner);
  if (first.kind === 'literal') {
    if (isWord(first.word, words[from], canonical)) return onward(1);
    return manner === 'lenient' && isParticle(first.word) ? onward(0) : undefined;
  }
  const fewest = first.optional ? 0 : 1;
  // A slot for several leaves as many words as the rest needs.
  const most = first.several ? left - needed(others, manner) : Math.min(1, left);
  for (let taken = most; taken >= fewest; taken -= 1) {
    const fitted = onward(taken);
    if (fitted !== undefined) return { [first.name]: words.slice(from, from + taken), ...fitted };
  }
  return undefined;
}

/** How far words fit that do not fit as a whole: the filled slots, the first empty slot, and the surplus. */
export function assignSome(
  rest: readonly Element[],
  words: readonly Word[],
  canonical: (word: string) => string,
): {
  readonly typed: Assigned;
  readonly missing: string | undefined;
  readonly surplus: readonly Word[];
  readonly literals: number;
} {
  const typed: Record<string, readonly Word[]> = {};
  let missing: string | undefined;
  let literals = 0;
  let left = words;
  rest.forEach((element, index) => {
    if (element.kind === 'literal') {
      const found = isWord(element.word, left[0], canonical);
      if (found) literals += 1;
      left = left.slice(found ? 1 : 0);
      return;
    }
    const ahead = rest.slice(index + 1).flatMap((later) => (later.kind === 'literal' ? [later.word] : []));
    const end = left.findIndex((word) => ahead.some((literal) => isWord(literal, word, canonical)));
    const available = end === -1 ? left : left.slice(0, end);
    const taken = available.slice(0, element.several ? available.length : 1);
    if (taken.length > 0) typed[element.name] = taken;
    else if (!element.optional) missing ??= element.name;
    left = left.slice(taken.length);
  });
  return { typed, missing, surplus: left, literals };
}

function needed(rest: readonly Element[], manner: 'strict' | 'lenient'): number {
  return rest.filter((element) =>
    element.kind === 'literal' ? manner === 'strict' || !isParticle(element.word) : !element.optional,
  ).length;
}
