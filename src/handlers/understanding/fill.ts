import type { Argument } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import { isParticle } from '../command-name.ts';
import type { Asked } from '../language/asked.ts';
import type { Pattern, Slot } from '../language/pattern.ts';
import type { Meaning } from './sayings.ts';
import { type Fit, fitOf, type KnownThings, sure } from './things.ts';
import type { Token } from './token.ts';
import { isFiller, termOf } from './vocabulary.ts';

/** What of a line goes into a command, and how well. */
export interface Filled {
  readonly asked: Asked;
  readonly fits: ReadonlyMap<Token, number>;
  /** What its slots are called. */
  readonly nouns: readonly { readonly term: string; readonly isFilled: boolean }[];
  /** How many slots must be filled, and how well they are. */
  readonly slots: number;
  readonly filled: number;
  readonly isWhole: boolean;
  readonly isSure: boolean;
  /** Whether one of them is the name of something that is there. */
  readonly isNamed: boolean;
}

/** A slot of a phrase, with the small word or the name of the option that stands before it. */
interface Place extends Slot {
  readonly before: string | undefined;
  readonly isOption: boolean;
}

/** A word that may stand in a slot, and how much speaks for it. */
interface Candidate {
  readonly place: Place;
  readonly token: Token;
  readonly fit: Fit;
  readonly rank: number;
}

/** Gives the words that say nothing by themselves to the slots that they fit best. */
export function fill(
  tokens: readonly Token[],
  { command, pattern }: Extract<Meaning, { kind: 'command' }>,
  known: KnownThings,
): Filled {
  const places = placesOf(pattern);
  const given = new Map<string, Candidate[]>();
  const fits = new Map<Token, number>();
  for (const candidate of candidatesFor(tokens, command, places, known)) {
    const { place, token, fit } = candidate;
    const earlier = given.get(place.name) ?? [];
    if (fits.has(token) || (earlier.length > 0 && !place.several)) continue;
    // Several of a kind stand together; what fits worse is none of them.
    if (earlier.some((one) => fit.fit < Math.min(one.fit.fit, sure))) continue;
    fits.set(token, fit.fit);
    given.set(place.name, [...earlier, candidate]);
  }
  const all = [...given.values()].flat();
  const worstIn = (name: string) => Math.min(...(given.get(name) ?? []).map(({ fit }) => fit.fit));
  const wanted = places.filter(({ optional }) => !optional);
  // What is called so itself is no appliance there.
  const on =
    command.kind === 'info'
      ? undefined
      : tokens.find((one) => one.appliance !== undefined && (fits.get(one) ?? 0) < 1);
  if (on !== undefined) fits.set(on, 1);
  const inOrder = (some: readonly Candidate[]) =>
    some.toSorted((one, other) => tokens.indexOf(one.token) - tokens.indexOf(other.token));
  const typed = Object.fromEntries(
    Array.from(given, ([name, some]) => [name, inOrder(some).map(({ fit }) => fit.word)]),
  );
  return {
    asked: { command, typed, ...(on !== undefined && { on: on.appliance }) },
    fits,
    nouns: places.flatMap(({ name, optional }) =>
      nounsOf(command, name).map((term) => ({ term, isFilled: optional || given.has(name) })),
    ),
    slots: wanted.length,
    filled: wanted.reduce((sum, { name }) => sum + (given.has(name) ? worstIn(name) : 0), 0),
    isWhole: wanted.every(({ name }) => given.has(name)),
    isSure: all.every(({ fit }) => fit.fit >= sure),
    isNamed: all.some(({ fit }) => fit.isKnown === true),
  };
}

function placesOf({ rest, options }: Pattern): readonly Place[] {
  return [
    ...rest.flatMap((one, index) => {
      const earlier = rest[index - 1];
      const before = earlier?.kind === 'literal' ? earlier.word : undefined;
      return one.kind === 'slot' ? [{ ...one, before, isOption: false }] : [];
    }),
    ...Array.from(options.values(), (option) => ({ ...option, before: option.name, isOption: true })),
  ];
}

/** The best first. */
function candidatesFor(
  tokens: readonly Token[],
  { args }: AnyCommand,
  places: readonly Place[],
  known: KnownThings,
): readonly Candidate[] {
  const found = places.flatMap((place, order) => {
    const argument = args[place.name];
    return tokens.flatMap((token, index): Candidate[] => {
      const fit = argument && fitIn(token, argument, known);
      if (fit === undefined) return [];
      const before = tokens[index - 1]?.word.text.toLowerCase() ?? '';
      const isLed = leadsTo(place.before, before);
      // An option is named.
      if (place.isOption && !isLed) return [];
      const isMisled = !isLed && isParticle(before) && places.some((other) => leadsTo(other.before, before));
      const rank = fit.fit + (isLed ? 0.4 : 0) - (isMisled ? 0.5 : 0) - order * 0.01 - index * 0.001;
      return [{ place, token, fit, rank }];
    });
  });
  return found.toSorted((one, other) => other.rank - one.rank);
}

/** What a slot is called: by its name, and by what it takes. */
const nounsOf = ({ args }: AnyCommand, name: string): readonly string[] => [
  ...new Set([termOf(name), termOf(args[name]?.what.split(' ').at(-1) ?? name)]),
];

/** Filler never becomes a value, and what commands are written with only where something is called so. */
function fitIn(token: Token, argument: Argument, known: KnownThings): Fit | undefined {
  const { tried, word, isWritten } = token;
  if (tried.has(argument)) return tried.get(argument);
  const isSaid = token.area !== undefined || (!word.isQuoted && isFiller(word.text));
  const fit = isSaid ? undefined : fitOf(argument, word, known);
  const found = fit !== undefined && isWritten && fit.fit < 0.7 ? undefined : fit;
  tried.set(argument, found);
  return found;
}

const directions: readonly (readonly string[])[] = [
  ['to', 'into', 'in', 'onto', 'on'],
  ['from', 'off', 'of', 'in'],
];

/** Whether the slot behind `expected` is what stands behind `before`. */
function leadsTo(expected: string | undefined, before: string): boolean {
  if (expected === undefined) return false;
  return (
    expected === before ||
    directions.some((same) => same[0] === expected && same.includes(before)) ||
    optionWords[expected]?.includes(before) === true
  );
}

/** The small words that say what an option is. */
const optionWords: Readonly<Record<string, readonly string[]>> = {
  for: ['for'],
  user: ['of', 'by', 'for', 'from', 'user'],
  by: ['by', 'did', 'has', 'of', 'from'],
  since: ['since', 'from'],
  until: ['until', 'till'],
  policy: ['policy', 'of', 'in'],
  repository: ['of', 'for', 'repository', 'from'],
  limit: ['last', 'limit', 'first'],
  host: ['from', 'host'],
  note: ['note', 'comment', 'ticket'],
  description: ['for', 'description'],
  command: ['command'],
};
