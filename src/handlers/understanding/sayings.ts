import MiniSearch from 'minisearch';
import type { AnyCommand } from '../command.ts';
import { areaOf, isLiteral } from '../command-name.ts';
import { type Pattern, readPattern } from '../language/pattern.ts';
import { isPreposition } from '../language/prepositions.ts';
import type { Impossible } from './impossible.ts';
import { inOneWord } from './spoken.ts';
import { isFiller, termOf, weightOf } from './vocabulary.ts';

/** A meaning of a line: a command, or something that no command can do. */
export type Meaning =
  | { readonly kind: 'command'; readonly command: AnyCommand; readonly pattern: Pattern }
  | { readonly kind: 'impossible'; readonly impossible: Impossible };

/** One phrasing, with its words in compared form and its slots. */
export interface Saying {
  readonly meaning: Meaning;
  readonly terms: readonly Term[];
  readonly areas: ReadonlySet<string>;
  /** The slots that it names; those of the phrase if it names none. */
  readonly slots: ReadonlySet<string>;
  /** The number of named things for which its command has no slot: "is <session> connected" lists all of them. */
  readonly holes: number;
  /** Whether these are only people or places: "<somebody> cannot open <domain>" has the same answer for anybody. */
  readonly isForAnybody: boolean;
  /** Comes from a summary, which nobody types. */
  readonly isExplained: boolean;
  readonly words: readonly string[];
}

/** A word of a phrasing with its weight: 1 if only one meaning has it. */
interface Term {
  readonly term: string;
  readonly weight: number;
}

export interface Sayings {
  readonly areas: ReadonlySet<string>;
  /** The terms for arguments of commands: "session", "policy". */
  readonly nouns: ReadonlySet<string>;
  /** The phrasings that share words with these terms, likeliest first. */
  readonly with: (terms: readonly string[]) => readonly Saying[];
  /** The weight of a term: 1 if one meaning has it, less if more do, 0 if none does. */
  readonly tells: (term: string) => number;
  /** Every word of a phrasing, as people type it. */
  readonly words: readonly string[];
}

/** Each phrasing of a declaration. */
export const sayingsIn = (says = ''): readonly string[] =>
  says.split(' /').flatMap((one) => one.trim().replace(/\s+/g, ' ') || []);

/** Further candidates never decide. */
const most = 250;

