import type { z } from 'zod';
import { isSecretName, mask, maskSecrets } from '../../secrets.ts';
import { type Effect, type Endpoint, fillPath, type Method } from '../endpoint.ts';
import { type ApplianceErrorCode, BadArgument } from '../errors.ts';
import type { Obstacle } from '../failure.ts';
import type { OperationName } from '../operations.ts';
import { isRecord } from '../reading/envelope.ts';
import { hiding } from '../reading/excerpt.ts';
import type { SentFile } from '../upload/multipart.ts';
import { encodeFields, type FieldsBody, otherFields, secretsIn } from './body.ts';

/** A request ready to send; for an upload, without its file. */
export interface PreparedRequest {
  readonly method: Method;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<Uint8Array> | undefined;
  readonly asked: Readonly<Record<string, unknown>>;
  /** Values in it that must not be repeated, such as a new user's password. */
  readonly secrets: readonly string[];
}

/** A checked call, before it is sent or noted. */
export interface PreparedCall extends PreparedRequest {
  readonly operation: OperationName;
  readonly endpoint: Endpoint;
  readonly file?: SentFile;
  readonly signal: AbortSignal | undefined;
}

/**
 * Turns the arguments of a call into its request, without sending it.
 * @throws BadArgument for an unknown argument, or one that the path cannot carry
 */
export function prepareRequest(
  operation: string,
  endpoint: Endpoint,
  method: Method,
  given: Readonly<Record<string, unknown>>,
): PreparedRequest {
  const values = checkArguments(operation, endpoint, given);
  const { query, slots } = endpoint;
  const body = fieldsOf(endpoint);
  if (body !== undefined) refuseDoubles(operation, body, values);
  return {
    method,
    ...encodeArguments(operation, endpoint, values),
    asked: values,
    secrets: secretsIn({ ...slots, ...query, ...body?.fields }, values),
  };
}

/**
 * Encodes checked arguments as path and body.
 * @throws BadArgument if the path cannot carry one
 */
function encodeArguments(
  operation: string,
  endpoint: Endpoint,
  values: Readonly<Record<string, unknown>>,
): Pick<PreparedRequest, 'path' | 'headers'> & { readonly body: string | undefined } {
  const { query } = endpoint;
  const broken = Object.keys(values).find((name) => !isWhole(values[name]));
  if (broken !== undefined) throw new BadArgument(broken, 'is not valid Unicode text', { operation });
  // Schemas of slots produce only text or numbers.
  const filled = fillPath(endpoint.path, values as Readonly<Record<string, string | number>>);
  if (!filled.ok) throw new BadArgument(filled.slot, filled.problem, { operation });
  const asked = Object.keys(query).flatMap((name): [string, string][] =>
    values[name] === undefined ? [] : [[name, String(values[name])]],
  );
  const search = asked.length === 0 ? '' : `?${new URLSearchParams(asked)}`;
  const body = fieldsOf(endpoint);
  const encoded = body && encodeFields(body, values);
  return {
    path: filled.path + search,
    headers: encoded === undefined ? {} : { 'content-type': encoded.contentType },
    body: encoded?.text,
  };
}

/** Half of a surrogate pair would become another character when sent. */
const isWhole = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.isWellFormed()
    : typeof value !== 'object' || value === null || Object.entries(value).flat().every(isWhole);

function fieldsOf({ body }: Endpoint): FieldsBody | undefined {
  return body?.encoding === 'multipart' ? undefined : body;
}

/** A field with its own argument must not also be in the unnamed ones, where it would win. */
function refuseDoubles(
  operation: string,
  { fields, names }: FieldsBody,
  values: Readonly<Record<string, unknown>>,
): void {
  const own = Object.keys(fields).map((name) => (names[name] ?? name).toLowerCase());
  const double = Object.keys(values[otherFields] ?? {}).find((name) => own.includes(name.toLowerCase()));
  if (double !== undefined) {
    throw new BadArgument(otherFields, `has ${double}, which is a separate argument`, { operation });
  }
}

function checkArguments(
  operation: string,
  endpoint: Endpoint,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const checked = endpoint.arguments.safeParse(given, { error: problemWith });
  if (checked.success) return checked.data;
  const { at, problem, surplus } = firstProblem(checked.error);
  throw new BadArgument(surplus ?? at, surplus === undefined ? problem : 'is not an argument of this call', {
    operation,
  });
}

/** The end of a sentence about an argument without a message in its schema; undefined uses zod's own. */
function problemWith(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'too_small':
      // Texts and lists have no other minimum than one.
      if (issue.origin === 'string' || issue.origin === 'array') return 'is empty';
      return `must be ${issue.inclusive ? 'at least' : 'greater than'} ${issue.minimum}`;
    case 'too_big':
      return `must be ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    default:
      return undefined;
  }
}

function firstProblem(error: z.ZodError) {
  const [first] = error.issues;
  return {
    at: first?.path.map(String).join('.') ?? '',
    problem: first?.message ?? 'is not valid',
    surplus: first?.code === 'unrecognized_keys' ? first.keys[0] : undefined,
  };
}

/** A request as people may see it, in a log or before it is sent. */

/** One request, for logs and the audit. A retried call reports every attempt. */
export interface RequestReport {
  readonly appliance: string;
  /** Such as "rdp.disconnectSession". */
  readonly operation: string;
  readonly effect: Effect;
  readonly method: Method;
  readonly path: string;
  readonly attempt: number;
  readonly durationMs: number;
  /** The HTTP status; undefined without a complete answer. */
  readonly status?: number;
  /** The failure; undefined after a proper answer. Many refusals have a success status. */
  readonly error?: ApplianceErrorCode;
  /** For a failed connection, the system code or the HTTP parser's error. */
  readonly reason?: string;
  /** Why the appliance does not serve the call, if it says so. */
  readonly obstacle?: Obstacle | 'license';
}

/**
 * Masks secrets with `•••`: these in any spelling, and others that are recognised by name or looks. Prepared
 * once for many texts.
 */
export function masking(secrets: readonly string[]): (text: string) => string {
  const hide = hiding(secrets, mask);
  return (text) => maskSecrets(hide(text));
}

/**
 * Path and body of a call without its secrets. The arguments are masked before encoding: in the finished text a
 * secret might equal a part of an operation's own path or of a field's name, and a mask there would reveal
 * that.
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

/** The path alone. It usually contains no secret and stays unchanged. */
export function shownPath(call: PreparedCall, hide: (text: string) => string): string {
  const { slots, query } = call.endpoint;
  const hasSecret = Object.keys({ ...slots, ...query }).some((name) => {
    const value = call.asked[name];
    return typeof value === 'string' && (isSecretName(name) || hide(value) !== value);
  });
  return hasSecret ? shownRequest(call, hide).path : call.path;
}

/** Text, or the fields without documented names. A number is an identifier. */
function withoutAny(name: string, value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return isSecretName(name) ? mask : hide(value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, text]) => [hide(field), withoutAny(field, text, hide)]),
  );
}

/** Restores an encoded mask in a path or a form. */
function readable(text: string): string {
  return text.replaceAll(encodeURIComponent(mask), mask);
}
