import { truthOf } from './truth.ts';

/**
 * The appliance wraps its answers in `Status`, `Info`, `Error`, or `status`, `info`, `error`, or less
 * (appliance-api.md §1 convention 1, §7.2). This file makes one shape of it.
 */

export interface Envelope {
  /** What the appliance says became of the order; undefined when it does not say. */
  readonly status: boolean | undefined;
  /** The informational text, '' when there is none. */
  readonly info: string;
  /** The reason of a failure, '' when there is none. */
  readonly error: string;
  /** The whole reply, as it came; undefined when it was empty. */
  readonly body: unknown;
}

/** Takes a parsed reply of any shape; never throws. */
export function openEnvelope(body: unknown): Envelope {
  return {
    status: statusOf(body),
    info: textOf(field(body, 'info')),
    error: textOf(field(body, 'error')),
    body,
  };
}

/** The value under a key in any casing (`Categories`, `categories`); undefined when the body is not an object. */
export function field(body: unknown, name: string): unknown {
  return fields(body, name)[0];
}

function fields(body: unknown, name: string): unknown[] {
  if (!isRecord(body)) return [];
  const found: unknown[] = [];
  for (const key in body) {
    // A key of another length, blanks aside, is another one; most are.
    if (key.length >= name.length && key.trim().toLowerCase() === name) found.push(body[key]);
  }
  return found;
}

/** A plain JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A reply that says both `Status: true` and `status: false` has not said that it succeeded; one that is nothing but
 * true or false has said all. Words such as the mirror's "healthy" are neither, and stay in the body for whoever knows
 * them.
 */
function statusOf(body: unknown): boolean | undefined {
  const said = isRecord(body) ? fields(body, 'status').map(truthOf) : [truthOf(body)];
  if (said.includes(false)) return false;
  return said.includes(true) ? true : undefined;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (value === undefined || value === null || typeof value === 'boolean') return '';
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