export function collectSayings(commands: readonly AnyCommand[], impossible: readonly Impossible[]): Sayings {
  const written = [
    ...commands.flatMap((command) => {
      const meaning = { kind: 'command', command, pattern: readPattern(command.phrase, command) } as const;
      const said = [command.phrase, ...(command.also ?? []), ...sayingsIn(command.says)];
      return [
        ...said.map((text) => ({ meaning, text, isExplained: false })),
        { meaning, text: `${command.phrase.split(' ', 1)[0]} ${command.summary}`, isExplained: true },
      ];
    }),
    ...impossible.flatMap((one) =>
      sayingsIn(one.says).map((text) => ({
        text,
        isExplained: false,
        meaning: { kind: 'impossible', impossible: one } as const,
      })),
    ),
  ].map((one) => ({ ...one, words: wordsOf(one.text, one.isExplained) }));
  const typed = written.filter(({ isExplained }) => !isExplained);
  const tells = tellingIn(typed.map(({ meaning, words }) => ({ key: keyOf(meaning), words })));
  const areas = areasAmong(commands);
  const all = written.map(
    ({ meaning, isExplained, words, text }): Saying => ({
      meaning,
      isExplained,
      areas: areasIn(meaning, areas),
      ...placesIn(text, meaning),
      words: isExplained
        ? []
        : inOneWord(text)
            .split(' ')
            .filter((word) => word !== ''),
      terms: words.map((word) => {
        const term = termOf(word);
        return { term, weight: Math.min(weightOf(word), tells.get(term) ?? 0.5) };
      }),
    }),
  );
  const index = new MiniSearch<{ id: number; terms: string }>({
    fields: ['terms'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => term,
  });
  index.addAll(all.map(({ terms }, id) => ({ id, terms: terms.map(({ term }) => term).join(' ') })));
  return {
    areas,
    nouns: new Set(
      commands.flatMap((command) => Object.keys(command.args).flatMap((name) => nounsOf(command, name))),
    ),
    with: (terms) =>
      index
        .search(terms.join(' '))
        .slice(0, most)
        .flatMap(({ id }) => all[id as number] ?? []),
    tells: (term) => tells.get(term) ?? 0,
    words: [...new Set(typed.flatMap(({ words }) => words))],
  };
}

/** The literal words, each once; from a summary only the meaningful ones. */
function wordsOf(text: string, isExplained: boolean): readonly string[] {
  const literal = inOneWord(text)
    .split(/[\s,;:()]+/)
    .filter((word) => word !== '' && isLiteral(word) && word !== '…');
  const said = literal.map((word) => word.toLowerCase()).filter((word) => !isExplained || !isFiller(word));
  return [...new Map(said.map((word) => [termOf(word), word])).values()];
}

function placesIn(text: string, meaning: Meaning): Pick<Saying, 'slots' | 'holes' | 'isForAnybody'> {
  const slots = meaning.kind === 'command' ? Object.keys(meaning.command.args) : [];
  const named = Array.from(text.matchAll(/<([^<>]+)>/g), ([, name = '']) => name);
  const holes = named.filter((name) => !slots.includes(name));
  return {
    slots: new Set(named.filter((name) => slots.includes(name))),
    holes: holes.length,
    isForAnybody:
      meaning.kind === 'command' &&
      meaning.command.effect === 'read' &&
      holes.every((name) => name === 'somebody' || name === 'place'),
  };
}

/** The areas in the phrase; for something impossible, in its nearest phrase. */
function areasIn(meaning: Meaning, areas: ReadonlySet<string>): ReadonlySet<string> {
  const phrase = meaning.kind === 'command' ? meaning.command.phrase : (meaning.impossible.nearest[0] ?? '');
  return new Set(
    phrase
      .split(' ')
      .filter(isLiteral)
      .map(termOf)
      .filter((term) => areas.has(term)),
  );
}

/** From this many commands on, the first word is an area; with fewer, it is a verb. */
const fewest = 3;

function areasAmong(commands: readonly AnyCommand[]): ReadonlySet<string> {
  const counted = Map.groupBy(commands, (command) => termOf(areaOf(command)));
  return new Set(
    [...counted].flatMap(([term, some]) => (some.length >= fewest && !isFiller(term) ? [term] : [])),
  );
}

/** Weighs each term: 1 if one meaning has it, less if more do. */
function tellingIn(said: readonly { readonly key: unknown; readonly words: readonly string[] }[]) {
  const meanings = new Map<string, Set<unknown>>();
  for (const { key, words } of said) {
    for (const term of words.map(termOf)) meanings.set(term, (meanings.get(term) ?? new Set()).add(key));
  }
  const count = Math.max(2, new Set(said.map(({ key }) => key)).size);
  return new Map(
    Array.from(meanings, ([term, { size }]) => [term, Math.max(0.2, 1 - Math.log(size) / Math.log(count))]),
  );
}

const leads = new WeakMap<AnyCommand, ReadonlyMap<string, ReadonlySet<string>>>();

/**
 * The prepositions before an argument in its command's phrases and phrasings. The argument's noun may stand
 * between: "from category <category>".
 */
export function leadsTo(command: AnyCommand, name: string): ReadonlySet<string> {
  const known = leads.get(command) ?? leadsIn(command);
  leads.set(command, known);
  return known.get(name) ?? none;
}

const none: ReadonlySet<string> = new Set();

function leadsIn(command: AnyCommand): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const text of [command.phrase, ...(command.also ?? []), ...sayingsIn(command.says)]) {
    const words = inOneWord(text).split(' ');
    for (const [index, word] of words.entries()) {
      const name = /^<([^<>-]+)>/.exec(word)?.[1];
      if (name === undefined || command.args[name] === undefined) continue;
      const before = words.slice(Math.max(0, index - 3), index).reverse();
      const at = before.findIndex((one) => !isLiteral(one) || isPreposition(one));
      const led = before[at];
      if (led !== undefined && isLiteral(led))
        found.set(name, (found.get(name) ?? new Set()).add(led.toLowerCase()));
    }
  }
  return found;
}

/** The nouns for an argument: its name, and its kind. */
export const nounsOf = ({ args }: AnyCommand, name: string): readonly string[] => [
  ...new Set(
    [name, args[name]?.what.split(' ').at(-1) ?? name].filter((word) => !isFiller(word)).map(termOf),
  ),
];

const keyOf = (meaning: Meaning): unknown =>
  meaning.kind === 'command' ? meaning.command : meaning.impossible;
