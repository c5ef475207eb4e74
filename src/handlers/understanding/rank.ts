import { distance } from 'fastest-levenshtein';
import type { Argument } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import { isParticle } from '../command-name.ts';
import type { Asked } from '../language/asked.ts';
import type { Word } from '../language/line.ts';
import type { Slot } from '../language/pattern.ts';
import type { Impossible } from './impossible.ts';
import type { Mood } from './mood.ts';
import type { Meaning, Saying, Sayings } from './sayings.ts';
import { type Fit, fitOf, type KnownThings, sure } from './things.ts';
import { isFiller, nearTo, termOf, weightOf } from './vocabulary.ts';

/** A command that a line may mean, with what of the line fits into it. */
export interface Ranked {
  readonly command: AnyCommand;
  readonly asked: Asked;
  /** From 0 to 1: how much of the line it explains, and how much of what it is called is there. */
  readonly score: number;
  /** Whether every word that it wants is there. */
  readonly isWhole: boolean;
  /** Whether all that was filled in was known or looked right. */
  readonly isSure: boolean;
  /** Whether no word of the line is left over that may have been meant. */
  readonly saysAll: boolean;
}

export interface RankedImpossible {
  readonly impossible: Impossible;
  readonly score: number;
}

export interface Ranking {
  readonly commands: readonly Ranked[];
  readonly impossible: RankedImpossible | undefined;
}

/** A word of a line as it is compared: which terms it may be, and how near it is to each. */
interface Token {
  readonly word: Word;
  readonly terms: ReadonlyMap<string, number>;
  readonly weight: number;
  /** Whether commands are written with it: then it is a value only where something is called so. */
  readonly isWritten: boolean;
  /** The appliance that it names. */
  readonly appliance?: string;
  /** How well it fits the arguments that it was tried with. */
  readonly tried: Map<Argument, Fit | undefined>;
}

/** Less is no reason to believe it. */
const least = 0.2;

export function rank(words: readonly Word[], mood: Mood, sayings: Sayings, known: KnownThings): Ranking {
  const tokens = words.map((word) => tokenOf(word, sayings, known));
  const terms = [...new Set(tokens.flatMap(({ terms }) => [...terms.keys()]))];
  const best = new Map<AnyCommand, Ranked>();
  const explained = new Map<AnyCommand, number>();
  let impossible: RankedImpossible | undefined;
  const fillings = new Map<AnyCommand, Filled>();
  for (const saying of sayings.with(terms)) {
    const { meaning } = saying;
    if (meaning.kind === 'impossible') {
      const { score } = scoreOf(tokens, saying, undefined);
      if (score > (impossible?.score ?? least)) impossible = { impossible: meaning.impossible, score };
      continue;
    }
    const { command } = meaning;
    const filled = fillings.get(command) ?? fill(tokens, meaning, known);
    fillings.set(command, filled);
    const { score, saysAll } = scoreOf(tokens, saying, filled);
    const { asked, isWhole, isSure } = filled;
    if (saying.isExplained) {
      explained.set(command, score);
      if (best.has(command)) continue;
    }
    const found = {
      ...{ command, asked, isWhole, isSure, saysAll },
      score: score * (saying.isExplained ? 0.6 : 1) * fitting(mood, command),
    };
    if (found.score > (best.get(command)?.score ?? least)) best.set(command, found);
  }
  const commands = [...best.values()]
    .map((one) => ({ ...one, score: one.score + 0.06 * (explained.get(one.command) ?? 0) }))
    .toSorted((one, other) => other.score - one.score);
  return { commands, impossible };
}

/** What only looks is what a question is about, and what changes something is what an order is about. */
function fitting(mood: Mood, { effect }: AnyCommand): number {
  if (mood === 'question') return effect === 'read' ? 1 : 0.6;
  if (mood === 'order') return effect === 'read' ? 0.8 : 1;
  return effect === 'read' ? 1 : effect === 'write' ? 0.92 : 0.88;
}

