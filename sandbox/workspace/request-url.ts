import { createHmac } from 'node:crypto';
import type { Carrier, Envelope } from './dispatch.ts';

export interface RequestUrlOptions {
  readonly url: string;
  readonly signingSecret: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly timeoutMs: number;
  readonly acknowledged: (envelopeId: string, body: unknown) => void;
  readonly failed: (envelopeId: string) => void;
}

/** HTTP mode: the same payloads, POSTed to the app's request URL and signed (slack-facts.md §9). The answer is the acknowledgement. */
export class RequestUrl implements Carrier {
  readonly #options: RequestUrlOptions;
  readonly #stopped = new AbortController();

  constructor(options: RequestUrlOptions) {
    this.#options = options;
  }

  send(envelope: Envelope): string {
    this.#post(envelope).catch(() => this.#options.failed(envelope.envelope_id));
    return 'http';
  }

  stop(): void {
    this.#stopped.abort();
  }

  async #post(envelope: Envelope): Promise<void> {
    const { url, acknowledged, failed, timeoutMs } = this.#options;
    const { type, body } = encode(envelope);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': type, ...this.#sign(body), ...retryHeaders(envelope) },
      body,
      redirect: 'manual',
      // A little longer than the wait for the acknowledgement, so that the wait is what ends first.
      signal: AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(timeoutMs + 1000)]),
    });
    const answer = await response.text();
    if (response.status !== 200) return failed(envelope.envelope_id);
    acknowledged(envelope.envelope_id, decode(answer, response.headers.get('content-type') ?? ''));
  }

  #sign(body: string): Record<string, string> {
    const timestamp = String(Math.floor(this.#options.now() / 1000));
    const digest = createHmac('sha256', this.#options.signingSecret)
      .update(`v0:${timestamp}:${body}`)
      .digest('hex');
    return { 'x-slack-request-timestamp': timestamp, 'x-slack-signature': `v0=${digest}` };
  }
}

function encode({ type, payload }: Envelope): { readonly type: string; readonly body: string } {
  if (type === 'events_api') return { type: 'application/json', body: JSON.stringify(payload) };
  const fields =
    type === 'slash_commands' ? (payload as Record<string, string>) : { payload: JSON.stringify(payload) };
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString() };
}

function retryHeaders(envelope: Envelope): Record<string, string> {
  if (envelope.retry_attempt === undefined) return {};
  return { 'x-slack-retry-num': String(envelope.retry_attempt), 'x-slack-retry-reason': 'http_timeout' };
}

function decode(answer: string, type: string): unknown {
  if (answer === '') return undefined;
  if (!type.includes('json')) return { text: answer };
  return JSON.parse(answer);
}
