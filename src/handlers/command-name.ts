/** Names that follow from a command's phrase: its area, and the name that people use. */

import type { AnyCommand } from './command.ts';
import { capital } from './text.ts';

/** The first word of the phrase, as in the grammar `area [noun] verb`. */
export function areaOf(command: Pick<AnyCommand, 'phrase'>): string {
  return command.phrase.split(' ', 1)[0] ?? '';
}

/** Small words between slots. People may leave them out, and they are no part of a name. */
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

/** Cached by phrase, because a list of somebody's permissions needs hundreds of names. */
const names = new Map<string, string>();

/** The literal words of a phrase without its small words: the name that people use. */
export function nameOf({ phrase }: Pick<AnyCommand, 'phrase'>): string {
  const known = names.get(phrase);
  if (known !== undefined) return known;
  const words = phrase.split(' ').filter((word) => isLiteral(word) && !isParticle(word));
  const name = words.join(' ');
  names.set(phrase, name);
  return name;
}

/** The name as a title: "RDP target create". */
export const titleOf = (command: Pick<AnyCommand, 'phrase'>): string =>
  capital(nameOf(command).replace(/\b(?:acl|dns|ftp|rdp|sql|ssl|vlan)\b/g, (word) => word.toUpperCase()));

export const isLiteral = (word: string): boolean => !/^[<[]/.test(word);
export const isParticle = (word: string): boolean => particles.has(word);

/** Whether a command needs more words than its name. */
export const wantsWords = ({ phrase }: Pick<AnyCommand, 'phrase'>): boolean => / <[^>]/.test(phrase);
