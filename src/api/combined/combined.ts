import type { Bound, CallOptions } from '../call.ts';
import type { Effect } from '../endpoint.ts';
import { BadArgument } from '../errors.ts';
import type { ArgumentSchemas } from '../wire/body.ts';

/**
 * A call made of several operations: what a caller would otherwise have to know about the appliance to put together.
 * It stands in its area beside the operations, and does no more than they do.
 */
export interface Combined<Given, Value, Does extends Effect> {
  /** One sentence for people. */
  readonly summary: string;
  readonly effect: Does;
  /** What it takes, beside functions. The names are checked; the operations that it is made of check the values. */
  readonly takes: ArgumentSchemas;
  readonly run: (appliance: Bound, given: Given, options: CallOptions) => Promise<Value>;
}

export function combined<Given, Value, const Does extends Effect>(
  declaration: Combined<Given, Value, Does>,
): Combined<Given, Value, Does> {
  return declaration;
}

/** @throws BadArgument for a name that the call does not have, and for one that it lacks */
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
