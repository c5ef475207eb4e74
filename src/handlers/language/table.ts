import type { AnyCommand } from '../command.ts';
import { isParticle } from '../command-name.ts';
import type { Word } from './line.ts';
import type { Pattern } from './pattern.ts';

/** The table in which typed lines are looked up, word by word. */
export interface Node {
  readonly next: Map<string, Node>;
  readonly patterns: Pattern[];
}

/** Throws if two phrases are the same. */
export function plant(patterns: readonly Pattern[], canonical: (word: string) => string): Node {
  const root: Node = { next: new Map(), patterns: [] };
  // Declared phrases come first, so that derived ones give way.
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
    // A quoted word after a complete phrase is a value.
    const next = isQuoted && last.patterns.length > 0 ? undefined : last.next.get(canonical(text));
    if (next === undefined) break;
    path.push(next);
    last = next;
  }
  return path;
}

/** The nearest earlier node at which a phrase ends. */
export function shorter(path: readonly Node[]): readonly [number, Node | undefined] {
  const at = path.findLastIndex(({ patterns }) => patterns.length > 0);
  return [Math.max(at, 0), path[at]];
}

const goesOn = new WeakMap<AnyCommand, (word: string) => boolean>();

/** Whether a phrase continues with this word after the command's name. As a value the word then needs quotes. */
export const isPhraseWord = (command: AnyCommand, word: string): boolean =>
  goesOn.get(command)?.(word) ?? false;

const under = new WeakMap<Node, readonly AnyCommand[]>();

/** All commands below this node. The table must be complete. */
export function commandsUnder(node: Node): readonly AnyCommand[] {
  const known = under.get(node);
  if (known !== undefined) return known;
  const own = node.patterns.map(({ command }) => command);
  const all = [...new Set([...own, ...[...node.next.values()].flatMap(commandsUnder)])];
  under.set(node, all);
  return all;
}

/**
 * Derives other word orders and synonyms without declaring them: `enable acl object 12` for `acl object enable
 * 12`, singular for plural, `ls`, `list` and `show` for a lookup, `remove` for `delete`. Abbreviations select
 * nothing.
 */
function ordersOf({ name, rest, command }: Pattern): readonly (readonly string[])[] {
  const isList =
    command.effect === 'read' && !name.includes('list') && (name.length > 1 || rest.length === 0);
  const listed = isList ? withList(name) : [];
  const removed = name.includes('delete') ? [name.map((word) => (word === 'delete' ? 'remove' : word))] : [];
  return [name, ...removed].flatMap(reordered).concat(listed);
}

/** `acl object enable`, `enable acl object`, `acl enable object` */
function reordered(name: readonly string[]): readonly (readonly string[])[] {
  const verb = name.at(-1);
  const area = name[0];
  if (name.length < 2 || verb === undefined || area === undefined) return [name];
  const others = name.slice(0, -1);
  const inner = name.slice(1, -1);
  return [name, [verb, ...others], ...(inner.length === 0 ? [] : [[area, verb, ...inner]])];
}

/** `rdp sessions list`, `list rdp sessions`, `rdp list sessions` */
function withList(name: readonly string[]): readonly (readonly string[])[] {
  const [area, ...others] = name;
  if (area === undefined) return [];
  return [[...name, 'list'], ['list', ...name], ...(others.length === 0 ? [] : [[area, 'list', ...others]])];
}

/** Synonyms for the verb of a lookup. */
const synonyms: Readonly<Record<string, string>> = { ls: 'list', show: 'list', get: 'list' };

/** Normalizes a typed word for comparison: lower case, singular. Words that no phrase has stay as they are. */
export function createVocabulary(patterns: readonly Pattern[]): (word: string) => string {
  const known = new Map<string, string>(Object.entries({ ...synonyms, list: 'list', remove: 'remove' }));
  const words = patterns.flatMap(({ name, rest }) => [
    ...name,
    ...rest.flatMap((element) => (element.kind === 'literal' ? [element.word] : [])),
  ]);
  const whole = new Set(patterns.flatMap(({ name }) => (name.length === 1 ? name : [])));
  // "plan" and "plans" are two phrases.
  const isApart = (word: string) => whole.has(word) && singular(word) !== word && whole.has(singular(word));
  for (const word of words) {
    // Any synonym matches a phrase that is written with one of them.
    if (synonyms[word] !== undefined) continue;
    const one = isParticle(word) || isApart(word) ? word : singular(word);
    for (const form of [word, one, plural(one)]) if (form === word || !isApart(form)) known.set(form, one);
  }
  return (word) => known.get(word) ?? known.get(word.toLowerCase()) ?? word;
}

function singular(word: string): string {
  if (word.length <= 3 || /(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.endsWith('s') ? word.slice(0, -1) : word;
}

function plural(word: string): string {
  if (word.endsWith('y')) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
