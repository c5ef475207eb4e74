import type { AnyCommand } from '../command.ts';
import { isParticle } from '../command-name.ts';
import type { Word } from './line.ts';
import type { Pattern } from './pattern.ts';
import { ordersOf } from './variants.ts';

/** The one table that every typed line is looked up in, word by word. */
export interface Node {
  readonly next: Map<string, Node>;
  readonly patterns: Pattern[];
}

/** Throws if two phrases are the same. */
export function plant(patterns: readonly Pattern[], canonical: (word: string) => string): Node {
  const root: Node = { next: new Map(), patterns: [] };
  // What is written in a declaration first, so that what only follows from another one gives way.
  for (const pattern of patterns) {
    const node = nodeAt(root, pattern.name.map(canonical));
    const double = node.patterns.find((other) => areAlike(other, pattern));
    if (double !== undefined) {
      const shown = pattern.name.join(' ');
      throw new Error(`Two commands say "${shown}": ${double.command.phrase} and ${pattern.command.phrase}`);
    }
    node.patterns.push(pattern);
  }
  const derived = new Map<Pattern, Pattern>();
  for (const pattern of patterns) {
    for (const order of ordersOf(pattern)) {
      const node = nodeAt(root, order.map(canonical));
      const double = node.patterns.find((other) => areAlike(other, pattern));
      if (double === undefined) {
        const copy = { ...pattern };
        derived.set(copy, pattern);
        node.patterns.push(copy);
      } else if (double.command !== pattern.command && derived.has(double)) {
        const shown = order.join(' ');
        throw new Error(`"${shown}" could be ${double.command.phrase} and ${pattern.command.phrase}`);
      }
    }
  }
  for (const { name, command } of patterns) {
    const node = nodeAt(root, name.map(canonical));
    const literals = new Set(
      node.patterns.flatMap(({ rest }) =>
        rest.flatMap((one) => (one.kind === 'literal' ? [canonical(one.word)] : [])),
      ),
    );
    const isOwn = (word: string) => isParticle(word) || node.next.has(word) || literals.has(word);
    // The first of its phrases is the one that lines are written with.
    if (!goesOn.has(command)) goesOn.set(command, (word) => isOwn(canonical(word)));
  }
  return root;
}

function nodeAt(root: Node, name: readonly string[]): Node {
  return name.reduce((node, word) => {
    const next = node.next.get(word) ?? { next: new Map(), patterns: [] };
    node.next.set(word, next);
    return next;
  }, root);
}

/** Whether some words would fit both. */
function areAlike(one: Pattern, other: Pattern): boolean {
  const literals = ({ rest }: Pattern) =>
    rest.flatMap((element) => (element.kind === 'literal' ? [element.word] : [])).join(' ');
  const slots = ({ rest }: Pattern) => rest.flatMap((element) => (element.kind === 'slot' ? [element] : []));
  const fewest = (pattern: Pattern) => slots(pattern).filter(({ optional }) => !optional).length;
  const most = (pattern: Pattern) =>
    slots(pattern).some(({ several }) => several) ? Number.POSITIVE_INFINITY : slots(pattern).length;
  return literals(one) === literals(other) && fewest(one) <= most(other) && fewest(other) <= most(one);
}

/** Follows the literal words as far as they lead to a phrase or to the beginning of one; the root comes first. */
export function walk(
  root: Node,
  words: readonly Word[],
  canonical: (word: string) => string,
): readonly Node[] {
  const path = [root];
  let last = root;
  for (const { text, isQuoted } of words) {
    // Where a phrase can end, what stands in quotes is a value of it.
    const next = isQuoted && last.patterns.length > 0 ? undefined : last.next.get(canonical(text));
    if (next === undefined) break;
    path.push(next);
    last = next;
  }
  return path;
}

/** Where no phrase ends at the last known word, the nearest before it at which one does. */
export function shorter(path: readonly Node[]): readonly [number, Node | undefined] {
  const at = path.findLastIndex(({ patterns }) => patterns.length > 0);
  return [Math.max(at, 0), path[at]];
}

const goesOn = new WeakMap<AnyCommand, (word: string) => boolean>();

/** Whether a phrase of a table goes on with this word after the name of the command, so that it is a value in quotes only. */
export const isPhraseWord = (command: AnyCommand, word: string): boolean =>
  goesOn.get(command)?.(word) ?? false;

const under = new WeakMap<Node, readonly AnyCommand[]>();

/** All commands that can still be meant here, in a table that is complete. */
export function commandsUnder(node: Node): readonly AnyCommand[] {
  const known = under.get(node);
  if (known !== undefined) return known;
  const own = node.patterns.map(({ command }) => command);
  const all = [...new Set([...own, ...[...node.next.values()].flatMap(commandsUnder)])];
  under.set(node, all);
  return all;
}
