import type { AnyCommand } from '../command.ts';
import { type Asked, lineOf } from '../language/asked.ts';
import { isOption, spelled, type Word, wordsIn } from '../language/line.ts';
import type { Suggestion } from '../language/match.ts';
import { isUndoable, takeGeneral, type WrongOption } from '../language/options.ts';
import { readTerm, type TypedTerm } from '../language/term.ts';
import { apartFromTicket } from '../language/ticket.ts';
import { type SpokenEnd, takeEnd, takeStart } from '../language/times/spoken-times.ts';
import { readStart } from '../language/times/start.ts';
import type { Understanding } from './understand.ts';

/**
 * "block example.com for two hours --on branch": duration, start, reason and appliance are split off before the
 * rest is understood. They are offered with the result. None is lost, and none becomes a value.
 */
export function understandBeside(line: string, understand: (line: string) => Understanding): Understanding {
  const because = takeBecause(wordsIn(line));
  if (because !== undefined) {
    const found = understandBeside(because, understand);
    const [first] = found.kind === 'choices' ? found.choices : [];
    // "why is it blocked because of that" stays a question.
    if (first !== undefined && (first.command.kind === 'change' || first.command.args.reason !== undefined))
      return found;
  }
  const { on, dryRun, words } = takeGeneral(wordsIn(line));
  const { reason, others } = takeReason(words);
  const isPlain = on === undefined && dryRun === undefined && others.length === words.length;
  const found = understandStarting(others, isPlain ? line : textOf(others), understand);
  if (isPlain) return found;
  const add = (choice: Suggestion): Suggestion => {
    const asked = {
      ...choice.asked,
      ...(on !== undefined && { on }),
      ...(dryRun && choice.command.kind === 'change' && { dryRun }),
      ...(reason !== undefined && withReason(choice.asked, reason)),
    };
    return { ...choice, asked, line: lineOf(asked) };
  };
  if (found.kind === 'lookup') return { ...found, meant: add(found.meant) };
  return 'choices' in found ? { ...found, choices: found.choices.map(add) } : found;
}

/** Splits off the ticket of a change, which says nothing about what to change. */
export function understandForTicket(
  line: string,
  understand: (line: string) => Understanding,
): Understanding {
  const meant = understand(line);
  const named = /ticket/i.test(line) ? apartFromTicket(wordsIn(line)) : undefined;
  if (named === undefined || meant.kind === 'lookup') return meant;
  const { ticket, words } = named;
  const bare = understand(textOf(words));
  if (bare.kind !== 'choices' || bare.choices[0]?.command.kind !== 'change') return meant;
  const choices = bare.choices.map((one): Suggestion => {
    const asked = one.command.kind === 'change' ? { ...one.asked, ticket } : one.asked;
    return { ...one, asked, line: lineOf(asked) };
  });
  return { ...bare, choices };
}

/**
 * "tonight at 10 add example.com to shopping": splits off the start. A change for later is offered with its
 * start, or not at all.
 * @param line the words as typed
 */
function understandStarting(
  words: readonly Word[],
  line: string,
  understand: (line: string) => Understanding,
): Understanding {
  const begun = takeStart(words);
  if (begun === undefined) return understandEnding(words, line, understand);
  const { start, others } = begun;
  const found = understandEnding(others, textOf(others), understand);
  const wrong = (command: AnyCommand, problem: WrongOption['problem']): Understanding => ({
    kind: 'wrong_option',
    command,
    problem,
    option: `--${start.option}`,
    given: start.text,
  });
  if (found.kind === 'lookup')
    return begun.isOption
      ? wrong(found.meant.command, 'changes_only')
      : understandEnding(words, line, understand);
  const [first] = 'choices' in found ? found.choices : [];
  if (first === undefined)
    return found.kind === 'wrong_option' || begun.isOption
      ? found
      : understandEnding(words, line, understand);
  if (first.command.kind !== 'change' && !begun.isOption) return understandEnding(words, line, understand);
  if (!('choices' in found)) return found;
  if (readStart(start) === undefined) return wrong(first.command, 'no_start');
  const choices = found.choices.map((choice): Suggestion => {
    if (choice.command.kind !== 'change') return choice;
    const asked = { ...choice.asked, start };
    return { ...choice, asked, line: lineOf(asked) };
  });
  return { ...found, choices };
}

