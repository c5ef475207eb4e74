import { distance } from 'fastest-levenshtein';
import type { Argument } from '../argument.ts';
import type { Word } from '../language/line.ts';
import type { Sayings } from './sayings.ts';
import type { Fit, KnownThings } from './things.ts';
import { isFiller, nearTo, termOf, weightOf } from './vocabulary.ts';

/** A word, and the clause of the line that it stands in. */
export interface SaidWord extends Word {
  readonly clause: number;
}

/** A word of a line as it is compared: which terms it may be, and how near it is to each. */
export interface Token {
  readonly word: SaidWord;
  readonly terms: ReadonlyMap<string, number>;
  readonly weight: number;
  /** Whether commands are written with it: then it is a value only where something is called so. */
  readonly isWritten: boolean;
  /** The area that it names. */
  readonly area?: string;
  /** What of a command it is called by: "session" before a number. */
  readonly noun?: string;
  /** The appliance that it names. */
  readonly appliance?: string;
  /** How well it fits the arguments that it was tried with. */
  readonly tried: Map<Argument, Fit | undefined>;
}

export function tokenOf(word: SaidWord, sayings: Sayings, known: KnownThings): Token {
  const { text, isQuoted } = word;
  const appliance = known.appliances.get(text.toLowerCase());
  const common = { word, tried: new Map(), ...(appliance && { appliance }) };
  if (isQuoted) return { ...common, terms: new Map(), weight: 1, isWritten: false };
  const term = termOf(text);
  const terms = new Map([[term, 1]]);
  for (const [near, how] of nearTo(term)) terms.set(near, how);
  // "reboot hq" is "reboot the appliance".
  if (appliance !== undefined) terms.set(termOf('appliance'), 0.9);
  if (sayings.tells(term) === 0 && !isFiller(text)) {
    for (const [meant, how] of slipsOf(text.toLowerCase(), sayings.words)) {
      terms.set(meant, Math.max(how, terms.get(meant) ?? 0));
    }
  }
  const telling = Math.max(...Array.from(terms, ([one, how]) => sayings.tells(one) * how));
  const weight = Math.min(weightOf(text), telling === 0 ? 0.4 : Math.max(telling, 0.2));
  const area = sayings.areas.has(term) ? { area: term } : {};
  const noun = sayings.nouns.has(term) ? { noun: term } : {};
  return { ...common, ...area, ...noun, terms, weight, isWritten: sayings.tells(term) > 0 };
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
