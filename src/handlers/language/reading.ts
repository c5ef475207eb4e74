import { carriesSecret } from '../../secrets.ts';
import { type Argument, readWord } from '../argument.ts';
import type { AnyCommand } from '../command.ts';
import { isParticle } from '../command-name.ts';
import { type GivenValue, isPosted, wordsAmong } from '../lists/posted-file.ts';
import { isFiller } from '../understanding/vocabulary.ts';
import type { Asked } from './asked.ts';
import { sitesIn, spelled, valuesIn, type Word } from './line.ts';
import type { Manner } from './manner.ts';
import type { Match, WrongWord } from './match.ts';
import { isUndoable, takeOptions, type WrongOption } from './options.ts';
import {
  type Assigned,
  assign,
  assignSome,
  inItsWords,
  isSeveral,
  isTurned,
  type Pattern,
  readPattern,
  type TypedSlots,
  theOtherWayRound,
} from './pattern.ts';
import { isPreposition } from './prepositions.ts';
import { readTerm, type TypedTerm } from './term.ts';
import { ticketSaid } from './ticket.ts';
import { spanEnd, strayEnd, takeEnd, takeStart } from './times/spoken-times.ts';
import { readStart, type TypedStart } from './times/start.ts';

export interface Way {
  readonly manner: Manner;
  /** The form in which literal words are compared. */
  readonly canonical: (word: string) => string;
  /** A wrong general option. */
  readonly wrong: WrongOption | undefined;
}

export function bind(pattern: Pattern, words: readonly Word[], way: Way): Match {
  const named = pattern.command.kind === 'change' ? ticketSaid(words) : undefined;
  const found = named && bindWords(pattern, named, way);
  // Take words as a ticket only if the rest is a complete command, so that no argument is lost.
  return found?.kind === 'command' ? found : bindWords(pattern, words, way);
}

function bindWords(pattern: Pattern, words: readonly Word[], { canonical, ...way }: Way): Match {
  const { command } = pattern;
  const options = takeOptions(pattern, words);
  // After a misspelled password option the next word is the password itself.
  const not = (wrong: WrongOption): Match =>
    takesSecret(command) ? { kind: 'secret', command } : { kind: 'wrong_option', command, ...wrong };
  if (!options.ok) return not(options.wrong);
  if (way.wrong !== undefined) return { kind: 'wrong_option', command, ...way.wrong };
  const starting = startIn(pattern, options, canonical);
  if ('problem' in starting) return not(starting);
  const ending = endIn(pattern, { ...options, positional: starting.words }, canonical);
  if ('problem' in ending) return not(ending);
  const { typed: named, term } = ending;
  const said = inItsWords(pattern.rest, ending.words, canonical);
  const manner: Manner = {
    ...way.manner,
    ...(options.reason && { reason: options.reason }),
    ...(term && { term }),
    ...(options.ticket && { ticket: options.ticket }),
    ...(starting.start && { start: starting.start }),
  };
  const [inOrder, theOtherWay] = ways(pattern, said, canonical);
  const apart = inOrder && setApart(pattern, inOrder);
  const positional = apart === undefined ? inOrder : undefined;
  // "category add 252 example.com": the types of the values show the reverse order.
  const turned = (): Match | undefined => {
    const typed = theOtherWay && { ...textsOf(theOtherWay, pattern), ...named };
    const meant = typed && read({ command, typed, ...manner }, pattern);
    return meant?.kind === 'command' ? meant : undefined;
  };
  if (positional === undefined) {
    const meant = options.empty === undefined ? turned() : undefined;
    if (meant !== undefined) return meant;
    if (inOrder !== undefined && apart !== undefined) {
      const kept = { ...inOrder, [apart.name]: apart.listed };
      const typed = { ...textsOf(kept, pattern), ...named };
      return {
        command,
        typed,
        ...manner,
        kind: 'surplus',
        words: apart.others.map(({ text }) => text),
      };
    }
    const { missing, surplus, typed } = assignSome(pattern.rest, said, canonical);
    const asked = { command, typed: { ...textsOf(typed, pattern), ...named }, ...manner };
    const left = surplus.map(({ text }) => text);
    if (missing !== undefined)
      return {
        ...asked,
        kind: 'missing',
        argument: missing,
        ...(left.some((one) => !isFiller(one)) && { surplus: left }),
      };
    // Surplus words after a command that takes a password may be one, unless they say its purpose: "for the
    // dashboards".
    const secret = Object.keys(command.args).find((name) => command.args[name]?.input === 'secret');
    if (secret !== undefined && saysWhatFor(surplus))
      return { ...asked, typed: withoutComma(asked.typed), kind: 'missing', argument: secret, surplus: left };
    return secret !== undefined ? { kind: 'secret', command } : { ...asked, kind: 'surplus', words: left };
  }
  const typed = { ...textsOf(positional, pattern), ...named };
  if (options.empty !== undefined)
    return { command, typed, ...manner, kind: 'missing', argument: options.empty };
  const meant = read({ command, typed, ...manner }, pattern);
  return (meant.kind === 'invalid' ? turned() : undefined) ?? meant;
}

