import MiniSearch from 'minisearch';
import type { AnyCommand } from '../command.ts';
import { areaOf, isLiteral } from '../command-name.ts';
import { type Pattern, readPattern } from '../language/pattern.ts';
import { isPreposition } from '../language/prepositions.ts';
import type { Impossible } from './impossible.ts';
import { inOneWord } from './spoken.ts';
import { isFiller, termOf, weightOf } from './vocabulary.ts';

/** What a line can mean: a command, or something that no command does. */
export type Meaning =
  | { readonly kind: 'command'; readonly command: AnyCommand; readonly pattern: Pattern }
  | { readonly kind: 'impossible'; readonly impossible: Impossible };

/** One way in which people say something: its words, in the form in which they are compared, and what it has room for. */
export interface Saying {
  readonly meaning: Meaning;
  readonly terms: readonly Term[];
  /** The areas that it belongs to, as terms. */
  readonly areas: ReadonlySet<string>;
  /** The slots of its command that it names; those of the phrase, where it names none. */
  readonly slots: ReadonlySet<string>;
  /** How many things it names that no slot of its command takes: "is <session> connected" lists all of them. */
  readonly holes: number;
  /** Whether who or where is all that those are: "<somebody> cannot open <domain>" is answered the same for anybody. */
  readonly isForAnybody: boolean;
  /** Of a summary, which explains and is not what people type. */
  readonly isExplained: boolean;
  /** All of it, slots too, as it is typed. */
  readonly words: readonly string[];
}

/** A word of a saying, and how much it counts in it: 1 for what only one meaning has. */
interface Term {
  readonly term: string;
  readonly weight: number;
}

export interface Sayings {
  /** What areas are called, as terms. */
  readonly areas: ReadonlySet<string>;
  /** What the arguments of commands are called, as terms: "session", "policy". */
  readonly nouns: ReadonlySet<string>;
  /** The sayings that share words with these terms, the likeliest first. */
  readonly with: (terms: readonly string[]) => readonly Saying[];
  /** How much a term tells: 1 where one meaning has it, less the more have it, 0 where none does. */
  readonly tells: (term: string) => number;
  /** Every word that is written in one, as people type it. */
  readonly words: readonly string[];
}

/** Each of the ways of asking that a declaration has. */
export const sayingsIn = (says = ''): readonly string[] =>
  says.split(' /').flatMap((one) => one.trim().replace(/\s+/g, ' ') || []);

/** More than these never decide. */
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
        ...{ text, isExplained: false },
        meaning: { kind: 'impossible', impossible: one } as const,
      })),
    ),
  ].map((one) => ({ ...one, words: wordsOf(one.text, one.isExplained) }));
  const typed = written.filter(({ isExplained }) => !isExplained);
  const tells = tellingIn(typed.map(({ meaning, words }) => ({ key: keyOf(meaning), words })));
  const areas = areasAmong(commands);
  const all = written.map(
    ({ meaning, isExplained, words, text }): Saying => ({
      ...{ meaning, isExplained, areas: areasIn(meaning, areas), ...placesIn(text, meaning) },
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

/** The literal words, each once; of a summary only those that say something. */
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

/** The words of the phrase that name one; of what is impossible, those of what comes nearest. */
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

/** So many commands are an area that people name; the first word of fewer is what they do. */
const fewest = 3;

function areasAmong(commands: readonly AnyCommand[]): ReadonlySet<string> {
  const counted = Map.groupBy(commands, (command) => termOf(areaOf(command)));
  return new Set(
    [...counted].flatMap(([term, some]) => (some.length >= fewest && !isFiller(term) ? [term] : [])),
  );
}

/** How much each term tells: 1 where one meaning has it, less the more have it. */
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
 * The prepositions that an argument stands behind in what is declared of its command: its phrases, and the ways in which people say it.
 * What the thing is called may stand between them: "from category <category>".
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

/** What an argument is called: by its name, and by what it takes. */
export const nounsOf = ({ args }: AnyCommand, name: string): readonly string[] => [
  ...new Set(
    [name, args[name]?.what.split(' ').at(-1) ?? name].filter((word) => !isFiller(word)).map(termOf),
  ),
];

const keyOf = (meaning: Meaning): unknown =>
  meaning.kind === 'command' ? meaning.command : meaning.impossible;
