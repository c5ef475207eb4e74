import type { AnyCommand } from '../command.ts';
import { wantsWords } from '../command-name.ts';
import { lineOf } from '../language/asked.ts';
import { type Word, withoutManners, wordsIn } from '../language/line.ts';
import type { Suggestion } from '../language/match.ts';
import type { WrongOption } from '../language/options.ts';
import type { Impossible } from './impossible.ts';
import { type Mood, moodOf } from './mood.ts';
import { type Ranked, rank } from './rank.ts';
import { collectSayings } from './sayings.ts';
import { inOneWord } from './spoken.ts';
import { type KnownThings, nameOfWords, nothingKnown } from './things.ts';
import type { SaidWord } from './token.ts';

/** What a line that is no command was taken for. */
export type Understanding =
  /** A lookup that is clearly meant: it runs, and says how it was understood. */
  | { readonly kind: 'lookup'; readonly meant: Suggestion }
  /** The best first. Nothing of it runs without a click. */
  | {
      readonly kind: 'choices';
      readonly choices: readonly Suggestion[];
      /** Whether the first is far likelier than the others. */
      readonly isClear: boolean;
      /** Whether the first has a place for every word of the line. */
      readonly saysAll: boolean;
    }
  | { readonly kind: 'impossible'; readonly impossible: Impossible; readonly choices: readonly Suggestion[] }
  /** A change is meant, and a time or an end that it cannot have: nobody knows when that is. */
  | (WrongOption & { readonly kind: 'wrong_option'; readonly command: AnyCommand })
  /** `longest`: it has more characters than this, and was not read. */
  | { readonly kind: 'unknown'; readonly longest?: number };

export type Understand = (line: string, known?: KnownThings) => Understanding;

/** More are no choice, but a list to read. */
const most = 3;
/** What is not as likely as this is not offered. */
const likely = 0.38;
/** And what is as likely as this, and so much likelier than anything else, is meant. */
const clear = 0.8;
const ahead = 0.12;
/** Where nothing else comes near, less will do. */
const alone = { clear: 0.7, ahead: 0.3 };
/** Beside the best, only what is so near to it. */
const close = 0.62;
/** In characters. Longer text is not read for what it means, and whoever sent it is told: a pasted log costs nothing. */
const longest = 2_000;

export function createUnderstanding(
  commands: readonly AnyCommand[],
  impossible: readonly Impossible[],
): Understand {
  const sayings = collectSayings(commands, impossible);
  const byPhrase = new Map(commands.map((command) => [command.phrase, command]));

  return (line, known = nothingKnown) => {
    if (line.length > longest) return { kind: 'unknown', longest };
    const plain = withoutManners(line);
    const said = inOneWord(plain);
    const mood = moodOf(said, /\?\s*$/.test(line));
    const words = joined(wordsIn(said), known);
    const ranking = rank(words, mood, sayings, known);
    const likelyOnes = ranking.commands.filter(({ score }) => score >= likely);
    const lookups = likelyOnes.filter(({ command }) => command.effect === 'read');
    // A question is never offered a change before a lookup.
    const fitting = mood === 'question' ? lookups : likelyOnes;
    const [best, ...others] = fitting;
    // What shows more than its channel is meant by nobody who does not say so.
    const second = others.find(({ command }) => command.named === undefined);
    const impossibility = believed(ranking.impossible?.score ?? 0, mood);
    if (ranking.impossible !== undefined && impossibility > Math.max(best?.score ?? 0, 0.5)) {
      const nearest = ranking.impossible.impossible.nearest
        .flatMap((phrase) => byPhrase.get(phrase) ?? [])
        .filter(({ effect }) => mood !== 'question' || effect === 'read');
      const ranked = nearest.map((command) => ranking.commands.find((one) => one.command === command));
      return {
        kind: 'impossible',
        impossible: ranking.impossible.impossible,
        choices: nearest.map((command, index) => suggestionOf(ranked[index], command)).slice(0, most),
      };
    }
    if (best === undefined) return { kind: 'unknown' };
    const lead = best.score - (second?.score ?? 0);
    const isClear =
      (best.score >= clear && lead >= ahead) || (best.score >= alone.clear && lead >= alone.ahead);
    if (isClear && isAsked(best.command) && best.isWhole && best.isSure && best.saysAll) {
      return { kind: 'lookup', meant: suggestionOf(best, best.command) };
    }
    const choices = fitting.filter(({ score }) => score >= best.score * close).slice(0, most);
    return {
      kind: 'choices',
      choices: choices.map((one) => suggestionOf(one, one.command)),
      isClear,
      saysAll: best.saysAll,
    };
  };
}

/** What is asked about can be looked at, as a rule, also where it cannot be changed; unless these are the very words. */
const believed = (score: number, mood: Mood): number =>
  mood === 'question' && score < 0.95 ? score * 0.8 : score;

/** The line with what was typed, as far as it goes; a form asks for the rest. */
function suggestionOf(ranked: Ranked | undefined, command: AnyCommand): Suggestion {
  const asked = ranked?.asked ?? { command, typed: {} };
  const isWhole = ranked?.isWhole ?? !wantsWords(command);
  return { command, line: lineOf(asked), asked, ...(!isWhole && { isPartial: true }) };
}

/** "from Social Media", "called AI Tools": how many words with capitals are a name together. */
function calledIn(words: readonly Word[], index: number): number {
  if (!/^(?:in|into|from|to|of|called|named|category|policy|list)$/i.test(words[index - 1]?.text ?? ''))
    return 1;
  const rest = words.slice(index, index + 4);
  const end = rest.findIndex(({ text, isQuoted }) => isQuoted || !/^\p{Lu}[\p{L}\p{N}&+-]*$/u.test(text));
  return Math.max(1, end === -1 ? rest.length : end);
}

/** "bob.miller's" is of bob.miller. */
const bareWord = (text: string): string =>
  text
    .replace(/^[,;:!?(]+/, '')
    .replace(/(?<![,;:!?).])[,;:!?).]+$/, '')
    .replace(/(?<=\w)['’]s$/, '');

/** Names of several words are one word: "Online Shops". Marks at the end of a word belong to the sentence. */
function joined(words: readonly Word[], known: KnownThings): readonly SaidWord[] {
  let clause = 0;
  const bare = words.flatMap(({ text, isQuoted }) => {
    const inner = isQuoted ? text : bareWord(text);
    // "poker.com,betting.example" and "12,14" are several.
    const pieces = inner.split(',');
    const several = !isQuoted && pieces.every((piece) => /[\d.]/.test(piece));
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

/** What only tells something; what goes on from then on is nothing that a guess begins. */
const isAsked = (command: AnyCommand): boolean =>
  command.effect === 'read' && !(command.kind === 'lookup' && command.watches !== undefined);
