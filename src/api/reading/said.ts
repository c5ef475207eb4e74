import { isSecretName } from '../../secrets.ts';
import { truthOf } from './truth.ts';

/** What an appliance said, as text that can be shown. */

/** Any value as text: what has no other form as JSON, nothing as ''. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** In characters. What is longer names nothing, and no more than its end is looked at: all of it would take its time. */
const longestName = 200;

/** A hundred thousand records have the same few names. A hostile answer must not fill our memory with others. */
const mostKnown = 10_000;
const known = new Map<string, string>();

/** A name without case and punctuation; '' where it is too long to be one. */
export function plain(name: string): string {
  if (name.length > longestName) return '';
  const before = known.get(name);
  if (before !== undefined) return before;
  const made = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  // Emptied and not closed: names of one hostile answer must not keep out those of all others.
  if (known.size >= mostKnown) known.clear();
  known.set(name, made);
  return made;
}

/**
 * The document promises no more than that a target's password and a second factor's secret are not returned (§2.14);
 * of a member's or an SQL user's password it says nothing. "Has a password" is no secret.
 */
function withoutSecret(name: string, value: unknown): unknown {
  if (!isSecretName(name.slice(-longestName))) return value;
  const text = textOf(value);
  return text === '' || truthOf(text) !== undefined ? value : '(hidden)';
}

export const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A value under its name as text, with nothing in it that has the name of a secret. */
export function shownText(name: string, value: unknown): string {
  return textOf(cleaned(name, value));
}

/** The value itself where there is no secret in it: to copy a large one takes longer than to look through it. */
function cleaned(name: string, value: unknown): unknown {
  const shown = name === '' ? value : withoutSecret(name, value);
  if (!isNested(shown)) return shown;
  // Places in a list are no names.
  if (Array.isArray(shown)) return cleanedList(shown);
  let made: Record<string, unknown> | undefined;
  for (const inside in shown) {
    const before = (shown as Record<string, unknown>)[inside];
    const after = cleaned(inside, before);
    if (after === before) continue;
    made ??= { ...shown };
    made[inside] = after;
  }
  return made ?? shown;
}

function cleanedList(list: readonly unknown[]): readonly unknown[] {
  // Of numbers there may be millions.
  if (!list.some(isNested)) return list;
  let made: unknown[] | undefined;
  for (const [index, before] of list.entries()) {
    const after = isNested(before) ? cleaned('', before) : before;
    if (after === before) continue;
    made ??= [...list];
    made[index] = after;
  }
  return made ?? list;
}
