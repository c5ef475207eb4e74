import { randomUUID } from 'node:crypto';
import type { Changes } from './changes.ts';
import type { EnvelopeKind, EnvelopeRecord, WireLog } from './log.ts';

export interface Envelope {
  readonly envelope_id: string;
  readonly type: EnvelopeKind;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly accepts_response_payload: boolean;
  readonly retry_attempt?: number;
  readonly retry_reason?: string;
}

/** What became of a payload: acknowledged (with or without a body), not in time, or nobody there to take it. */
export type Outcome =
  | { readonly kind: 'acked'; readonly body: unknown }
  | { readonly kind: 'operation_timeout' }
  | { readonly kind: 'dispatch_failed' };

/**
 * A way to the app. `send` answers which connection took the envelope, or undefined when none could;
 * the acknowledgement arrives later through `Dispatch.acknowledged` or `failed`.
 */
export interface Carrier {
  send(envelope: Envelope): string | undefined;
}

export interface DispatchOptions {
  readonly carriers: readonly Carrier[];
  readonly log: WireLog;
  readonly changes: Changes;
  /** Slack's three seconds. */
  readonly ackTimeoutMs: number;
  /** When an unacknowledged event is sent again, after the failure before. */
  readonly eventRetryDelaysMs: readonly number[];
}

interface Sent {
  readonly envelope: Envelope;
  record: EnvelopeRecord;
  settle: ((outcome: Outcome) => void) | undefined;
}

const remembered = 2000;

/** Sends payloads to the app and waits for their acknowledgements. */
export class Dispatch {
  readonly #options: DispatchOptions;
  readonly #sent = new Map<string, Sent>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: DispatchOptions) {
    this.#options = options;
  }

  /** Commands and clicks: sent once, never again (slack-facts.md §1). */
  deliver(
    type: EnvelopeKind,
    payload: Readonly<Record<string, unknown>>,
    acceptsResponse = true,
  ): Promise<Outcome> {
    return this.#send({
      envelope_id: randomUUID(),
      type,
      payload,
      accepts_response_payload: acceptsResponse,
    });
  }

  /** Events: sent again up to three times while nobody acknowledges (slack-facts.md §5). Resolves after the first attempt. */
  async deliverEvent(payload: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const attempt = (number: number): Promise<Outcome> =>
      this.#send({
        envelope_id: randomUUID(),
        type: 'events_api',
        payload,
        accepts_response_payload: false,
        ...(number === 0 ? {} : { retry_attempt: number, retry_reason: 'timeout' }),
      });
    const retry = (number: number): void => {
      const delay = this.#options.eventRetryDelaysMs[number - 1];
      if (delay === undefined) return;
      this.#later(delay, () => {
        void attempt(number).then((outcome) => outcome.kind === 'acked' || retry(number + 1));
      });
    };
    const first = await attempt(0);
    if (first.kind !== 'acked') retry(1);
    return first;
  }

  /**
   * Sends an envelope that was sent before once more, ID and payload unchanged, as happens when an acknowledgement got lost.
   * Throws when the ID is not among the newest ones.
   */
  redeliver(envelopeId: string): Promise<Outcome> {
    const known = this.#sent.get(envelopeId);
    if (known === undefined) throw new Error(`No envelope ${envelopeId} was sent lately`);
    const isEvent = known.envelope.type === 'events_api';
    return this.#send(
      isEvent ? { ...known.envelope, retry_attempt: 1, retry_reason: 'timeout' } : known.envelope,
    );
  }

  /** The app acknowledged, through whatever carrier. Unknown IDs are ignored, as Slack does. */
  acknowledged(envelopeId: string, body: unknown): void {
    const sent = this.#sent.get(envelopeId);
    if (sent === undefined || sent.record.ackedAt !== undefined) return;
    sent.record.ackedAt = performance.now();
    const late = sent.settle === undefined;
    if (late) sent.record.late = true;
    sent.settle?.({ kind: 'acked', body });
    this.#options.changes.tell({ type: 'ack', envelope: envelopeId, late });
  }

  /** The carrier learned that the envelope did not arrive. */
  failed(envelopeId: string): void {
    this.#sent.get(envelopeId)?.settle?.({ kind: 'dispatch_failed' });
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    for (const sent of this.#sent.values()) sent.settle?.({ kind: 'dispatch_failed' });
  }

  #send(envelope: Envelope): Promise<Outcome> {
    return new Promise((resolve) => {
      const id = envelope.envelope_id;
      const earlier = this.#sent.get(id)?.settle;
      const timer = this.#later(this.#options.ackTimeoutMs, () =>
        sent.settle?.({ kind: 'operation_timeout' }),
      );
      const record: EnvelopeRecord = {
        id,
        kind: envelope.type,
        what: what(envelope),
        sentAt: performance.now(),
        connection: '',
      };
      const sent: Sent = {
        envelope,
        record,
        settle: (outcome) => {
          sent.settle = undefined;
          this.#cancel(timer);
          resolve(outcome);
          if (outcome.kind === 'acked') earlier?.(outcome);
        },
      };
      this.#remember(sent);
      const connection = this.#carry(envelope);
      sent.record = Object.assign(record, { connection: connection ?? '' });
      this.#options.log.addEnvelope(record);
      if (connection === undefined) sent.settle?.({ kind: 'dispatch_failed' });
    });
  }

  #carry(envelope: Envelope): string | undefined {
    for (const carrier of this.#options.carriers) {
      const connection = carrier.send(envelope);
      if (connection !== undefined) return connection;
    }
    return undefined;
  }

  #remember(sent: Sent): void {
    const id = sent.envelope.envelope_id;
    this.#sent.delete(id);
    this.#sent.set(id, sent);
    if (this.#sent.size <= remembered) return;
    for (const [oldest, { settle }] of this.#sent) {
      if (settle === undefined) this.#sent.delete(oldest);
      break;
    }
  }

  #later(ms: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, ms);
    this.#timers.add(timer);
    return timer;
  }

  #cancel(timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#timers.delete(timer);
  }
}

function what({ type, payload }: Envelope): string {
  if (type === 'slash_commands') return type;
  const event = payload.event as { readonly type?: unknown } | undefined;
  return String(type === 'events_api' ? event?.type : payload.type);
}
