import { isIP } from 'node:net';
import type { Argument } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import { isLiteral, wantsWords } from '../command-name.ts';
import { type Asked, lineOf } from '../language/asked.ts';
import { splitList, type Word, withoutManners, wordsIn } from '../language/line.ts';
import type { Suggestion } from '../language/match.ts';
import type { WrongOption } from '../language/options.ts';
import { type Pattern, readPattern } from '../language/pattern.ts';
import { wordsAmong } from '../lists/posted-file.ts';
import type { Impossible } from './impossible.ts';
import { acts, type Intent, intentOf, type Mood, moodOf, negation } from './intent.ts';
import { type Ranked, type RankedImpossible, rank } from './rank.ts';
import { collectSayings, type Sayings, sayingsIn } from './sayings.ts';
import { inOneWord } from './spoken.ts';
import { fitOf, type KnownThings, looksLikeSite, nameOfWords, nothingKnown } from './things.ts';
import type { SaidWord } from './token.ts';
import { isFiller, termOf } from './vocabulary.ts';

export type Understanding =
  /** A lookup that is clearly meant. It runs, and the answer says how the line was understood. */
  | { readonly kind: 'lookup'; readonly meant: Suggestion }
  /** Best first. None runs without a click. */
  | {
      readonly kind: 'choices';
      readonly choices: readonly Suggestion[];
      /** Whether the first is far likelier than the others. */
      readonly isClear: boolean;
      /** Whether the first explains every word of the line. */
      readonly saysAll: boolean;
      /** A possible meaning that no command can do. */
      readonly impossible?: Impossible;
    }
  | { readonly kind: 'impossible'; readonly impossible: Impossible; readonly choices: readonly Suggestion[] }
  /** A change is meant, with a start or end that cannot be resolved. */
  | (WrongOption & { readonly kind: 'wrong_option'; readonly command: AnyCommand })
  /** `longest`: the line has more characters than this, and was not read. */
  | { readonly kind: 'unknown'; readonly longest?: number };

export type Understand = (line: string, known?: KnownThings) => Understanding;

/** More would be a list to read, and no choice. */
const most = 3;
/** Less likely meanings are not offered. */
const likely = 0.38;
/** A meaning this likely, and this far ahead of the others, is clear. */
const clear = 0.8;
const ahead = 0.12;
/** Scores within this distance count as equal. */
const nearlyAsGood = 0.1;
/** Thresholds if no other meaning is close. */
const alone = { clear: 0.7, ahead: 0.3 };
/** Only meanings this close are offered beside the best. */
const close = 0.62;
/**
 * In characters. A longer text is not searched for its meaning, and the sender is told so. A pasted log thus
 * costs nothing.
 */
const longest = 2_000;

