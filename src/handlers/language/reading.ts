import type { Argument, Problem } from '../argument.ts';
import { isParticle } from '../command.ts';
import type { Asked } from './asked.ts';
import { splitList } from './line.ts';
import type { Match } from './match.ts';
import { type Manner, takeOptions } from './options.ts';
import { assign, assignSome, type Pattern, readPattern, type Typed } from './pattern.ts';
import { takesSecret } from './secrets.ts';

type Words = readonly string[];

/** How the words of a line are to be read. */
export interface Way {
  readonly manner: Manner;
  /** The form in which literal words are compared. */
  readonly canonical: (word: string) => string;
  /** The words that stood in quotes. */
  readonly quoted: ReadonlySet<string>;
}

/** A phrase with the words that follow it. */
export function bind(pattern: Pattern, words: Words, { canonical, quoted, ...way }: Way): Match {
  const { command } = pattern;
  const options = takeOptions(pattern, words, quoted);
  if (!options.ok) {
    // After a slip in the name of its option stands the password itself.
    return takesSecret(command)
      ? { kind: 'secret', command }
      : { kind: 'unknown_option', command, option: options.unknown };
  }
  const manner: Manner = { ...way.manner, ...(options.reason && { reason: options.reason }) };
  const positional =
    assign(pattern.rest, options.positional, canonical) ??
    // "mfa reset for bob.miller"
    (isParticle(options.positional[0] ?? '')
      ? assign(pattern.rest, options.positional.slice(1), canonical)
      : undefined);
  if (positional === undefined) {
    const { missing, surplus, typed } = assignSome(pattern.rest, options.positional, canonical);
    const asked = { command, typed: { ...separated(typed, pattern, quoted), ...options.typed }, ...manner };
    if (missing !== undefined) return { ...asked, kind: 'missing', argument: missing };
    // What is too much after a command that wants a password may be one.
    return takesSecret(command) ? { kind: 'secret', command } : { ...asked, kind: 'surplus', words: surplus };
  }
  const typed = { ...separated(positional, pattern, quoted), ...options.typed };
  if (options.empty !== undefined)
    return { command, typed, ...manner, kind: 'missing', argument: options.empty };
  return read({ command, typed, ...manner }, pattern);
}

/** Where several are wanted, one word may hold them all: `a.com,b.com`. */
function separated(typed: Typed, { rest }: Pattern, quoted: ReadonlySet<string>): Typed {
  const parted: Record<string, Words> = { ...typed };
  for (const element of rest) {
    if (element.kind === 'literal' || !element.several) continue;
    const words = typed[element.name];
    if (words?.some((word) => /[,;]/.test(word))) {
      parted[element.name] = words.flatMap((word) => (quoted.has(word) ? [word] : splitList(word)));
    }
  }
  return parted;
}

/** Reads what was typed by the arguments that the command declares. */
export function readAsked(asked: Asked): Match {
  return read(asked, readPattern(asked.command.phrase, asked.command));
}

function read(asked: Asked, { rest, options }: Pattern): Match {
  const { command, typed } = asked;
  // Whoever means an order not to be sent must not think that a question was one.
  if (asked.dryRun && command.kind !== 'change')
    return { kind: 'unknown_option', command, option: '--dry-run' };
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
  // Read slot by slot by the arguments this very command declares.
  return { ...asked, kind: 'command', args: args as never };
}

function readAll(
  argument: Argument,
  words: Words,
): readonly unknown[] | { readonly word: string; readonly problem: Problem } {
  const values = new Set<unknown>();
  for (const word of words) {
    const reading = argument.read(word);
    if (!reading.ok) return { word, problem: reading.problem };
    values.add(reading.value);
  }
  return [...values];
}
