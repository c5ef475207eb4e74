import type { Bound, CallOptions } from '../call.ts';
import type { Effect } from '../endpoint.ts';
import { BadArgument } from '../errors.ts';
import type { ArgumentSchemas } from '../wire/body.ts';

/**
 * A call made of several operations, so that callers need not know how to combine them. It belongs to the area
 * of its operations, and does only what they do.
 */
export interface Combined<Given, Value, Does extends Effect> {
  /** One sentence for people. */
  readonly summary: string;
  readonly effect: Does;
  /** The arguments, except functions. Only names are checked here; the operations check the values. */
  readonly takes: ArgumentSchemas;
  readonly run: (appliance: Bound, given: Given, options: CallOptions) => Promise<Value>;
}

export function combined<Given, Value, const Does extends Effect>(
  declaration: Combined<Given, Value, Does>,
): Combined<Given, Value, Does> {
  return declaration;
}

/** @throws BadArgument for an unknown name, and for a missing argument */
export function checkNames(
  operation: string,
  takes: ArgumentSchemas,
  given: Readonly<Record<string, unknown>>,
): void {
  for (const [name, value] of Object.entries(given)) {
    if (Object.hasOwn(takes, name) || typeof value === 'function') continue;
    throw new BadArgument(name, 'is not an argument of this call', { operation });
  }
  for (const [name, schema] of Object.entries(takes)) {
    if (given[name] !== undefined || schema.safeParse(undefined).success) continue;
    throw new BadArgument(name, 'is missing', { operation });
  }
}