export function createUnderstanding(
  commands: readonly AnyCommand[],
  impossible: readonly Impossible[],
): Understand {
  const sayings = collectSayings(commands, impossible);
  const tellAlone = createAlone(commands);
  const byPhrase = new Map(commands.map((command) => [command.phrase, command]));
  const refused = new Map(commands.map((command) => [command, termsRefused(command)]));

  return (line, known = nothingKnown) => {
    if (line.length > longest) return { kind: 'unknown', longest };
    const plain = withoutManners(line);
    const said = inOneWord(plain);
    const words = joined(wordsIn(said), known);
    const intent = intentOf(withQuoted(line, words));
    const { mood } = intent;
    const thing = tellAlone(words, known);
    if (thing !== undefined) {
      const [first, ...others] = thing.meant.map((asked) => ({
        command: asked.command,
        line: lineOf(asked),
        asked,
      }));
      if (first !== undefined && others.length === 0 && thing.isSure) return { kind: 'lookup', meant: first };
      if (first !== undefined)
        return { kind: 'choices', choices: [first, ...others].slice(0, most), isClear: true, saysAll: true };
    }
    const ranking = rank(words, mood, sayings, known);
    const denied = deniedIn(plain, words, intent, sayings);
    // "no mfa for bob" is a phrasing of a change, and "no bob" is none.
    const isDenied = (command: AnyCommand) =>
      denied !== undefined && acts(command) && !refused.get(command)?.some((term) => denied.has(term));
    const ranked = ranking.commands.filter((one) => !isOpposite(one, intent) && !isDenied(one.command));
    const likelyOnes = ranked.filter(({ score }) => score >= likely);
    const lookups = likelyOnes.filter(({ command }) => command.effect === 'read');
    // A question is never offered a change before a lookup.
    const fitting = mood === 'question' ? lookups : likelyOnes;
    const [best, ...others] = fitting;
    // A command that shows more than its channel is meant only if the line names it.
    const second = others.find(({ command }) => command.named === undefined);
    const cannot =
      intent.isForbidden || ranking.impossible === undefined
        ? undefined
        : { ...ranking.impossible, score: believed(ranking.impossible.score, mood) };
    const nearest = (cannot?.impossible.nearest ?? [])
      .flatMap((phrase) => byPhrase.get(phrase) ?? [])
      .filter((command) => mood !== 'question' || command.effect === 'read')
      .filter((command) => !intent.opposes(command) && !isDenied(command))
      .map((command) =>
        suggestionOf(
          ranked.find((one) => one.command === command),
          command,
        ),
      )
      .slice(0, most);
    if (cannot !== undefined && isCertain(cannot, fitting))
      return { kind: 'impossible', impossible: cannot.impossible, choices: nearest };
    const isTold = cannot !== undefined && cannot.score > 0.5 && cannot.score > (best?.score ?? 0) - ahead;
    const told = isTold ? { impossible: cannot.impossible } : {};
    if (best === undefined)
      return isTold
        ? { kind: 'choices', choices: nearest, isClear: false, saysAll: false, ...told }
        : { kind: 'unknown' };
    const lead = best.score - (second?.score ?? 0);
    const isClear =
      (best.score >= clear && lead >= ahead) || (best.score >= alone.clear && lead >= alone.ahead);
    // An order wants more than an answer.
    if (isClear && mood !== 'order' && isAsked(best.command) && best.isWhole && best.isSure && best.saysAll) {
      return { kind: 'lookup', meant: suggestionOf(best, best.command) };
    }
    const choices = fitting
      .filter(({ score }) => score >= best.score * close)
      .slice(0, most)
      // A meaning that fits no better than the impossible one is offered only with all its words or sure
      // values.
      .filter((one) => !isTold || cannot.score < one.score || one.isWhole || one.isSure)
      .map((one) => suggestionOf(one, one.command));
    // If hardly anything else is possible, the closest commands come first.
    const isLed = isTold && cannot.isWhole && cannot.score - best.score >= ahead;
    const beside = choices.filter((one) => !nearest.some(({ command }) => command === one.command));
    return {
      kind: 'choices',
      choices: isLed || choices.length === 0 ? [...nearest, ...beside].slice(0, most) : choices,
      isClear,
      saysAll: best.saysAll,
      ...told,
    };
  };
}

/**
 * The known words of a line that begins with a bare "no" and has no verb: "no bob", "no record 101". It is a verdict or a
 * negation, and no order. Undefined for any other line.
 */
function deniedIn(
  line: string,
  words: readonly SaidWord[],
  { access }: Intent,
  sayings: Sayings,
): ReadonlySet<string> | undefined {
  if (!negation.test(line) || moodOf(line.replace(negation, ''), false) === 'order') return undefined;
  const named = words.slice(1).filter(({ text }) => !isFiller(text));
  const terms = named.map(({ text }) => termOf(text)).filter((term) => sayings.tells(term) > 0);
  const isAboutSite = named.some(({ text }) => looksLikeSite(text));
  return isAboutSite || (terms.length > 0 && access !== undefined) ? undefined : new Set(terms);
}

