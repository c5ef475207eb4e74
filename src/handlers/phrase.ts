import type { Problem } from './argument.ts';
import { type AnyCommand, isLiteral } from './command.ts';
import { splitWords } from './line.ts';
import { type Suggestion, suggest } from './suggest.ts';

/** What a typed line turned out to be. */
export type Match =
  | {
      readonly kind: 'command';
      readonly command: AnyCommand;
      readonly args: never;
    }
  | { readonly kind: 'missing'; readonly command: AnyCommand; readonly argument: string }
  | {
      readonly kind: 'invalid';
      readonly command: AnyCommand;
      readonly argument: string;
      readonly word: string;
      readonly problem: Problem;
    }
  | {
      readonly kind: 'too_many';
      readonly command: AnyCommand;
      readonly argument: string;
      readonly given: number;
      readonly most: number;
    }
  | { readonly kind: 'surplus'; readonly command: AnyCommand; readonly words: readonly string[] }
  /** The line is the beginning of these. */
  | { readonly kind: 'incomplete'; readonly continuations: readonly AnyCommand[] }
  /** It begins like these and goes on like none of them; `known` is the part that they share. */
  | { readonly kind: 'astray'; readonly known: string; readonly continuations: readonly AnyCommand[] }
  | { readonly kind: 'unknown'; readonly nearest: readonly Suggestion[] };

/** Takes a cleaned line (`line.ts`). */
export type Matcher = (line: string) => Match;

interface Node {
  readonly next: Map<string, Node>;
  /** Set where a phrase's literal words end. */
  pattern?: { readonly command: AnyCommand; readonly slots: readonly Slot[] };
}

interface Slot {
  readonly name: string;
  readonly several: boolean;
  readonly optional: boolean;
}

/** Builds the one table that every typed line is looked up in. Throws if two phrases are the same. */
export function createMatcher(commands: readonly AnyCommand[]): Matcher {
  const root: Node = { next: new Map() };
  for (const command of commands) {
    for (const phrase of [command.phrase, ...(command.also ?? [])]) addPhrase(root, phrase, command);
  }
  const find = (words: readonly string[]): Match => {
    const { node, depth } = walk(root, words);
    if (node.pattern !== undefined) return bind(node.pattern, words.slice(depth));
    if (depth === 0 && words.length > 0) return { kind: 'unknown', nearest: [] };
    const continuations = commandsUnder(node);
    return depth === words.length
      ? { kind: 'incomplete', continuations }
      : { kind: 'astray', known: words.slice(0, depth).join(' '), continuations };
  };
  return (line) => {
    const words = splitWords(line);
    const found = find(words);
    if (found.kind !== 'unknown' && found.kind !== 'astray') return found;
    const nearest = suggest(words, commands, find);
    return nearest.length > 0 ? { kind: 'unknown', nearest } : found;
  };
}

function addPhrase(root: Node, phrase: string, command: AnyCommand): void {
  const words = phrase.split(' ');
  let node = root;
  for (const word of words.filter(isLiteral)) {
    const next = node.next.get(word) ?? { next: new Map() };
    node.next.set(word, next);
    node = next;
  }
  if (node.pattern !== undefined) {
    throw new Error(`Two commands say "${phrase}": ${node.pattern.command.phrase} and ${command.phrase}`);
  }
  node.pattern = { command, slots: words.filter((word) => !isLiteral(word)).map(readSlot) };
}

/** Follows the literal words as far as they lead to a phrase or to the beginning of one. */
function walk(root: Node, words: readonly string[]): { readonly node: Node; readonly depth: number } {
  let node = root;
  let depth = 0;
  for (const word of words) {
    const next = node.next.get(word.toLowerCase());
    if (next === undefined) break;
    node = next;
    depth += 1;
  }
  return { node, depth };
}

function readSlot(word: string): Slot {
  return {
    name: word.replace(/[<>[\]…]/g, ''),
    several: word.endsWith('…'),
    optional: word.startsWith('['),
  };
}

function bind(pattern: NonNullable<Node['pattern']>, words: readonly string[]): Match {
  const { command, slots } = pattern;
  const args: Record<string, unknown> = {};
  let rest = words;
  for (const slot of slots) {
    const argument = command.args[slot.name];
    if (argument === undefined) throw new Error(`${command.phrase} declares no argument ${slot.name}`);
    const taken = slot.several ? rest.flatMap(splitList) : rest.slice(0, 1);
    if (taken.length === 0 && !slot.optional) return { kind: 'missing', command, argument: slot.name };
    const values: unknown[] = [];
    for (const word of taken) {
      const reading = argument.read(word);
      if (!reading.ok) {
        return { kind: 'invalid', command, argument: slot.name, word, problem: reading.problem };
      }
      if (!values.includes(reading.value)) values.push(reading.value);
    }
    const { most = values.length } = argument;
    if (values.length > most) {
      return { kind: 'too_many', command, argument: slot.name, given: values.length, most };
    }
    args[slot.name] = slot.several ? values : values[0];
    rest = slot.several ? [] : rest.slice(1);
  }
  return rest.length > 0
    ? { kind: 'surplus', command, words: rest }
    : // Read slot by slot by the arguments this very command declares.
      { kind: 'command', command, args: args as never };
}

/** People separate several values with spaces, commas or semicolons. */
function splitList(word: string): readonly string[] {
  // Inside a URL they are part of it, unless another one follows.
  const separator = word.includes('://') ? /[,;]+(?=\w+:\/\/|$)/ : /[,;]/;
  return word.split(separator).filter((part) => part !== '');
}

function commandsUnder(node: Node): readonly AnyCommand[] {
  const own = node.pattern === undefined ? [] : [node.pattern.command];
  return [...new Set([...own, ...[...node.next.values()].flatMap(commandsUnder)])];
}
