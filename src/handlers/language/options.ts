import { mask } from '../../secrets.ts';
import type { Argument } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import { isOption, type Word } from './line.ts';
import type { Manner } from './manner.ts';
import type { Pattern, TypedSlots } from './pattern.ts';
import { readTerm, type TermOption, type TypedTerm, termOptions } from './term.ts';
import { isTicket as looksLikeTicket } from './ticket.ts';
import { takeEnd, takeStart } from './times/spoken-times.ts';
import { readStart, startOptions, type TypedStart } from './times/start.ts';

type Words = readonly Word[];

/** An unknown or misspelled option. Nothing runs then: the slip may reverse the meaning of the line. */
export interface WrongOption {
  readonly option: string;
  /** The value behind it, if the value is wrong. */
  readonly given?: string;
  readonly problem:
    | 'unknown'
    | 'takes_no_value'
    | 'changes_only'
    | 'needs_value'
    | 'one_dash'
    | 'undoable_only'
    | 'one_end'
    | 'no_term'
    /** The text of an argument ends in words that may mean an end. */
    | 'end_in_text'
    /** The text of an argument ends in words that may mean a start. */
    | 'start_in_text'
    | 'one_ticket'
    | 'no_ticket'
    | 'one_start'
    | 'no_start'
    | 'not_planned';
}

/** Takes the options that every command has. They may stand anywhere. */
export function takeGeneral(
  words: Words,
): Manner & { readonly words: Words; readonly wrong?: WrongOption | undefined } {
  if (!words.some(({ text }) => text.startsWith('-'))) return { words };
  const own: Word[] = [];
  const on: string[] = [];
  let dryRun: true | undefined;
  let wrong: WrongOption | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    const [name, value] = splitOption(word.text);
    if (!isOption(word) || (name !== '--dry-run' && name !== '--on')) own.push(word);
    else if (name === '--dry-run') {
      dryRun = true;
      if (value !== undefined) wrong ??= { option: word.text, problem: 'takes_no_value' };
    } else {
      const following = value === undefined ? words[index + 1] : undefined;
      const hasNext = following !== undefined && !isOption(following);
      let last = value ?? (hasNext ? following.text : '');
      if (hasNext) index += 1;
      if (last === '') wrong ??= { option: word.text, problem: 'needs_value' };
      const given = [last];
      // People list appliances with a comma and a space.
      for (
        let next = words[index + 1];
        last.endsWith(',') && !following?.isQuoted && next !== undefined && !isOption(next);
        next = words[index + 1]
      ) {
        index += 1;
        last = next.text || last;
        given.push(next.text);
      }
      on.push(given.join(''));
    }
  }
  return {
    words: own,
    wrong,
    ...(on.length === 0 ? {} : { on: on.join() }),
    ...(dryRun === undefined ? {} : { dryRun }),
  };
}

function splitOption(word: string): readonly [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1;
  return at === -1 ? [word.toLowerCase(), undefined] : [word.slice(0, at).toLowerCase(), word.slice(at + 1)];
}

type Options =
  | {
      readonly ok: true;
      readonly positional: Words;
      readonly typed: TypedSlots;
      /** The reason, unless the command has an option of its own. */
      readonly reason?: string;
      /** The duration, unless the command has an option of its own. */
      readonly term?: TypedTerm;
      readonly ticket?: string;
      /** The start, unless the command has an option of its own. */
      readonly start?: TypedStart;
      readonly empty?: string;
    }
  | { readonly ok: false; readonly wrong: WrongOption };

