/** A fault of a call, set on purpose. */
export type Fault =
  /** HTTP 429 with `Retry-After` in seconds. */
  | { readonly kind: 'rate_limited'; readonly retryAfter: number }
  /** An HTTP error with a body that is not JSON. */
  | { readonly kind: 'http'; readonly status: number }
  /** 200 with a page in HTML, as from a proxy that requires a password; the call is not carried out. */
  | { readonly kind: 'page' }
  /** `{ ok: false, error }`, with anything else of `details`. For a response URL: HTTP 404 with that text. */
  | { readonly kind: 'error'; readonly error: string; readonly details?: Readonly<Record<string, unknown>> }
  /** The call is taken, but neither done nor ever answered. */
  | { readonly kind: 'hang' }
  /** The connection breaks before the call is done, or after it is done but before the answer. */
  | { readonly kind: 'close'; readonly when: 'before' | 'after' }
  /** Carries out the call after so many milliseconds. */
  | { readonly kind: 'delay'; readonly ms: number };

/** A fault of a file's download, set on purpose (slack-facts.md §7). */
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

/** A fault of Slack's deliveries to the app, set on purpose. */
export type DeliveryFault =
  /** Delivers it a second time at once, in an envelope of its own, as without an acknowledgement. */
  | { readonly kind: 'twice' }
  /** Drops it, though Slack has sent it. */
  | { readonly kind: 'lost' }
  /** Delivers it after so many milliseconds; Slack waits for the acknowledgement from the moment of sending. */
  | { readonly kind: 'late'; readonly ms: number };

/** A fault that waits for its call. */
export interface ActiveFault<Kind = Fault> {
  /** A Web API method, `response_url`, `upload`, or `*` for every call. */
  readonly call: string;
  readonly fault: Kind;
  /** For so many calls; absent where it stays until it is cleared. */
  readonly times?: number;
  /** The ID of the person whom the call must be about; absent for everybody. */
  readonly person?: string;
}

/** Faults waiting for their call. */
export class Faults {
  readonly #changed: () => void;
  readonly #calls: Waiting<Fault>;
  readonly #downloads: Waiting<DownloadFault>;
  readonly #deliveries: Waiting<DeliveryFault>;

  /** Calls `changed` whenever the waiting faults change. */
  constructor(changed: () => void = () => undefined) {
    this.#changed = changed;
    this.#calls = new Waiting(changed);
    this.#downloads = new Waiting(changed);
    this.#deliveries = new Waiting(changed);
  }

  /** The next `times` downloads of a file suffer this fault; several wait in the order they were given. */
  next(call: 'download', fault: DownloadFault, times?: number): void;
  /** So do the next commands, interactions and events on their way to the app. */
  next(call: 'delivery', fault: DeliveryFault, times?: number): void;
  /**
   * Gives the next calls this fault: of a Web API method, of `response_url`, of `upload` (a file's bytes), or of `*`,
   * all of them. With `person`, only calls about this person.
   */
  next(call: string, fault: Fault, times?: number, person?: string): void;
  next(call: string, fault: Fault | DownloadFault | DeliveryFault, times = 1, person?: string): void {
    // The overloads have paired the calls with the faults that they know.
    if (call === 'download') this.#downloads.add(call, fault as DownloadFault, times);
    else if (call === 'delivery') this.#deliveries.add(call, fault as DeliveryFault, times);
    else this.#calls.add(call, fault as Fault, times, person);
  }

  /** Ends all of them, or those of one call. */
  clear(call?: string): void {
    for (const waiting of [this.#calls, this.#downloads, this.#deliveries]) waiting.clear(call);
    this.#changed();
  }

  /** Faults of calls, in the order in which they will happen to each call. */
  active(): readonly ActiveFault[] {
    return this.#calls.all();
  }

  /** Faults of deliveries, in the order in which they will happen. */
  deliveries(): readonly ActiveFault<DeliveryFault>[] {
    return this.#deliveries.all();
  }

  /** The fault for this call, if one waits; used up by asking. `concerned`: the people whom the call is about. */
  take(call: string, concerned: () => readonly string[] = () => []): Fault | undefined {
    return this.#calls.take(call, concerned) ?? this.#calls.take('*', concerned);
  }

  takeDownload(): DownloadFault | undefined {
    return this.#downloads.take('download');
  }

  takeDelivery(): DeliveryFault | undefined {
    return this.#deliveries.take('delivery');
  }
}

interface Queued<Kind> {
  readonly fault: Kind;
  readonly person: string | undefined;
  times: number;
}

class Waiting<Kind> {
  readonly #changed: () => void;
  readonly #queues = new Map<string, Queued<Kind>[]>();

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  add(call: string, fault: Kind, times: number, person?: string): void {
    const queue = this.#queues.get(call) ?? [];
    queue.push({ fault, times, person });
    this.#queues.set(call, queue);
    this.#changed();
  }

  clear(call?: string): void {
    if (call === undefined) this.#queues.clear();
    else this.#queues.delete(call);
  }

  all(): readonly ActiveFault<Kind>[] {
    return [...this.#queues].flatMap(([call, queue]) =>
      queue.map(({ fault, times, person }) => ({
        call,
        fault,
        ...(Number.isFinite(times) && { times }),
        ...(person !== undefined && { person }),
      })),
    );
  }

  take(call: string, concerned: () => readonly string[] = () => []): Kind | undefined {
    const queue = this.#queues.get(call);
    const next = queue?.find(({ person }) => person === undefined || concerned().includes(person));
    if (queue === undefined || next === undefined) return undefined;
    next.times -= 1;
    if (next.times <= 0) queue.splice(queue.indexOf(next), 1);
    if (queue.length === 0) this.#queues.delete(call);
    if (Number.isFinite(next.times)) this.#changed();
    return next.fault;
  }
}
