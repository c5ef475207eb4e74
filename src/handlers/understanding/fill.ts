import { readDuration } from '../../duration.ts';
import type { Argument } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import { isParticle } from '../command-name.ts';
import type { Asked } from '../language/asked.ts';
import { readDomain } from '../language/domain.ts';
import type { Pattern, Slot } from '../language/pattern.ts';
import { directionOf, saysTheSame } from '../language/prepositions.ts';
import { leadsTo, type Meaning, nounsOf } from './sayings.ts';
import { type Fit, fitOf, type KnownThings, sure } from './things.ts';
import { ledIn, type Token } from './token.ts';
import { isFiller, nearTo } from './vocabulary.ts';

/** The parts of a line that fill a command, and how well. */
export interface Filled {
  readonly asked: Asked;
  readonly fits: ReadonlyMap<Token, number>;
  /** The names of its slots. */
  readonly nouns: readonly { readonly term: string; readonly isFilled: boolean }[];
  /** How well each required slot is filled, from 0 to 1. */
  readonly slots: ReadonlyMap<string, number>;
  readonly isWhole: boolean;
  readonly isSure: boolean;
  /** Whether a slot holds the name of something that exists. */
  readonly isNamed: boolean;
}

/** A slot of a phrase, with the small word or the option's name before it. */
interface Place extends Slot {
  readonly nouns: readonly string[];
  readonly before: string | undefined;
  /** The prepositions that lead to it in any phrasing. */
  readonly leads: ReadonlySet<string>;
  readonly isOption: boolean;
}

/** A word that may fill a slot, with its evidence. */
interface Candidate {
  readonly place: Place;
  readonly token: Token;
  readonly fit: Fit;
  readonly rank: number;
  readonly led: string | undefined;
}

/**
 * Assigns words without a meaning of their own to the slots that they fit best.
 * @param named the slots that a declared phrasing fills exactly: "what did <by> do"
 */
export function fill(
  tokens: readonly Token[],
  { command, pattern }: Extract<Meaning, { kind: 'command' }>,
  known: KnownThings,
  named: ReadonlyMap<string, Token> = new Map(),
): Filled {
  const places = placesOf(command, pattern);
  const given = new Map<string, Candidate[]>();
  const fits = new Map<Token, number>();
  for (const candidate of candidatesFor(tokens, command, places, known, named)) {
    const { place, token, fit, led } = candidate;
    const earlier = given.get(place.name) ?? [];
    if (fits.has(token) || (earlier.length > 0 && !place.several)) continue;
    // Several values stand together. A word that fits worse, or follows another preposition, is not one of
    // them.
    if (earlier.some((one) => fit.fit < Math.min(one.fit.fit, sure) || one.led !== led)) continue;
    fits.set(token, fit.fit);
    given.set(place.name, [...earlier, candidate]);
  }
  // "put dave in Contractors" is about a person of a policy as likely as about an entry of the list with that name, and "dave"
  // looks like neither.
  if ([...given.values()].flat().some(({ fit }) => fit.isShared)) {
    for (const [name, some] of given)
      if (some.every(({ fit }) => fit.fit < sure)) {
        given.delete(name);
        for (const { token } of some) fits.delete(token);
      }
  }
  const all = [...given.values()].flat();
  const worstIn = (name: string) => Math.min(...(given.get(name) ?? []).map(({ fit }) => fit.fit));
  const wanted = places.filter(({ optional }) => !optional);
  // A value with the same name as an appliance is no appliance.
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
    nouns: places.flatMap(({ name, nouns, optional }) =>
      nouns.map((term) => ({ term, isFilled: optional || given.has(name) })),
    ),
    slots: new Map(wanted.map(({ name }) => [name, given.has(name) ? worstIn(name) : 0])),
    isWhole: wanted.every(({ name }) => given.has(name)),
    isSure: all.every(({ fit }) => fit.fit >= sure),
    isNamed: all.some(({ fit }) => fit.isKnown === true),
  };
}

const placesByPattern = new WeakMap<Pattern, readonly Place[]>();

function placesOf(command: AnyCommand, pattern: Pattern): readonly Place[] {
  const known = placesByPattern.get(pattern) ?? readPlaces(command, pattern);
  placesByPattern.set(pattern, known);
  return known;
}