/** What phrasings that begin with a negation are about: "mfa" in "no mfa for <user>". */
const termsRefused = ({ says }: AnyCommand): readonly string[] =>
  sayingsIn(says).flatMap((one) => {
    const [, about] = /^(?:no|not|never) (?:more )?(.*)$/.exec(inOneWord(one)) ?? [];
    const words = about?.split(' ') ?? [];
    const end = words.findIndex((word) => !isLiteral(word) || isFiller(word));
    return words.slice(0, end === -1 ? words.length : end).map(termOf);
  });

/** A command that does the opposite is never offered, however close its words are. */
const isOpposite = ({ command, asked }: Ranked, intent: Intent): boolean =>
  intent.opposes(command, Object.values(asked.typed).flatMap(wordsAmong));

/**
 * A refusal hides possible commands, so it must be as certain as a lookup that runs. Every word of the line
 * must match, and no command may come close. The refusal's own nearest commands count only if they explain
 * every word too, or if the line matches them as well: "Sitzung beenden" lacks only whose.
 */
function isCertain({ impossible, score, isWhole }: RankedImpossible, commands: readonly Ranked[]): boolean {
  if (commands.length === 0) return score >= alone.clear || (isWhole && score > 0.5);
  const other = commands.find(
    (one) =>
      !impossible.nearest.includes(one.command.phrase) ||
      (one.saysAll && ((one.isWhole && one.isSure) || one.score >= score - nearlyAsGood)),
  );
  const lead = score - (other?.score ?? 0);
  return isWhole && ((score >= clear && lead >= ahead) || (score >= alone.clear && lead >= alone.ahead));
}

/**
 * A question can usually be answered by a lookup, even about something that cannot be changed; unless the words
 * match exactly.
 */
const believed = (score: number, mood: Mood): number =>
  mood === 'question' && score < 0.95 ? score * 0.8 : score;

/** The line with the typed values; a form asks for the rest. */
function suggestionOf(ranked: Ranked | undefined, command: AnyCommand): Suggestion {
  const asked = ranked?.asked ?? { command, typed: {} };
  const isWhole = ranked?.isWhole ?? !wantsWords(command);
  return { command, line: lineOf(asked), asked, ...(!isWhole && { isPartial: true }) };
}

/** "from Social Media", "called AI Tools": the number of capitalized words that make one name. */
function calledIn(words: readonly Word[], index: number): number {
  if (!/^(?:in|into|from|to|of|called|named|category|policy|list)$/i.test(words[index - 1]?.text ?? ''))
    return 1;
  const rest = words.slice(index, index + 4);
  const end = rest.findIndex(({ text, isQuoted }) => isQuoted || !/^\p{Lu}[\p{L}\p{N}&+-]*$/u.test(text));
  return Math.max(1, end === -1 ? rest.length : end);
}

