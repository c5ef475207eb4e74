import { randomUUID } from 'node:crypto';
import type { Changes } from './changes.ts';
import type { DeliveryFault, Faults } from './faults.ts';
import type { EnvelopeKind, EnvelopeRecord, WireLog } from './log.ts';

export interface Envelope {
  readonly envelope_id: string;
  readonly type: EnvelopeKind;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly accepts_response_payload: boolean;
  readonly retry_attempt?: number;
  readonly retry_reason?: string;
}

/** The outcome of a payload: acknowledged (with or without a body), not in time, or without a receiver. */
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
  /** The ways to the app, the first one that can is taken. */
  readonly carriers: () => readonly Carrier[];
  readonly log: WireLog;
  readonly changes: Changes;
  readonly faults: Faults;
  /** Slack's three seconds. */
  readonly ackTimeoutMs: number;
  /** When an unacknowledged event is sent again, after the failure before. */
  readonly eventRetryDelaysMs: readonly number[];
}

interface Sent {
  readonly envelope: Envelope;
  readonly record: EnvelopeRecord;
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
    return this.#first({
      envelope_id: randomUUID(),
      type,
      payload,
      accepts_response_payload: acceptsResponse,
    });
  }

  /** Events: sent again up to three times while nobody acknowledges (slack-facts.md §5). Resolves after the first attempt. */
  async deliverEvent(payload: Readonly<Record<string, unknown>>): Promise<Outcome> {
    const envelope = { type: 'events_api', payload, accepts_response_payload: false } as const;
    const attempt = (number: number): Promise<Outcome> => this.#send(again(envelope, number));
    const retry = (number: number): void => {
      const delay = this.#options.eventRetryDelaysMs[number - 1];
      if (delay === undefined) return;
      this.#later(delay, () => {
        void attempt(number).then((outcome) => outcome.kind === 'acked' || retry(number + 1));
      });
    };
    const first = await this.#first({ ...envelope, envelope_id: randomUUID() });
    if (first.kind !== 'acked') retry(1);
    return first;
  }

  /**
   * Repeats an earlier payload unchanged, the newest by default. `same` keeps the envelope's ID, as after a lost
   * acknowledgement; `new` is Slack's own repetition, in a marked envelope of its own. Throws for an ID that is not among
   * the newest ones.
   */
  redeliver(envelopeId?: string, envelope: 'same' | 'new' = 'same'): Promise<Outcome> {
    const known = this.#known(envelopeId);
    if (envelope === 'new') return this.#send(again(known.envelope, 1));
    const isEvent = known.envelope.type === 'events_api';
    return this.#send(
      isEvent ? { ...again(known.envelope, 1), envelope_id: known.envelope.envelope_id } : known.envelope,
    );
  }

  /**
   * Delivers what a person does who does the same once more: all of it as it was, but for the trigger, which is always new.
   * Throws when nothing with that ID is among the newest ones.
   */
  repeat(envelopeId: string | undefined, trigger: (user: string) => string): Promise<Outcome> {
    const { type, payload, accepts_response_payload } = this.#known(envelopeId).envelope;
    const { user, user_id } = payload as {
      readonly user?: { readonly id: string };
      readonly user_id?: string;
    };
    const trigger_id = trigger(user?.id ?? user_id ?? '');
    return this.deliver(type, { ...payload, trigger_id }, accepts_response_payload);
  }

  #known(envelopeId: string | undefined): Sent {
    const known = envelopeId === undefined ? [...this.#sent.values()].at(-1) : this.#sent.get(envelopeId);
    if (known === undefined) throw new Error(`No envelope ${envelopeId ?? 'at all'} was sent lately`);
    return known;
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

  /** Sends it for the first time. Its own outcome counts, also where a fault repeats it. */
  async #first(envelope: Envelope): Promise<Outcome> {
    const fault = this.#options.faults.takeDelivery();
    if (fault?.kind !== 'twice') return this.#send(envelope, fault);
    const [first] = await Promise.all([this.#send(envelope), this.#send(again(envelope, 1))]);
    return first;
  }

  #send(envelope: Envelope, fault?: Exclude<DeliveryFault, { kind: 'twice' }>): Promise<Outcome> {
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
      this.#options.log.addEnvelope(record);
      const carry = () => {
        const connection = this.#carry(envelope);
        record.connection = connection ?? '';
        if (connection === undefined) sent.settle?.({ kind: 'dispatch_failed' });
      };
      if (fault?.kind === 'late') this.#later(fault.ms, carry);
      else if (fault?.kind !== 'lost') carry();
    });
  }

  #carry(envelope: Envelope): string | undefined {
    for (const carrier of this.#options.carriers()) {
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

/** The same payload once more, in an envelope of its own that says so. */
function again(envelope: Omit<Envelope, 'envelope_id'>, attempt: number): Envelope {
  return { ...envelope, envelope_id: randomUUID(), retry_attempt: attempt, retry_reason: 'timeout' };
}

function what({ type, payload }: Envelope): string {
  if (type === 'slash_commands') return type;
  const event = payload.event as { readonly type?: unknown } | undefined;
  return String(type === 'events_api' ? event?.type : payload.type);
}