function readPlaces(command: AnyCommand, { rest, options }: Pattern): readonly Place[] {
  const nounsFor = (name: string) => ({ nouns: nounsOf(command, name), leads: leadsTo(command, name) });
  return [
    ...rest.flatMap((one, index) => {
      const earlier = rest[index - 1];
      const before = earlier?.kind === 'literal' ? earlier.word : undefined;
      return one.kind === 'slot' ? [{ ...one, ...nounsFor(one.name), before, isOption: false }] : [];
    }),
    ...Array.from(options.values(), (option) => ({
      ...option,
      ...nounsFor(option.name),
      before: option.name,
      isOption: true,
    })),
  ];
}

function candidatesFor(
  tokens: readonly Token[],
  command: AnyCommand,
  places: readonly Place[],
  known: KnownThings,
  named: ReadonlyMap<string, Token>,
): readonly Candidate[] {
  const nouns = new Set(places.flatMap((place) => place.nouns));
  const { leading, isApart } = prepositionsIn(tokens);
  const found = places.flatMap((place, order) => {
    const argument = command.args[place.name];
    return tokens.flatMap((token, index): Candidate[] => {
      // "audit denied": a flag needs only its name. A change takes no flag from a stray word.
      if (
        argument?.input === 'flag' &&
        command.kind !== 'change' &&
        namesOption(place.name, token.word.text.toLowerCase())
      ) {
        return [
          { place, token, fit: { fit: 1, word: '' }, rank: 1 - order * 0.01 - index * 0.001, led: undefined },
        ];
      }
      const led = leading[index];
      // "by accident" names nobody, but "what did zed do" names somebody, known or not.
      const isNamed = named.get(place.name) === token && (led === undefined || !argument?.isPerson);
      const found = argument && fitIn(token, argument, known, isNamed);
      if (found === undefined) return [];
      // "database crm": the noun of a value is no value.
      if (!found.isKnown && token.noun !== undefined && nouns.has(token.noun)) return [];
      const noun = tokens[index - 1]?.noun ?? nounAfter(tokens, index, place.nouns);
      const fit = calledSo(found, token, noun, place.nouns);
      const before = tokens[index - 1]?.word.text.toLowerCase() ?? '';
      const isWanted = isLedTo(place, led) || namesOption(place.before, before);
      const isSaid = led !== undefined && [...place.leads].some((one) => saysTheSame(one, led));
      const isLed = isWanted || (place.isOption && isSaid && argument?.list !== undefined);
      // A word of commands is a value only if something has that name, or if a small word leads to it.
      if (token.isWritten && !(isLed && (place.isOption || isParticle(before))) && fit.fit < 0.7) return [];
      // Options need their name, except for people, durations and sites.
      const isPlain =
        argument?.isPerson || argument?.isUser
          ? fit.fit >= sure
          : isSpan(argument, token) || (place.name === 'about' && isSite(token));
      if (place.isOption && !isLed && !isPlain && !isNamed) return [];
      // An optional slot takes only names that are listed.
      if (place.isOption && argument?.list !== undefined && fit.fit < sure) return [];
      // "take zoom.us out of video_conferences": the source is not the thing to take.
      if (command.kind === 'change' && isApart(index) && !isLed && !isSaid && !isSpan(argument, token))
        return [];
      const isMisled = !isLed && led !== undefined && places.some((other) => isLedTo(other, led));
      // A slot without a small word holds the verb's object, which follows no preposition if that can be told.
      const direction = directionOf(led ?? '');
      const isBeside =
        place.before === undefined &&
        direction !== undefined &&
        ![...place.leads].some((one) => directionOf(one) === direction);
      const rank =
        fit.fit +
        (isLed ? 0.4 : isSaid ? 0.1 : 0) -
        (isMisled ? 0.5 : isBeside ? 0.3 : 0) -
        order * 0.01 -
        index * 0.001;
      return [{ place, token, fit, rank, led }];
    });
  });
  return found.toSorted((one, other) => other.rank - one.rank);
}

interface Prepositions {
  readonly leading: ReturnType<typeof ledIn>;
  /** Whether it follows a preposition of place whose thing is there too. */
  readonly isApart: (index: number) => boolean;
}

