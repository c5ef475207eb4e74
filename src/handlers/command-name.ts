/** The names that are read off a command's phrase: its area, and what people call it. */

import type { AnyCommand } from './command.ts';
import { capital } from './text.ts';

/** The area a command belongs to is the first word of its phrase, as in the grammar `area [noun] verb`. */
export function areaOf(command: Pick<AnyCommand, 'phrase'>): string {
  return command.phrase.split(' ', 1)[0] ?? '';
}

/** Small words between slots, which people may leave out and which name nothing. */
const particles: ReadonlySet<string> = new Set([
  'from',
  'to',
  'in',
  'into',
  'of',
  'on',
  'for',
  'with',
  'by',
  'as',
  'at',
]);

/** By phrase: every decision is about a name, and a list of what somebody may do makes hundreds of them. */
const names = new Map<string, string>();

/** The literal words of a phrase, without its slots and small words: what people call the command. */
export function nameOf({ phrase }: Pick<AnyCommand, 'phrase'>): string {
  const known = names.get(phrase);
  if (known !== undefined) return known;
  const words = phrase.split(' ').filter((word) => isLiteral(word) && !isParticle(word));
  const name = words.join(' ');
  names.set(phrase, name);
  return name;
}

/** The same as a title: "RDP target create". */
export const titleOf = (command: Pick<AnyCommand, 'phrase'>): string =>
  capital(nameOf(command).replace(/\b(?:acl|dns|ftp|rdp|sql|ssl|vlan)\b/g, (word) => word.toUpperCase()));

export const isLiteral = (word: string): boolean => !/^[<[]/.test(word);
export const isParticle = (word: string): boolean => particles.has(word);

/** Whether the name alone is no whole line: something must be typed with it. */
export const wantsWords = ({ phrase }: Pick<AnyCommand, 'phrase'>): boolean => / <[^>]/.test(phrase);
