import { truthOf } from './truth.ts';

/** What an appliance said, as text that can be shown. */

/** Any value as text: what has no other form as JSON, nothing as ''. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** In characters. What is longer names nothing, and is not looked at more closely: that would take its time. */
const longestName = 200;

/** A hundred thousand records have the same few names. A hostile answer must not fill our memory with others. */
const mostKnown = 1_000;
const known = new Map<string, string>();

/** A name without case and punctuation; '' where it is too long to be one. */
export function plain(name: string): string {
  if (name.length > longestName) return '';
  const before = known.get(name);
  if (before !== undefined) return before;
  const made = lettersOf(name);
  if (known.size < mostKnown) known.set(name, made);
  return made;
}

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

const secretNames = /pass(word|wd|phrase|code)|pwd|secret|token|apikey|privatekey|authenticationstring/;

/**
 * The document promises no more than that a target's password and a second factor's secret are not returned (§2.14);
 * of a member's or an SQL user's password it says nothing. "Has a password" is no secret.
 */
export function withoutSecret(name: string, value: unknown): unknown {
  if (!secretNames.test(plain(name) || lettersOf(name))) return value;
  const text = textOf(value);
  return text === '' || truthOf(text) !== undefined ? value : '(hidden)';
}