const prepositions = new WeakMap<readonly Token[], Prepositions>();

function prepositionsIn(tokens: readonly Token[]): Prepositions {
  const known = prepositions.get(tokens);
  if (known !== undefined) return known;
  const leading = ledIn(tokens);
  const isAim = (index: number) => {
    const direction = directionOf(leading[index] ?? '');
    return direction === 'away' || direction === 'toward';
  };
  // "delete .webex.com in video_conferences", "delete 103 of google_sni": these also say whose something is, so only what is
  // surely something stands apart from it.
  const isInside = (index: number) =>
    directionOf(leading[index] ?? '') === 'inside' || leading[index]?.toLowerCase() === 'of';
  const moved = tokens.findIndex((token, index) => isValue(token) && !isAim(index));
  const entry = tokens.findIndex(
    (token, index) => isEntry(token) && !isAim(index) && !isInside(index) && isValue(token),
  );
  const found = {
    leading,
    isApart: (index: number) =>
      (moved !== -1 && isAim(index)) || (entry !== -1 && entry !== index && isInside(index)),
  };
  prepositions.set(tokens, found);
  return found;
}

/** A number, a site or a pattern. */
const isEntry = ({ word }: Token): boolean => /^#?\d+$|\w\.\w/.test(word.text);

/** A word that may name something, and has no other role in the sentence. */
const isValue = ({ word, isWritten, area, noun }: Token): boolean =>
  word.isQuoted || (!isWritten && area === undefined && noun === undefined && !isFiller(word.text));

/** Whether the word follows the small word that the phrase has before the slot. */
const isLedTo = ({ before, isOption }: Place, led: string | undefined): boolean =>
  before !== undefined &&
  led !== undefined &&
  (isOption ? namesOption(before, led) : saysTheSame(before, led));

/** Filler never becomes a value. */
function fitIn(token: Token, argument: Argument, known: KnownThings, isNamed: boolean): Fit | undefined {
  const { tried, word } = token;
  if (isNamed) return fitOf(argument, word, known, isNamed);
  if (tried.has(argument)) return tried.get(argument);
  // A topic is an area, and nothing else.
  if (argument.isTopic) return token.area === undefined ? undefined : { fit: 0.75, word: word.text };
  const isSaid = token.area !== undefined || (!word.isQuoted && isFiller(word.text));
  const found = isSaid ? undefined : fitOf(argument, word, known);
  // "lift the ban on it": a verb is a value only if something has that name.
  const fit = found?.isKnown || !token.isVerb ? found : undefined;
  tried.set(argument, fit);
  return fit;
}

/** "the shop database" means the same as "database shop". */
function nounAfter(tokens: readonly Token[], index: number, nouns: readonly string[]): string | undefined {
  const after = tokens[index + 1]?.noun;
  return after !== undefined && nouns.includes(after) ? after : undefined;
}

/** "15m" is a duration for an argument that takes only durations. */
const isSpan = (argument: Argument | undefined, { word }: Token): boolean =>
  readDuration(word.text) !== undefined && argument?.read('x').ok === false;

/** "shop.example.net", but not just any word. */
const isSite = ({ word }: Token): boolean =>
  /\.\p{L}/u.test(word.text) && readDomain(word.text) !== undefined;

/** "session 12" names no policy. */
function calledSo(fit: Fit, { isWritten }: Token, noun: string | undefined, nouns: readonly string[]): Fit {
  const isNumber = /^#?\d+$/.test(fit.word);
  if (noun === undefined || fit.isKnown || (fit.fit === 1 && !isNumber)) return fit;
  const isCalledSo = nouns.some((one) => one === noun || nearTo(noun).has(one));
  return { ...fit, fit: isCalledSo ? Math.max(fit.fit, isWritten ? 0.45 : 0.75) : fit.fit * 0.4 };
}

const namesOption = (option: string | undefined, word: string): boolean =>
  option !== undefined && (word === option || optionWords[option]?.includes(word) === true);

/** Words that introduce an option, besides its name. */
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
  denied: ['refused', 'rejected'],
  about: [
    ...['to', 'with', 'approved', 'touched', 'added', 'removed', 'deleted', 'moved', 'changed'],
    ...['blocked', 'unblocked', 'enabled', 'disabled', 'restarted'],
  ],
};