/** Ends a list at a preposition: "delete 101 from 102". Searched texts, reasons and times may contain one. */
function setApart(
  { rest, command }: Pattern,
  assigned: Assigned,
): { readonly name: string; readonly listed: readonly Word[]; readonly others: readonly Word[] } | undefined {
  for (const one of rest.filter(isSeveral)) {
    const argument = command.args[one.name];
    const isThing =
      argument?.list !== undefined || argument?.recognisable || (argument?.fromFile && !argument.isLine);
    const words = assigned[one.name] ?? [];
    const isValue = ({ text, isQuoted }: Word) => isQuoted || !isFiller(text);
    const first = words.findIndex(isValue);
    const at = words.findIndex(
      ({ text, isQuoted }, index) => index > first && !isQuoted && isPreposition(text),
    );
    if (isThing && first !== -1 && at !== -1 && words.slice(at).some(isValue))
      return { name: one.name, listed: words.slice(0, at), others: words.slice(at) };
  }
  return undefined;
}

/** Every way to assign the words to the slots: in the order of the phrase, and reversed. */
function ways(
  { rest }: Pattern,
  words: readonly Word[],
  canonical: Way['canonical'],
): readonly (Assigned | undefined)[] {
  const round = theOtherWayRound(rest);
  const other = round && assign(round, words, canonical);
  // "category add to 252 example.com"
  if (other !== undefined && isTurned(round, words, canonical)) return [other];
  const plain =
    assign(rest, words, canonical) ??
    // "mfa reset for bob.miller"
    (startsWithParticle(words) ? assign(rest, words.slice(1), canonical) : undefined);
  const [first] = rest;
  return [plain, first !== undefined && isSeveral(first) ? other : undefined];
}

/** "two hours" as figures, for an option that takes figures. */
function inFigures(term: TypedTerm): string {
  const read = readTerm(term);
  return read?.kind === 'for' ? `${read.milliseconds / 60_000}m` : term.text;
}

/** The words without a start among them. */
function startIn(
  { command, rest }: Pattern,
  { positional, start }: Extract<ReturnType<typeof takeOptions>, { ok: true }>,
  canonical: Way['canonical'],
): WrongOption | { readonly words: readonly Word[]; readonly start: TypedStart | undefined } {
  const { args, kind } = command;
  const isText = ({ isLine, input }: Argument) => isLine !== undefined || input === 'text';
  const mayBeSaid = rest.some((one) => one.kind === 'slot' && isText(args[one.name] as Argument));
  const found = kind === 'change' && !mayBeSaid ? takeStart(positional) : undefined;
  if (found === undefined) return { words: positional, start };
  const option = `--${found.start.option}`;
  if (readStart(found.start) === undefined) {
    // "vlan start 3 on monday" lacks an hour, unless the words are a complete command, where "on monday" may be
    // a name.
    return !found.isDay && assign(rest, positional, canonical) === undefined
      ? { option, problem: 'no_start', given: found.start.text }
      : { words: positional, start };
  }
  return start === undefined && takeStart(found.others) === undefined
    ? { words: found.others, start: found.start }
    : { option, problem: 'one_start' };
}

