import type { z } from 'zod';
import type { Endpoint, Method } from '../endpoint.ts';
import { BadArgument } from '../errors.ts';
import type { OperationName } from '../operations.ts';
import type { SentFile } from '../upload/multipart.ts';
import { encodeFields, type FieldsBody, otherFields, secretsIn } from './body.ts';
import { fillPath } from './path.ts';

/** What a call is about to send; for an upload, without its file. */
export interface PreparedRequest {
  readonly method: Method;
  /** With the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | AsyncIterable<Uint8Array> | undefined;
  /** The checked arguments. */
  readonly asked: Readonly<Record<string, unknown>>;
  /** Values in it that must not be quoted back, such as a new user's password. */
  readonly secrets: readonly string[];
}

/** A call that has been checked, on its way to wherever it goes. */
export interface PreparedCall extends PreparedRequest {
  readonly operation: OperationName;
  readonly endpoint: Endpoint;
  /** The file in an upload. */
  readonly file?: SentFile;
  readonly signal: AbortSignal | undefined;
}

/**
 * From the arguments of a call to its request. Nothing is sent here.
 * @throws BadArgument for what the operation does not take, or what its path cannot carry
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
 * The path and the body that carry checked arguments.
 * @throws BadArgument for what a path cannot carry
 */
export function encodeArguments(
  operation: string,
  endpoint: Endpoint,
  values: Readonly<Record<string, unknown>>,
): Pick<PreparedRequest, 'path' | 'headers'> & { readonly body: string | undefined } {
  const { query } = endpoint;
  // The schemas of slots make text or numbers and nothing else.
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

function fieldsOf({ body }: Endpoint): FieldsBody | undefined {
  return body?.encoding === 'multipart' ? undefined : body;
}

/** A field that has an argument of its own must not come a second time among the unnamed ones and win. */
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

/** The end of a sentence about an argument, where its schema says nothing itself; undefined leaves it to zod. */
function problemWith(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be of type ${issue.expected}`;
    case 'too_small':
      // No text and no list has another minimum than one.
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
