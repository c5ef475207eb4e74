import type { Argument } from '../argument.ts';
import type { Word } from '../language/line.ts';
import { isPreposition } from '../language/prepositions.ts';
import { meaningOf, moodOf } from './intent.ts';

import type { Sayings } from './sayings.ts';
import type { Fit, KnownThings } from './things.ts';
import { againOf, isFiller, nearTo, slipsOf, termOf, weightOf } from './vocabulary.ts';

export interface SaidWord extends Word {
  readonly clause: number;
}

/** A word of a line in compared form: the terms that it may be, and how close each is. */
export interface Token {
  readonly word: SaidWord;
  readonly terms: ReadonlyMap<string, number>;
  readonly weight: number;
  /** Whether commands use this word. Then it is a value only if something has that name. */
  readonly isWritten: boolean;
  readonly area?: string;
  /** The noun that it is for a command: "session" before a number. */
  readonly noun?: string;
  readonly appliance?: string;
  /** Whether it is a verb. Then it is a value only if something has that name. */
  readonly isVerb: boolean;
  readonly tried: Map<Argument, Fit | undefined>;
}

export function tokenOf(word: SaidWord, sayings: Sayings, known: KnownThings): Token {
  const { text, isQuoted } = word;
  const appliance = known.appliances.get(text.toLowerCase());
  const common = { word, tried: new Map(), ...(appliance && { appliance }) };
  if (isQuoted) return { ...common, terms: new Map(), weight: 1, isWritten: false, isVerb: false };
  const term = termOf(text);
  const terms = new Map([[term, 1]]);
  for (const [near, how] of nearTo(term)) terms.set(near, how);
  // "reboot hq" is "reboot the appliance".
  if (appliance !== undefined) terms.set(termOf('appliance'), 0.9);
  if (sayings.tells(term) === 0 && !isFiller(text)) {
    const again = againOf(text);
    const slips = [text.toLowerCase(), ...(again === undefined ? [] : [again])].flatMap((one) =>
      slipsOf(one, sayings.words),
    );
    for (const [meant, how] of slips) terms.set(meant, Math.max(how, terms.get(meant) ?? 0));
    if (again !== undefined && sayings.tells(termOf(again)) > 0) terms.set(termOf(again), 0.95);
  }
  const telling = Math.max(...Array.from(terms, ([one, how]) => sayings.tells(one) * how));
  const weight = Math.min(weightOf(text), telling === 0 ? 0.4 : Math.max(telling, 0.2));
  const area = sayings.areas.has(term) ? { area: term } : {};
  const noun = sayings.nouns.has(term) ? { noun: term } : {};
  const isVerb = meaningOf(text.toLowerCase()) !== undefined;
  return { ...common, ...area, ...noun, terms, weight, isWritten: sayings.tells(term) > 0, isVerb };
}

/**
 * The preposition before each token, across articles and nouns: "from" before google_sni in "from the acl
 * object google_sni". Things joined by "and", and adjacent sites, share it.
 */
export function ledIn(tokens: readonly Token[]): readonly (string | undefined)[] {
  const led: (string | undefined)[] = [];
  for (const index of tokens.keys()) {
    const before = tokens[index - 1];
    if (before !== undefined && isJoint(before)) led.push(led[index - 2]);
    else if (before !== undefined && areSites(before, tokens[index] as Token)) led.push(led[index - 1]);
    else led.push(prepositionBefore(tokens, index));
  }
  return led;
}

function prepositionBefore(tokens: readonly Token[], index: number): string | undefined {
  for (let at = index - 1; at >= Math.max(0, index - 4); at -= 1) {
    const { word, noun, area } = tokens[at] as Token;
    if (word.isQuoted) return undefined;
    const text = word.text.toLowerCase();
    if (isPreposition(text)) return text;
    // "to block example.com" leads to no site.
    const isCalledSo = (noun !== undefined || area !== undefined) && moodOf(text, false) !== 'order';
    if (!isCalledSo && !articles.has(text)) return undefined;
  }
  return undefined;
}

/** "of a.example b.example" */
const areSites = (...some: readonly Token[]): boolean =>
  some.every(({ word }) => /[^.]\.[^.]/.test(word.text));

const isJoint = ({ word: { text, isQuoted } }: Token): boolean =>
  !isQuoted && /^(?:and|or|und|oder|&|\+)$/i.test(text);

const articles: ReadonlySet<string> = new Set(
  'a an the this that these those my our your their his her its list group der die das den dem'.split(' '),
);
