/** What goes wrong with a call on purpose. */
export type Fault =
  /** HTTP 429 with `Retry-After` in seconds. */
  | { readonly kind: 'rate_limited'; readonly retryAfter: number }
  /** An HTTP error with a body that is not JSON. */
  | { readonly kind: 'http'; readonly status: number }
  /** `{ ok: false, error }`, with anything else of `details`. For a response URL: HTTP 404 with that text. */
  | { readonly kind: 'error'; readonly error: string; readonly details?: Readonly<Record<string, unknown>> }
  /** The call is taken, but neither done nor ever answered. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the call is done, or after it is done but before the answer. */
  | { readonly kind: 'close'; readonly when: 'before' | 'after' }
  /** The call is done after so many milliseconds. */
  | { readonly kind: 'delay'; readonly ms: number };

/** Faults waiting for their call. `method` is a Web API method's name, or `response_url`. */
export class Faults {
  readonly #waiting = new Map<string, { fault: Fault; times: number }[]>();

  /** The next `times` calls of this method suffer this fault; several wait in the order they were given. */
  next(method: string, fault: Fault, times = 1): void {
    const queue = this.#waiting.get(method) ?? [];
    queue.push({ fault, times });
    this.#waiting.set(method, queue);
  }

  clear(): void {
    this.#waiting.clear();
  }

  /** The fault for this call, if one waits; used up by asking. */
  take(method: string): Fault | undefined {
    const queue = this.#waiting.get(method);
    const first = queue?.[0];
    if (queue === undefined || first === undefined) return undefined;
    first.times -= 1;
    if (first.times <= 0) queue.shift();
    if (queue.length === 0) this.#waiting.delete(method);
    return first.fault;
  }
}
