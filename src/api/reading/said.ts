import { isSecretName } from '../../secrets.ts';

/** Text from an appliance, made fit to show. */

/** Any value as text: JSON if it has no other form, '' for none. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** In characters. A longer text is no name, and only its end is searched, to save time. */
const longestName = 200;

/** Records by the hundred thousand share few names. A hostile answer must not fill the memory with others. */
const mostKnown = 10_000;
const known = new Map<string, string>();

/** A name without case and punctuation; '' if it is too long. */
export function plain(name: string): string {
  if (name.length > longestName) return '';
  const before = known.get(name);
  if (before !== undefined) return before;
  const made = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  // Emptied rather than closed: the names of one hostile answer must not keep out all others.
  if (known.size >= mostKnown) known.clear();
  known.set(name, made);
  return made;
}

/**
 * The document promises only that a target's password and a second factor's secret are not returned (§2.14),
 * and says nothing about the password of a member or an SQL user. "Has a password" is no secret.
 */
function withoutSecret(name: string, value: unknown): unknown {
  if (!isSecretName(name.slice(-longestName))) return value;
  const text = textOf(value);
  return text === '' || truthOf(text) !== undefined ? value : '(hidden)';
}

export const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A named value as text, without any part that has the name of a secret. */
export function shownText(name: string, value: unknown): string {
  return textOf(cleaned(name, value));
}

/** Returns the value itself if it has no secret: copying a large one takes longer than searching it. */
function cleaned(name: string, value: unknown): unknown {
  const shown = name === '' ? value : withoutSecret(name, value);
  if (!isNested(shown)) return shown;
  // Positions in a list are no names.
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
  // There may be millions of numbers.
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

const yes: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 'yes', 'on', 'y']);
const no: ReadonlySet<unknown> = new Set([false, 0, '0', 'false', 'no', 'off', 'n']);

/** Reads every form of true and false in answers, such as `1` or `"True"`; undefined for other values. */
export function truthOf(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (yes.has(word)) return true;
  return no.has(word) ? false : undefined;
}
