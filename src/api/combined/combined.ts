import type { Bound, CallOptions } from '../call.ts';
import type { Effect } from '../endpoint.ts';

/**
 * A call made of several operations: what a caller would otherwise have to know about the appliance to put together.
 * It stands in its area beside the operations, and does no more than they do.
 */
export interface Combined<Given, Value, Does extends Effect> {
  /** For docs/api.md. */
  readonly summary: string;
  readonly effect: Does;
  readonly run: (appliance: Bound, given: Given, options: CallOptions) => Promise<Value>;
}

export function combined<Given, Value, const Does extends Effect>(
  declaration: Combined<Given, Value, Does>,
): Combined<Given, Value, Does> {
  return declaration;
}