/** The words without an end among them, and where the end goes: an option of the command, or the general one. */
function endIn(
  { command, rest, options: own }: Pattern,
  { positional, typed, term }: Extract<ReturnType<typeof takeOptions>, { ok: true }>,
  canonical: Way['canonical'],
):
  | WrongOption
  | { readonly words: readonly Word[]; readonly typed: TypedSlots; readonly term: TypedTerm | undefined } {
  const isLine = Object.values(command.args).some((argument) => argument.isLine !== undefined);
  const mayEnd = command.kind === 'change' || own.has('for');
  const end = mayEnd && !isLine ? takeEnd(positional) : undefined;
  const asTyped = { words: positional, typed, term };
  if (end === undefined) {
    const span = isUndoable(command) && !isLine ? spanEnd(positional) : undefined;
    if (span !== undefined) return { option: '--until', problem: 'no_term', given: span };
    const stray = isUndoable(command) && rest.some(isSeveral) ? strayEnd(positional) : undefined;
    return stray === undefined ? asTyped : { option: `--${stray}`, problem: 'no_term' };
  }
  const option = `--${end.term.option}`;
  const slot = own.get(end.term.option) ?? own.get('for');
  if (slot !== undefined && typed[slot.name] === undefined) {
    // "for 2h more": the argument may read the next word together with the time.
    const last = end.others.at(-1);
    const longer = `${end.term.text} ${last?.text ?? ''}`;
    if (last !== undefined && slot.name === end.term.option && command.args[slot.name]?.read(longer).ok)
      return { ...asTyped, words: end.others.slice(0, -1), typed: { ...typed, [slot.name]: [longer] } };
    const said = (
      slot.name === end.term.option ? [end.term.text, inFigures(end.term)] : [`until ${end.term.text}`]
    ).find((one) => command.args[slot.name]?.read(one).ok);
    return said === undefined
      ? asTyped
      : { ...asTyped, words: end.others, typed: { ...typed, [slot.name]: [said] } };
  }
  // A text may contain the words: "rdp message 12 back in for 2h".
  if (!isUndoable(command))
    return assign(rest, positional, canonical) === undefined ? { option, problem: 'undoable_only' } : asTyped;
  if (term !== undefined) return { option, problem: 'one_end' };
  if (readTerm(end.term) === undefined) return { option, problem: 'no_term', given: end.term.text };
  const again = takeEnd(end.others);
  return again === undefined
    ? { ...asTyped, words: end.others, term: end.term }
    : { option, problem: 'one_end' };
}

const takesSecret = (command: AnyCommand): boolean =>
  Object.values(command.args).some(({ input }) => input === 'secret');

/**
 * Plain words behind a preposition of purpose or place. A password has no preposition before it, or contains
 * digits and marks.
 */
const saysWhatFor = ([first, ...others]: readonly Word[]): boolean =>
  first?.isQuoted === false &&
  /^(?:for|needs?|which|because|so|in|on|at|as|from|für|als)$/i.test(first.text) &&
  others.length > 0 &&
  others.every(
    ({ text, isQuoted }) =>
      !isQuoted && /^(?:\p{Lu}?\p{Ll}+(?:[.-]\p{Ll}+)*|\p{Lu}{2,5})[,.!?]?$/u.test(text),
  );

/** "create sql user grafana, for the dashboards" */
const withoutComma = (typed: TypedSlots): TypedSlots =>
  Object.fromEntries(
    Object.entries(typed).map(([name, words]) => [name, words.map((word) => word.replace(/[,;]$/, ''))]),
  );

const startsWithParticle = ([first]: readonly Word[]): boolean =>
  first?.isQuoted === false && isParticle(first.text);

