import { isSecretName } from '../../secrets.ts';
import { truthOf } from './truth.ts';

/** What an appliance said, as text that can be shown. */

/** Any value as text: what has no other form as JSON, nothing as ''. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A name without case and punctuation. */
export function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/**
 * The document promises no more than that a target's password and a second factor's secret are not returned (§2.14);
 * of a member's or an SQL user's password it says nothing. "Has a password" is no secret.
 */
export function withoutSecret(name: string, value: unknown): unknown {
  if (!isSecretName(name)) return value;
  const text = textOf(value);
  return text === '' || truthOf(text) !== undefined ? value : '(hidden)';
}
