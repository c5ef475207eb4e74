/** What goes wrong with a call on purpose. */
export type Fault =
  /** HTTP 429 with `Retry-After` in seconds. */
  | { readonly kind: 'rate_limited'; readonly retryAfter: number }
  /** An HTTP error with a body that is not JSON. */
  | { readonly kind: 'http'; readonly status: number }
  /** 200 with a page in HTML, as from a proxy that wants a password; nothing is done. */
  | { readonly kind: 'page' }
  /** `{ ok: false, error }`, with anything else of `details`. For a response URL: HTTP 404 with that text. */
  | { readonly kind: 'error'; readonly error: string; readonly details?: Readonly<Record<string, unknown>> }
  /** The call is taken, but neither done nor ever answered. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the call is done, or after it is done but before the answer. */
  | { readonly kind: 'close'; readonly when: 'before' | 'after' }
  /** The call is done after so many milliseconds. */
  | { readonly kind: 'delay'; readonly ms: number };

/** What goes wrong with the download of a file on purpose (slack-facts.md §7). */
export type DownloadFault =
  | Exclude<Fault, { kind: 'error' | 'page' }>
  /** 200 with the HTML of Slack's login page instead of the file. */
  | { readonly kind: 'login_page' }
  /** Only so many bytes come; then the connection breaks, or the answer ends as if that were all. */
  | { readonly kind: 'cut_short'; readonly bytes: number; readonly ends: 'broken' | 'cleanly' }
  /** The file comes in ten pieces, with so many milliseconds before each. */
  | { readonly kind: 'slow'; readonly ms: number }
  /** 302 to another address. */
  | { readonly kind: 'redirect'; readonly to: string };

/** What goes wrong on purpose with what Slack hands to the app. */
export type DeliveryFault =
  /** It comes a second time at once, in an envelope of its own, as if nobody had acknowledged the first. */
  { readonly kind: 'twice' };

/** Faults waiting for their call. */
export class Faults {
  readonly #calls = new Waiting<Fault>();
  readonly #downloads = new Waiting<DownloadFault>();
  readonly #deliveries = new Waiting<DeliveryFault>();

  /** The next `times` downloads of a file suffer this fault; several wait in the order they were given. */
  next(call: 'download', fault: DownloadFault, times?: number): void;
  /** So do the next commands, interactions and events on their way to the app. */
  next(call: 'delivery', fault: DeliveryFault, times?: number): void;
  /** So do the next calls of a Web API method, of `response_url`, or of `upload`, the address that takes a file's bytes. */
  next(call: string, fault: Fault, times?: number): void;
  next(call: string, fault: Fault | DownloadFault | DeliveryFault, times = 1): void {
    // The overloads have paired the calls with the faults that they know.
    if (call === 'download') this.#downloads.add(call, fault as DownloadFault, times);
    else if (call === 'delivery') this.#deliveries.add(call, fault as DeliveryFault, times);
    else this.#calls.add(call, fault as Fault, times);
  }

  clear(): void {
    this.#calls.clear();
    this.#downloads.clear();
    this.#deliveries.clear();
  }

  /** The fault for this call, if one waits; used up by asking. */
  take(call: string): Fault | undefined {
    return this.#calls.take(call);
  }

  takeDownload(): DownloadFault | undefined {
    return this.#downloads.take('download');
  }

  takeDelivery(): DeliveryFault | undefined {
    return this.#deliveries.take('delivery');
  }
}

class Waiting<Kind> {
  readonly #queues = new Map<string, { fault: Kind; times: number }[]>();

  add(call: string, fault: Kind, times: number): void {
    const queue = this.#queues.get(call) ?? [];
    queue.push({ fault, times });
    this.#queues.set(call, queue);
  }

  clear(): void {
    this.#queues.clear();
  }

  take(call: string): Kind | undefined {
    const queue = this.#queues.get(call);
    const first = queue?.[0];
    if (queue === undefined || first === undefined) return undefined;
    first.times -= 1;
    if (first.times <= 0) queue.shift();
    if (queue.length === 0) this.#queues.delete(call);
    return first.fault;
  }
}