function tokenOf(word: Word, sayings: Sayings, known: KnownThings): Token {
  const { text, isQuoted } = word;
  const appliance = known.appliances.get(text.toLowerCase());
  const common = { word, tried: new Map(), ...(appliance && { appliance }) };
  if (isQuoted) return { ...common, terms: new Map(), weight: 1, isWritten: false };
  const term = termOf(text);
  const terms = new Map([[term, 1]]);
  for (const [near, how] of nearTo(term)) terms.set(near, how);
  if (sayings.tells(term) === 0 && !isFiller(text)) {
    for (const [meant, how] of slipsOf(text.toLowerCase(), sayings.words)) {
      terms.set(meant, Math.max(how, terms.get(meant) ?? 0));
    }
  }
  const telling = Math.max(...Array.from(terms, ([one, how]) => sayings.tells(one) * how));
  const weight = Math.min(weightOf(text), telling === 0 ? 0.5 : Math.max(telling, 0.2));
  return { ...common, terms, weight, isWritten: sayings.tells(term) > 0 };
}

/** The words of which it may be a slip of the fingers, and how near they are. */
function slipsOf(text: string, words: readonly string[]): readonly (readonly [string, number])[] {
  if (text.length < 4 || /[0-9.@_/]/.test(text)) return [];
  // The first letter is seldom wrong, and another one makes another word: "switch" is no "watch".
  const most = text.length < 7 ? 1 : 2;
  return words.flatMap((word) => {
    if (
      word.length < 4 ||
      (word[0] !== text[0] && word[1] !== text[0]) ||
      Math.abs(word.length - text.length) > most
    )
      return [];
    const far = distance(word, text);
    const isSwapped = far === 2 && [...word].toSorted().join('') === [...text].toSorted().join('');
    return far <= most || isSwapped ? [[termOf(word), 0.9 - far * 0.07] as const] : [];
  });
}

type Command = Extract<Meaning, { kind: 'command' }>;

/** How well a line is this saying: what of it is there, and what of the line is left over. */
function scoreOf(tokens: readonly Token[], saying: Saying, filled: Filled | undefined) {
  const taken = new Map<Token, number>();
  let said = 0;
  let sayable = 0;
  for (const { term, weight } of saying.terms) {
    let nearest: Token | undefined;
    let how = 0;
    for (const token of tokens) {
      const near = taken.has(token) ? 0 : (token.terms.get(term) ?? 0);
      if (near > how) [nearest, how] = [token, near];
    }
    // Where a thing is known by its name, people leave out what it is.
    sayable += nearest === undefined && filled?.isNamed ? weight / 2 : weight;
    if (nearest === undefined) continue;
    taken.set(nearest, how);
    said += weight * how;
  }
  sayable += (filled?.slots ?? 0) * slotWeight;
  said += (filled?.filled ?? 0) * slotWeight;
  // "add a site to a category" says what is wanted, and not yet which.
  for (const { term, isFilled } of filled?.nouns ?? []) {
    const token = tokens.find((one) => !taken.has(one) && one.terms.get(term) === 1);
    if (token === undefined) continue;
    taken.set(token, 0.9);
    if (!isFilled) said += slotWeight / 2;
  }
  let saysAll = true;
  let line = 0;
  let told = 0;
  for (const token of tokens) {
    const how = taken.get(token);
    const fit = filled?.fits.get(token);
    const weight = fit === undefined ? token.weight : Math.max(token.weight, fit);
    if (how === undefined && fit === undefined && (token.word.isQuoted || !isFiller(token.word.text))) {
      saysAll = false;
    }
    line += how === undefined && fit === undefined && looksMeant(token) ? Math.max(weight, 0.8) : weight;
    told += weight * Math.max(how ?? 0, fit === undefined ? 0 : 0.4 + 0.6 * fit);
  }
  const ofSaying = sayable === 0 ? 0 : said / sayable;
  const ofLine = line === 0 ? 0 : told / line;
  const score = ofSaying + ofLine === 0 ? 0 : (2 * ofSaying * ofLine) / (ofSaying + ofLine);
  return { score: said === 0 || told === 0 ? 0 : score, saysAll };
}

/** What a slot counts beside a word that only one command has. */
const slotWeight = 0.35;

/** A domain, a number, a name in quotes: nobody types it for nothing. */
const looksMeant = ({ word: { text, isQuoted } }: Token): boolean => isQuoted || /[0-9@_]|\w\.\w/.test(text);