/** Separates the options of a command from its other words. */
export function takeOptions({ command, options }: Pattern, words: Words): Options {
  const isLine = Object.values(command.args).some((argument) => argument.isLine !== undefined);
  if (isLine || !words.some(({ text }) => text.includes('-'))) {
    return { ok: true, positional: words, typed: {} };
  }
  const positional: Word[] = [];
  const typed: Record<string, readonly string[]> = {};
  let reason: string | undefined;
  let term: TypedTerm | undefined;
  let ticket: string | undefined;
  let start: TypedStart | undefined;
  let empty: string | undefined;
  /** The option whose text may contain an end. */
  let endIn: string | undefined;
  /** The option whose text may contain a start. */
  let startIn: string | undefined;
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index] as Word;
    const [name, value] = splitOption(word.text);
    const slot = options.get(name.slice(2));
    const termOption = slot === undefined ? termOptionOf(name) : undefined;
    const isTicket = slot === undefined && name === '--ticket';
    const startOption =
      slot === undefined ? startOptions.find((option) => name === `--${option}`) : undefined;
    const isReason = slot === undefined && name === '--reason' && reason === undefined;
    if (!isOption(word)) {
      const wrong = almostOption(word, options);
      if (wrong !== undefined) return { ok: false, wrong };
      positional.push(word);
    } else if (termOption !== undefined) {
      const own = termOption === 'until' ? options.get('for') : undefined;
      const until = own && untilIn(command.args[own.name], value, words.slice(index + 1));
      if (own !== undefined && until !== undefined && typed[own.name] === undefined) {
        index += until.count;
        typed[own.name] = [until.text];
        continue;
      }
      if (!isUndoable(command)) return { ok: false, wrong: { option: name, problem: 'undoable_only' } };
      if (term !== undefined) return { ok: false, wrong: { option: name, problem: 'one_end' } };
      const reads = (text: string) => readTerm({ option: termOption, text }) !== undefined;
      const taken = value === undefined ? timeWords(words.slice(index + 1), reads) : [];
      index += taken.length;
      // "--for 2 months" is not two minutes.
      const [next] = value === undefined ? words.slice(index + 1) : [];
      if (/^(?:months?|years?|business|working)$/i.test(next?.text ?? ''))
        return { ok: false, wrong: { option: name, problem: 'no_term' } };
      term = { option: termOption, text: value ?? textOf(taken) };
      if (!reads(term.text))
        return { ok: false, wrong: { option: name, problem: 'no_term', given: term.text } };
    } else if (isTicket) {
      const next = words[index + 1];
      const taken = value ?? (next === undefined || isOption(next) ? '' : next.text);
      if (value === undefined && taken !== '') index += 1;
      const problem = ticketProblem(command, taken, ticket);
      if (problem !== undefined) return { ok: false, wrong: { option: name, problem } };
      ticket = taken;
    } else if (startOption !== undefined) {
      if (command.kind !== 'change') return { ok: false, wrong: { option: name, problem: 'changes_only' } };
      if (start !== undefined) return { ok: false, wrong: { option: name, problem: 'one_start' } };
      const reads = (text: string) => readStart({ option: startOption, text }) !== undefined;
      const following = words.slice(index + 1);
      const taken =
        value !== undefined
          ? []
          : startOption === 'at'
            ? timeWords(following, reads)
            : following.slice(0, 1).filter((one) => !isOption(one));
      index += taken.length;
      start = { option: startOption, text: value ?? textOf(taken) };
      if (!reads(start.text))
        return { ok: false, wrong: { option: name, problem: 'no_start', given: start.text } };
    } else if (!isReason && (slot === undefined || typed[slot.name] !== undefined)) {
      return { ok: false, wrong: { option: word.text, problem: 'unknown' } };
    } else if (slot !== undefined && command.args[slot.name]?.input === 'flag') {
      if (value !== undefined) return { ok: false, wrong: { option: word.text, problem: 'takes_no_value' } };
      typed[slot.name] = [''];
    } else {
      const argument = slot && command.args[slot.name];
      const isText = slot === undefined || argument?.input === 'text';
      let end = index + 1;
      while (end < words.length && !isOption(words[end] as Word)) end += 1;
      const free = words.slice(index + 1, end);
      const taken = value !== undefined ? [] : isText ? free : readable(free, argument);
      index += taken.length;
      const whole = value ?? textOf(taken);
      if (isText && saysEnd(taken)) endIn ??= name;
      if (isText && saysStart(taken)) startIn ??= name;
      if (slot === undefined) reason = whole;
      // A typed name is no file, so the form asks for the file.
      else if (argument?.input === 'file') continue;
      else if (argument?.input === 'secret' && whole !== '') {
        // A masked secret comes from one of the bot's own lines that somebody typed again, so the form asks
        // for it.
        if (whole !== mask) return { ok: false, wrong: { option: name, problem: 'unknown' } };
      } else if (whole === '') empty ??= slot.name;
      else typed[slot.name] = [whole];
    }
  }
  if (endIn !== undefined && term === undefined && isUndoable(command))
    return { ok: false, wrong: { option: endIn, problem: 'end_in_text' } };
  if (startIn !== undefined && start === undefined && command.kind === 'change')
    return { ok: false, wrong: { option: startIn, problem: 'start_in_text' } };
  return {
    ok: true,
    positional,
    typed,
    ...(reason !== undefined && { reason }),
    ...(term !== undefined && { term }),
    ...(ticket !== undefined && { ticket }),
    ...(start !== undefined && { start }),
    ...(empty !== undefined && { empty }),
  };
}

