import type { Bound, CallOptions } from '../call.ts';
import type { Effect } from '../endpoint.ts';
import type { ArgumentSchemas } from '../wire/body.ts';

/**
 * A call made of several operations: what a caller would otherwise have to know about the appliance to put together.
 * It stands in its area beside the operations, and does no more than they do.
 */
export interface Combined<Given, Value, Does extends Effect> {
  /** One sentence for people. */
  readonly summary: string;
  readonly effect: Does;
  /** What it takes, for pages and command lines: the operations that it is made of check it. */
  readonly takes: ArgumentSchemas;
  readonly run: (appliance: Bound, given: Given, options: CallOptions) => Promise<Value>;
}

export function combined<Given, Value, const Does extends Effect>(
  declaration: Combined<Given, Value, Does>,
): Combined<Given, Value, Does> {
  return declaration;
}