interface Filled {
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

/** Gives the words that say nothing by themselves to the slots that they fit best. */
function fill(tokens: readonly Token[], { command, pattern }: Command, known: KnownThings): Filled {
  const slots: readonly (Slot & { readonly before: string | undefined })[] = [
    ...pattern.rest.flatMap((one, index) => {
      const earlier = pattern.rest[index - 1];
      return one.kind === 'slot'
        ? [{ ...one, before: earlier?.kind === 'literal' ? earlier.word : undefined }]
        : [];
    }),
    ...Array.from(pattern.options.values(), (option) => ({ ...option, before: option.name })),
  ];
  const typed: Record<string, string[]> = {};
  const fits = new Map<Token, number>();
  const quality = new Map<string, number>();
  let isNamed = false;
  const candidates: { slot: (typeof slots)[number]; token: Token; fit: Fit; rank: number }[] = [];
  slots.forEach((slot, place) => {
    const argument = command.args[slot.name];
    if (argument === undefined) return;
    const isOption = pattern.options.has(slot.name);
    tokens.forEach((token, index) => {
      const fit = fitIn(token, argument, known);
      if (fit === undefined) return;
      const before = tokens[index - 1]?.word.text.toLowerCase();
      const isLed = before !== undefined && leadsTo(slot.before, before);
      const isMisled =
        before !== undefined &&
        !isLed &&
        isParticle(before) &&
        slots.some((other) => other !== slot && leadsTo(other.before, before));
      // An option is named, or is of a kind that nothing else is.
      if (isOption && !isLed) return;
      const rank = fit.fit + (isLed ? 0.4 : 0) - (isMisled ? 0.5 : 0) - place * 0.01 - index * 0.001;
      candidates.push({ slot, token, fit, rank });
    });
  });
  for (const { slot, token, fit } of candidates.toSorted((one, other) => other.rank - one.rank)) {
    if (fits.has(token) || (typed[slot.name] !== undefined && !slot.several)) continue;
    // Several of a kind stand together; what fits worse is none of them.
    const first = quality.get(slot.name);
    if (first !== undefined && fit.fit < Math.min(first, sure)) continue;
    fits.set(token, fit.fit);
    isNamed ||= fit.isKnown === true;
    typed[slot.name] = [...(typed[slot.name] ?? []), fit.word];
    quality.set(slot.name, Math.min(first ?? 1, fit.fit));
  }
  const on = tokens.find((token) => token.appliance !== undefined && (fits.get(token) ?? 0) < 1);
  if (on !== undefined && command.kind !== 'info') fits.set(on, 1);
  const wanted = slots.filter(({ optional }) => !optional);
  const inOrder = Object.fromEntries(
    slots.flatMap(({ name }) => {
      const words = typed[name];
      if (words === undefined) return [];
      const order = new Map(tokens.map(({ word: { text } }, index) => [text, index]));
      return [[name, words.toSorted((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0))]];
    }),
  );
  return {
    asked: {
      command,
      typed: inOrder,
      ...(on !== undefined && command.kind !== 'info' && { on: on.appliance }),
    },
    fits,
    nouns: slots.flatMap(({ name, optional }) => {
      const what = command.args[name]?.what.split(' ').at(-1) ?? name;
      const isFilled = optional || typed[name] !== undefined;
      return [...new Set([termOf(name), termOf(what)])].map((term) => ({ term, isFilled }));
    }),
    slots: wanted.length,
    filled: wanted.reduce((sum, { name }) => sum + (quality.get(name) ?? 0), 0),
    isWhole: wanted.every(({ name }) => typed[name] !== undefined),
    isSure: [...quality.values()].every((fit) => fit >= sure),
    isNamed,
  };
}

/** Filler never becomes a value, and what commands are written with only where something is called so. */
function fitIn(token: Token, argument: Argument, known: KnownThings): Fit | undefined {
  const { tried, word, isWritten } = token;
  if (tried.has(argument)) return tried.get(argument);
  const fit = !word.isQuoted && isFiller(word.text) ? undefined : fitOf(argument, word, known);
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
  by: ['by', 'did', 'of', 'from'],
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