/** The typed text for each slot. From here on quotes no longer matter, except in a line inside the line. */
function textsOf(assigned: Assigned, { command, rest }: Pattern): TypedSlots {
  const several = new Set(rest.flatMap((one) => (isSeveral(one) ? [one.name] : [])));
  const texts = (name: string, words: readonly Word[]): readonly string[] => {
    if (command.args[name]?.isLine) return words.map(spelled);
    // In "search acl for 10.0.0.5" the "for" is not part of the search.
    const said = words.filter(({ text, isQuoted }) => isQuoted || !isFiller(text));
    const meant = said.length > 0 ? said : words;
    if (!several.has(name)) return meant.map(({ text }) => text);
    return command.args[name]?.holdsSites ? sitesIn(meant) : meant.flatMap(valuesIn);
  };
  return Object.fromEntries(Object.entries(assigned).map(([name, words]) => [name, texts(name, words)]));
}

/** Reads typed values by the arguments that the command declares; also those from a form. */
export function readAsked(asked: Asked): Match {
  const { command, typed, reason = '', ticket = '' } = asked;
  const open = Object.entries(typed).flatMap(([name, words]) => {
    const input = command.args[name]?.input;
    return input === 'secret' || input === 'file' ? [] : [wordsAmong(words).join(' ')];
  });
  if ([...open, reason, ticket].some(carriesSecret)) return { kind: 'secret', command };
  return read(asked, readPattern(asked.command.phrase, asked.command));
}

function read(asked: Asked, { rest, options }: Pattern): Match {
  const { command, typed } = asked;
  // A lookup refuses `--dry-run`, so that nobody takes it for a dry run of a change.
  if (asked.dryRun && command.kind !== 'change' && !(command.kind === 'info' && command.dryRun))
    return { kind: 'wrong_option', command, option: '--dry-run', problem: 'changes_only' };
  if (asked.dryRun && asked.start !== undefined)
    return { kind: 'wrong_option', command, option: `--${asked.start.option}`, problem: 'not_planned' };
  const slots = [
    ...rest.flatMap((element) => (element.kind === 'slot' ? [element] : [])),
    ...options.values(),
  ];
  const args: Record<string, unknown> = {};
  for (const { name, several, optional } of slots) {
    const argument = command.args[name];
    if (argument === undefined) throw new Error(`${command.phrase} declares no argument ${name}`);
    const taken = typed[name] ?? [];
    if (taken.length === 0 && !optional) return { ...asked, kind: 'missing', argument: name };
    const values = readAll(argument, taken);
    if ('problem' in values) return { ...asked, kind: 'invalid', argument: name, ...values };
    const { most = values.length } = argument;
    if (values.length > most) {
      return { ...asked, kind: 'too_many', argument: name, given: values.length, most };
    }
    args[name] = several ? values : values[0];
  }
  // Read slot by slot by the arguments that this command declares.
  return { ...asked, kind: 'command', args: args as never };
}

/** Only an argument that takes files gets one; a file with a list was expanded before. */
function readOne(argument: Argument, given: GivenValue): ReturnType<Argument['read']> {
  if (isPosted(given)) return argument.take?.(given) ?? readWord(argument, given.name);
  return readWord(argument, given);
}

function readAll(
  argument: Argument,
  given: readonly GivenValue[],
):
  | readonly unknown[]
  | (WrongWord & { readonly misfits: readonly WrongWord[]; readonly fitting: readonly GivenValue[] }) {
  const values = new Set<unknown>();
  const misfits: WrongWord[] = [];
  const fitting: GivenValue[] = [];
  for (const one of given) {
    const reading = readOne(argument, one);
    if (reading.ok) {
      values.add(reading.value);
      fitting.push(one);
    } else misfits.push({ word: isPosted(one) ? one.name : one, problem: reading.problem });
  }
  const [first] = misfits;
  return first === undefined ? [...values] : { ...first, misfits, fitting };
}
