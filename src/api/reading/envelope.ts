import { truthOf } from './said.ts';

/**
 * Appliances wrap their answers in `Status`, `Info`, `Error`, or `status`, `info`, `error`, or less
 * (appliance-api.md §1 convention 1, §7.2). This file normalizes them.
 */

export interface Envelope {
  /** The result that the appliance states; undefined without one. */
  readonly status: boolean | undefined;
  /** The informational text, '' if empty. */
  readonly info: string;
  /** The reason of a failure, '' if empty. */
  readonly error: string;
  /** The whole reply; undefined if it was empty. */
  readonly body: unknown;
}

/** Accepts a parsed reply of any shape; never throws. */
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
    // A key of another length, blanks aside, cannot match; most do not.
    if (key.length >= name.length && key.trim().toLowerCase() === name) found.push(body[key]);
  }
  return found;
}

/** A plain JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A reply with both `Status: true` and `status: false` does not show success. A bare true or false is complete.
 * Words such as the mirror's "healthy" are neither, and stay in the body for its reader.
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
