import { isSecretName, mask, maskSecrets } from '../../secrets.ts';
import type { Effect, Method } from '../endpoint.ts';
import type { ApplianceErrorCode } from '../errors.ts';
import type { Obstacle } from '../failure.ts';
import { isRecord } from '../reading/envelope.ts';
import { hiding } from '../reading/excerpt.ts';
import { encodeArguments, type PreparedCall } from './request.ts';

/** A request as people may see it, in a log or before it is sent. */

/** One request that was made, for logs and the audit. A call that is sent again reports every attempt. */
export interface RequestReport {
  readonly appliance: string;
  /** Such as "rdp.disconnectSession". */
  readonly operation: string;
  readonly effect: Effect;
  readonly method: Method;
  /** With the query. Secrets in it are `•••`. */
  readonly path: string;
  /** From 1. */
  readonly attempt: number;
  readonly durationMs: number;
  /** The HTTP status; undefined when no whole answer came. */
  readonly status?: number;
  /** What went wrong; undefined when it was answered with what was asked for. Many a refusal comes with a success status. */
  readonly error?: ApplianceErrorCode;
  /** Of what went wrong on the way, the code of the system, or what the HTTP parser says. */
  readonly reason?: string;
  /** What keeps the appliance from serving the call, where it tells. */
  readonly obstacle?: Obstacle | 'license';
}

/** Puts `•••` in the place of secrets: of these, in any spelling, and of what is one by its name or its looks. Made once for many texts. */
export function masking(secrets: readonly string[]): (text: string) => string {
  const hide = hiding(secrets, mask);
  return (text) => maskSecrets(hide(text));
}

/**
 * The path and the body of a call without its secrets. They are masked in the arguments, which are then written like
 * any others: in the finished text a secret might be a piece of an operation's own path or of a field's name, and a mask
 * there would tell it.
 */
export function shownRequest(
  { operation, endpoint, asked }: PreparedCall,
  hide: (text: string) => string,
): { readonly path: string; readonly body: string | undefined } {
  const masked = Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [name, withoutAny(name, value, hide)]),
  );
  const { path, body } = encodeArguments(operation, endpoint, masked);
  return { path: readable(path), body: body && readable(body) };
}

/** The path alone. Nearly always nothing in it is secret, and then it is the path as it is. */
export function shownPath(call: PreparedCall, hide: (text: string) => string): string {
  const { slots, query } = call.endpoint;
  const hasSecret = Object.keys({ ...slots, ...query }).some((name) => {
    const value = call.asked[name];
    return typeof value === 'string' && (isSecretName(name) || hide(value) !== value);
  });
  return hasSecret ? shownRequest(call, hide).path : call.path;
}

/** Text, or the fields for which the document has no names. A number is an identifier. */
function withoutAny(name: string, value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return isSecretName(name) ? mask : hide(value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, text]) => [hide(field), withoutAny(field, text, hide)]),
  );
}

/** A mask in a path or a form, as a mask again. */
function readable(text: string): string {
  return text.replaceAll(encodeURIComponent(mask), mask);
}