/**
 * An option's name behind one dash, or two dashes in the middle of a list. It was meant as an option but would
 * be read as a value.
 */
function almostOption({ text, isQuoted }: Word, own: Pattern['options']): WrongOption | undefined {
  if (isQuoted) return undefined;
  const listed = /[,;](--+[a-z].*)$/i.exec(text)?.[1];
  if (listed !== undefined) return { option: listed, problem: 'unknown' };
  const name = /^-([a-z][a-z-]*)(?:=|$)/i.exec(text)?.[1]?.toLowerCase();
  return name !== undefined && (own.has(name) || general.includes(name))
    ? { option: text, problem: 'one_dash' }
    : undefined;
}

const termOptionOf = (name: string): TermOption | undefined =>
  name === '--till' ? 'until' : termOptions.find((option) => name === `--${option}`);

const general = ['on', 'dry-run', 'reason', 'ticket', ...termOptions, ...startOptions];

function ticketProblem(
  { kind }: AnyCommand,
  typed: string,
  before: string | undefined,
): WrongOption['problem'] | undefined {
  if (kind !== 'change') return 'changes_only';
  if (typed === '') return 'needs_value';
  if (before !== undefined) return 'one_ticket';
  return looksLikeTicket(typed) ? undefined : 'no_ticket';
}

/** Whether the bot can end the change by undoing it. */
export const isUndoable = (command: AnyCommand): boolean =>
  command.kind === 'change' && command.undo !== undefined;

/** As many of the next words as make one time: *friday*, *sat 02:00*, *1 h 30 m*, *an hour and a half*. */
function timeWords(words: Words, reads: (text: string) => boolean): Words {
  const end = words.findIndex(isOption);
  const free = end === -1 ? words : words.slice(0, end);
  for (let count = Math.min(free.length, 5); count > 1; count -= 1) {
    if (reads(textOf(free.slice(0, count)))) return free.slice(0, count);
  }
  return free.slice(0, 1);
}

/** A moment for a duration option, if its argument accepts one. */
function untilIn(
  argument: Argument | undefined,
  value: string | undefined,
  following: Words,
): { readonly text: string; readonly count: number } | undefined {
  const reads = (text: string) => argument?.read(`until ${text}`).ok === true;
  const taken = value === undefined ? timeWords(following, reads) : [];
  const said = value ?? textOf(taken);
  return reads(said) ? { text: `until ${said}`, count: taken.length } : undefined;
}

/** Whether the last words of a text may mean an end: "--reason booking for 2h". */
function saysEnd(words: Words): boolean {
  const end = words.length > 1 ? takeEnd(words) : undefined;
  return end !== undefined && readTerm(end.term) !== undefined;
}

/** Whether the last words of a text may mean a start: "--reason upgrade at 22:00". */
function saysStart(words: Words): boolean {
  const said = words.length > 1 ? takeStart(words) : undefined;
  // A time in the middle of a text may be part of its story, so only the end of the text counts.
  const isLast = said?.others.every((word, index) => word === words[index]) === true;
  return said !== undefined && isLast && readStart(said.start) !== undefined;
}

/** As many of the words as the argument can read together; the first if none fit. */
function readable(words: Words, argument: Argument | undefined): Words {
  for (let count = Math.min(words.length, argument?.words ?? 1); count > 1; count -= 1) {
    const taken = words.slice(0, count);
    if (argument?.read(textOf(taken)).ok) return taken;
  }
  return words.slice(0, 1);
}

const textOf = (words: Words): string => words.map(({ text }) => text).join(' ');