/** @param line the words as typed */
function understandEnding(
  words: readonly Word[],
  line: string,
  understand: (line: string) => Understanding,
): Understanding {
  const end = takeEnd(words) ?? vagueEnd(words);
  if (end === undefined) return understand(line);
  const found = understand(textOf(end.others));
  const [first] = found.kind === 'choices' ? found.choices : [];
  if (found.kind !== 'choices' || first === undefined || endingIn(first.asked, end.term) === undefined)
    return understand(line);
  const { option } = end.term;
  if (readTerm(end.term) === undefined)
    return {
      kind: 'wrong_option',
      command: first.command,
      problem: 'no_term',
      option: `--${option}`,
      given: end.term.text,
    };
  const choices = found.choices.flatMap((choice) => {
    const asked = endingIn(choice.asked, end.term);
    if (asked !== undefined) return { ...choice, asked, line: lineOf(asked) };
    // A permanent change was not meant.
    return choice.command.kind === 'change' ? [] : choice;
  });
  return { ...found, choices };
}

function endingIn(asked: Asked, term: TypedTerm): Asked | undefined {
  const { args } = asked.command;
  const own = args[term.option];
  if (own?.read(term.text).ok) return { ...asked, typed: { ...asked.typed, [term.option]: [term.text] } };
  // "ask for it until 18:00"
  if (own === undefined && term.option === 'until' && args.for?.read(`until ${term.text}`).ok)
    return { ...asked, typed: { ...asked.typed, for: [`until ${term.text}`] } };
  return own === undefined && isUndoable(asked.command) ? { ...asked, term } : undefined;
}

/** "temporarily", "for now": offers an hour, visibly, so that people can correct it. */
function vagueEnd(words: readonly Word[]): SpokenEnd | undefined {
  const isSaid = (saying: string, at: number) =>
    saying.split(' ').every((one, index) => {
      const word = words[at + index];
      return word?.isQuoted === false && word.text.toLowerCase().replace(/[,.!]$/, '') === one;
    });
  for (const at of words.keys()) {
    const saying = vague.find((one) => isSaid(one, at));
    if (saying === undefined) continue;
    const others = words.toSpliced(at, saying.split(' ').length);
    return { term: { option: 'for', text: '1h' }, others };
  }
  return undefined;
}

const vague = [
  'temporarily',
  'temporary',
  'for now',
  'for a while',
  'for a bit',
  'for a moment',
  'for the moment',
];

/** "unblock example.com because a customer needs it": moves the reason into the option. */
function takeBecause(words: readonly Word[]): string | undefined {
  const at = words.findIndex(({ text, isQuoted }) => !isQuoted && /^because$/i.test(text));
  const next = words.findIndex((word, index) => index > at && isOption(word));
  const end = next === -1 ? words.length : next;
  if (at < 1 || at + 1 === end) return undefined;
  const reason = words.slice(at + 1, end).map(({ text }) => text);
  const others = words.toSpliced(at, end - at);
  return textOf([
    ...others,
    { text: '--reason', isQuoted: false },
    { text: reason.join(' '), isQuoted: true },
  ]);
}

function takeReason(words: readonly Word[]): { readonly reason?: string; readonly others: readonly Word[] } {
  const at = words.findIndex((word) => isOption(word) && /^--reason(?:=|$)/i.test(word.text));
  if (at === -1) return { others: words };
  const [, glued] = words[at]?.text.split('=', 2) ?? [];
  const next = words.findIndex((word, index) => index > at && isOption(word));
  const end = glued !== undefined ? at + 1 : next === -1 ? words.length : next;
  const said = words.slice(at + 1, end).map(({ text }) => text);
  const reason = glued ?? said.join(' ');
  // An option without a text gives no reason.
  return { ...(reason !== '' && { reason }), others: words.toSpliced(at, end - at) };
}

/** A command that searches for all its words takes no reason. */
function withReason({ command, typed }: Asked, reason: string): Partial<Asked> {
  if (command.args.reason !== undefined) return { typed: { ...typed, reason: [reason] } };
  return Object.values(command.args).some(({ isLine }) => isLine !== undefined) ? {} : { reason };
}

const textOf = (words: readonly Word[]): string => words.map(spelled).join(' ');
