import { Ring } from './ring.ts';

export type EnvelopeKind = 'slash_commands' | 'interactive' | 'events_api';

/** One payload on its way to the app. Times are `performance.now()` milliseconds. */
export interface EnvelopeRecord {
  readonly id: string;
  readonly kind: EnvelopeKind;
  /** `slash_commands`, or the payload's own type such as `block_actions`, or the event's such as `app_home_opened`. */
  readonly what: string;
  readonly sentAt: number;
  /** Set when the app acknowledged, also when that was too late. */
  ackedAt?: number;
  /** True when the acknowledgement came after Slack had given up. */
  late?: boolean;
  /** Which socket carried it, or `http`; empty while none did. */
  connection: string;
}

/** One call of the app to the Web API or a response URL (`method: 'response_url'`). `args` are without tokens. */
export interface CallRecord {
  readonly method: string;
  readonly ok: boolean;
  readonly error?: string;
  /** HTTP status of the answer; 0 when the connection was closed or left hanging on purpose. */
  readonly status: number;
  /** When it came, by `performance.now()`. */
  readonly at: number;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Records the traffic, newest last, bounded. */
export class WireLog {
  readonly #envelopes = new Ring<EnvelopeRecord>(20_000);
  readonly #calls = new Ring<CallRecord>(20_000);

  envelopes(): readonly EnvelopeRecord[] {
    return this.#envelopes.all();
  }

  /** All calls, or those of one method. */
  calls(method?: string): readonly CallRecord[] {
    const all = this.#calls.all();
    return method === undefined ? all : all.filter((call) => call.method === method);
  }

  clear(): void {
    this.#envelopes.clear();
    this.#calls.clear();
  }

  addEnvelope(record: EnvelopeRecord): void {
    this.#envelopes.add(record);
  }

  addCall(record: CallRecord): void {
    this.#calls.add(record);
  }
}
