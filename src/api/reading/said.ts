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

interface Name {
  readonly plain: string;
  readonly isSecret: boolean;
}

/** A hundred thousand records have the same few names. A hostile answer must not fill our memory with others. */
const mostKnown = 10_000;
const known = new Map<string, Name>();

function nameOf(name: string): Name {
  const before = known.get(name);
  if (before !== undefined) return before;
  const made = { plain: name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''), isSecret: isSecretName(name) };
  // Emptied and not closed: names of one hostile answer must not keep out those of all others.
  if (known.size >= mostKnown) known.clear();
  known.set(name, made);
  return made;
}

/** A name without case and punctuation; '' where it is too long to be one. */
export function plain(name: string): string {
  return name.length > longestName ? '' : nameOf(name).plain;
}

const isSecret = (name: string): boolean => nameOf(name.slice(-longestName)).isSecret;

/**
 * The document promises no more than that a target's password and a second factor's secret are not returned (§2.14);
 * of a member's or an SQL user's password it says nothing. "Has a password" is no secret.
 */
export function withoutSecret(name: string, value: unknown): unknown {
  if (!isSecret(name)) return value;
  const text = textOf(value);
  return text === '' || truthOf(text) !== undefined ? value : '(hidden)';
}

export const isNested = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** A value under its name as text, with nothing in it that has the name of a secret. */
export function shownText(name: string, value: unknown): string {
  const shown = withoutSecret(name, value);
  return textOf(isNested(shown) && hasSecret(shown) ? cleaned(shown) : shown);
}

function hasSecret(value: object): boolean {
  if (Array.isArray(value)) return value.some((item) => isNested(item) && hasSecret(item));
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name];
    if (isSecret(name) || (isNested(inner) && hasSecret(inner))) return true;
  }
  return false;
}

/** Without what has the name of a secret. A list of bare values has no names in it, and stays as it is. */
function cleaned(value: object): unknown {
  if (Array.isArray(value)) return value.map((item) => (isNested(item) ? cleaned(item) : item));
  return mapFields(value, (name, inner) => {
    const shown = withoutSecret(name, inner);
    return isNested(shown) ? cleaned(shown) : shown;
  });
}

/** The same fields with other values. */
export function mapFields<Made>(value: object, make: (name: string, inner: unknown) => Made) {
  const made: Record<string, Made> = {};
  for (const name in value) {
    const inner = make(name, (value as Record<string, unknown>)[name]);
    // Anybody may call a field `__proto__`; to assign to it would set no field.
    if (name === '__proto__')
      Object.defineProperty(made, name, {
        value: inner,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    else made[name] = inner;
  }
  return made;
}
