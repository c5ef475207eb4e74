import { isParticle } from '../command-name.ts';
import type { Pattern } from './pattern.ts';

/**
 * The ways in which people say the same without its being declared: `enable acl object 12` for `acl object enable 12`,
 * singular for plural, `ls`, `list` and `show` for a lookup, `remove` for `delete`. Words are never abbreviated: what
 * is not written out selects nothing.
 */
export function ordersOf({ name, rest, command }: Pattern): readonly (readonly string[])[] {
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

/** What people type for the word of a lookup. */
const synonyms: Readonly<Record<string, string>> = { ls: 'list', show: 'list', get: 'list' };

/** Puts a typed word into the form in which words are compared: lower case, singular. Words that no phrase has stay as they are. */
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
    // A phrase that is written with one of them is typed with any of them.
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