/** "bob.miller's" belongs to bob.miller. */
const bareWord = (text: string): string =>
  text
    .replace(/^[,;:!?(]+/, '')
    .replace(/(?<![,;:!?).])[,;:!?).]+$/, '')
    .replace(/(?<=\w)['’]s$/, '');

/** Joins names of several words: "Online Shops". Punctuation at the end of a word belongs to the sentence. */
function joined(words: readonly Word[], known: KnownThings): readonly SaidWord[] {
  let clause = 0;
  const bare = words.flatMap(({ text, isQuoted }) => {
    const inner = isQuoted ? text : bareWord(text);
    // "poker.com,betting.example" and "12;14" are several values.
    const pieces = isQuoted ? [inner] : splitList(inner);
    const several = pieces.length > 1 && pieces.every((piece) => /[\d.]/.test(piece));
    const parts = several ? pieces : inner === '' ? [] : [inner];
    const said = parts.map((part) => ({ text: part, isQuoted, clause }));
    if (!isQuoted && /[,;!?.]$/.test(text)) clause += 1;
    return said;
  });
  const result: SaidWord[] = [];
  for (let index = 0; index < bare.length; index += 1) {
    const texts = bare.slice(index, index + 4).map((one) => one.text);
    const [length = 1, name] =
      [4, 3, 2]
        .filter((count) => count <= texts.length)
        .map((count) => [count, nameOfWords(texts.slice(0, count), known)] as const)
        .find(([, found]) => found !== undefined) ?? [];
    const count = name === undefined ? calledIn(bare, index) : length;
    const first = bare[index] as SaidWord;
    const text = name ?? texts.slice(0, count).join(' ');
    result.push(count === 1 ? first : { ...first, text, isQuoted: true });
    index += count - 1;
  }
  return result;
}

/** With the known names of several words in quotes: their words have no meaning of their own. */
const withQuoted = (line: string, words: readonly SaidWord[]): string =>
  words
    .filter(({ text, isQuoted }) => isQuoted && /\s/.test(text))
    .reduce((text, { text: name }) => {
      const at = text.toLowerCase().indexOf(name.toLowerCase());
      return at === -1 || text[at - 1] === '"'
        ? text
        : `${text.slice(0, at)}"${name}"${text.slice(at + name.length)}`;
    }, line);

/** Only reads. A guess never starts something that continues, such as a watch. */
const isAsked = (command: AnyCommand): boolean =>
  command.effect === 'read' && !(command.kind === 'lookup' && command.watches !== undefined);

/** The possible meanings of a thing that is typed alone. */
interface Alone {
  /** Lookups about such a thing. */
  readonly meant: readonly Asked[];
  /** Whether the thing is known to be of the kind that they look up. */
  readonly isSure: boolean;
}

/** Finds the lookups about a single typed thing: `maria.lopez`, `example.com`, `google_sni`. */
function createAlone(
  commands: readonly AnyCommand[],
): (words: readonly SaidWord[], known: KnownThings) => Alone | undefined {
  const lookups = commands
    .filter(({ byNameAlone }) => byNameAlone === true)
    .map((command) => ({ command, slot: slotOf(readPattern(command.phrase, command)) }));

  return (words, known) => {
    const [word, ...others] = words;
    if (word === undefined || others.length > 0) return undefined;
    const appliance = known.appliances.get(word.text.toLowerCase());
    const found = lookups.flatMap(({ command, slot }) => {
      const argument = slot === undefined ? undefined : command.args[slot];
      if (slot === undefined || argument === undefined)
        return appliance === undefined
          ? []
          : [{ asked: { command, typed: {}, on: appliance }, isSure: true }];
      const isSure = isNameOf(argument, word, known);
      return isSure === undefined ? [] : [{ asked: { command, typed: { [slot]: [word.text] } }, isSure }];
    });
    const sure = found.filter(({ isSure }) => isSure);
    const meant = (sure.length > 0 ? sure : found).map(({ asked }) => asked);
    return meant.length === 0 ? undefined : { meant, isSure: sure.length === 1 };
  };
}

const slotOf = ({ rest }: Pattern): string | undefined =>
  rest.flatMap((one) => (one.kind === 'slot' ? one.name : []))[0];

/**
 * Whether the word is a known name for this argument; false if it only looks like one, undefined if it does not
 * fit. An address alone does not show its kind.
 */
function isNameOf(argument: Argument, word: SaidWord, known: KnownThings): boolean | undefined {
  const found = fitOf(argument, word, known);
  if (found === undefined) return undefined;
  if (argument.list !== undefined) return found.fit === 1 ? true : undefined;
  if (argument.recognisable) return found.fit < 0.9 ? undefined : isIP(word.text) === 0;
  // An argument that takes any word identifies none by its shape; an ID has its own shape.
  if (!argument.read('x').ok) return true;
  return found.fit < 0.6 ? undefined : false;
}
