import type { AnyCommand } from '../command.ts';
import { wantsWords } from '../command-name.ts';
import { lineOf } from '../language/asked.ts';
import { type Word, withoutManners, wordsIn } from '../language/line.ts';
import type { Suggestion } from '../language/match.ts';
import type { WrongOption } from '../language/options.ts';
import { createAlone } from './alone.ts';
import type { Impossible } from './impossible.ts';
import { type Intent, intentOf, type Mood } from './intent.ts';
import { type Ranked, type RankedImpossible, rank } from './rank.ts';
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
      /** What may be meant as well, and cannot be done. */
      readonly impossible?: Impossible;
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
/** What falls short by no more than this comes as near. */
const nearlyAsGood = 0.1;
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
  const tellAlone = createAlone(commands);
  const byPhrase = new Map(commands.map((command) => [command.phrase, command]));

  return (line, known = nothingKnown) => {
    if (line.length > longest) return { kind: 'unknown', longest };
    const plain = withoutManners(line);
    const said = inOneWord(plain);
    const intent = intentOf(line);
    const { mood } = intent;
    const words = joined(wordsIn(said), known);
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
    const ranked = ranking.commands.filter((one) => !isOpposite(one, intent));
    const likelyOnes = ranked.filter(({ score }) => score >= likely);
    const lookups = likelyOnes.filter(({ command }) => command.effect === 'read');
    // A question is never offered a change before a lookup.
    const fitting = mood === 'question' ? lookups : likelyOnes;
    const [best, ...others] = fitting;
    // What shows more than its channel is meant by nobody who does not say so.
    const second = others.find(({ command }) => command.named === undefined);
    const cannot =
      intent.isForbidden || ranking.impossible === undefined
        ? undefined
        : { ...ranking.impossible, score: believed(ranking.impossible.score, mood) };
    const nearest = (cannot?.impossible.nearest ?? [])
      .flatMap((phrase) => byPhrase.get(phrase) ?? [])
      .filter((command) => (mood !== 'question' || command.effect === 'read') && !intent.opposes(command))
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
    // Whoever orders something wants more than to be told.
    if (isClear && mood !== 'order' && isAsked(best.command) && best.isWhole && best.isSure && best.saysAll) {
      return { kind: 'lookup', meant: suggestionOf(best, best.command) };
    }
    const choices = fitting
      .filter(({ score }) => score >= best.score * close)
      .slice(0, most)
      // What fits no better than what cannot be done is offered only where its words are there.
      .filter((one) => !isTold || cannot.score < one.score || one.isWhole || one.isSure)
      .map((one) => suggestionOf(one, one.command));
    // What is hardly anything else is led by what comes nearest to it.
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

/** The opposite of what is wanted is never offered, however near its words are. */
const isOpposite = ({ command, asked }: Ranked, intent: Intent): boolean =>
  intent.opposes(
    command,
    Object.values(asked.typed).flatMap((words) => words ?? []),
  );

/**
 * A refusal hides what could be done, so it is as certain as a lookup that runs: every word of the line says it, and no command comes
 * near. What it names as nearest is shown with it, and counts only where it has a place for every word, too, or the line says it
 * no worse: "Sitzung beenden" lacks nothing but whose.
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
