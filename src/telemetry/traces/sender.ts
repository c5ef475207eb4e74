/** Sends spans to a collector, as OTLP over HTTP in JSON (opentelemetry.io/docs/specs/otlp, “OTLP/HTTP”). */

import { setTimeout as sleep } from 'node:timers/promises';
import { fetchThrough, openAgent } from '../../dial.ts';
import { tracesLost, tracesNotTaken, tracesTaken } from '../events/traces.ts';
import type { Log } from '../log.ts';
import type { TraceSpan } from './trace.ts';

export interface TraceSettings {
  /** The whole address, as `http://127.0.0.1:4318/v1/traces`. */
  readonly url: string;
  /** Secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds. */
  readonly timeout: number;
  /** The name of this program at the collector, and further attributes. */
  readonly resource: Readonly<Record<string, string>>;
}

export interface TraceSender {
  /** Takes spans, and returns at once. */
  readonly add: (spans: readonly TraceSpan[]) => void;
  /** Sends pending spans once within this many milliseconds, and accepts no more. */
  readonly stop: (timeout: number) => Promise<void>;
  /** How many were dropped because the collector did not accept them. */
  readonly lost: () => number;
}

interface SenderParts {
  readonly version: string;
  /** This process's name among the replicas, once known. */
  readonly replica: () => string | undefined;
  readonly log: Log;
  readonly fetch?: typeof fetch;
}

/** In milliseconds: how long spans are collected, and the pauses while the collector refuses. */
const gathering = 2_000;
const pauses = { first: 2_000, longest: 60_000, asked: 5 * 60_000 };
/** At most this many wait; the oldest are dropped, because people look for current events. */
const mostWaiting = 5_000;
const mostAtOnce = 500;
/** The part of an answer that is read, in bytes. */
const mostRead = 64 * 1_024;
/** The specification allows a retry for these only. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * The result of sending: `refused` permanently, or `later`, after the collector's number of milliseconds if it
 * gives one.
 */
type Sent =
  | { readonly kind: 'taken'; readonly rejected: number }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'later'; readonly why: string; readonly after?: number };

export function createTraceSender(
  settings: TraceSettings,
  { version, replica, log, fetch = fetchThrough(openAgent()) }: SenderParts,
): TraceSender {
  const stopping = new AbortController();
  let waiting: TraceSpan[] = [];
  /** On their way to the collector. */
  let leaving: readonly TraceSpan[] = [];
  let isSending = false;
  let lost = 0;
  let untoldLost = 0;
  /** When the collector stopped accepting. */
  let since: number | undefined;
  /** Uses the names of opentelemetry.io/docs/specs/semconv/resource. */
  const resource = () => ({
    attributes: attributesOf({
      'service.version': version,
      'service.instance.id': replica() ?? 'unknown',
      ...settings.resource,
    }),
  });

  return {
    add: (spans) => {
      if (stopping.signal.aborted || spans.length === 0) return;
      waiting.push(...spans);
      if (waiting.length > mostWaiting) lose(waiting.splice(0, waiting.length - mostWaiting).length);
      if (!isSending) void sendAll();
    },
    stop: async (timeout) => {
      stopping.abort();
      // Spans on their way are sent again; their IDs make them the same.
      const last = [...leaving, ...waiting];
      waiting = [];
      // A longer wait is not worth it: the audit has everything that a trace has.
      if (last.length > 0) await send(last.slice(-mostAtOnce), AbortSignal.timeout(timeout));
    },
    lost: () => lost,
  };

  /** One request at a time. Never rejects. */
  async function sendAll(): Promise<void> {
    isSending = true;
    let pause = 0;
    while (waiting.length > 0 || pause > 0) {
      await sleep(Math.max(gathering, pause), undefined, { ref: false, signal: stopping.signal }).catch(
        () => undefined,
      );
      if (stopping.signal.aborted) break;
      const some = waiting.splice(0, mostAtOnce);
      if (some.length === 0) break;
      leaving = some;
      const sent = await send(
        some,
        AbortSignal.any([AbortSignal.timeout(settings.timeout), stopping.signal]),
      );
      if (stopping.signal.aborted) break;
      leaving = [];
      if (sent.kind === 'later') {
        waiting = [...some, ...waiting].slice(-mostWaiting);
        pause = sent.after ?? Math.min(pause === 0 ? pauses.first : pause * 2, pauses.longest);
      } else {
        pause = 0;
        if (sent.kind === 'refused') lose(some.length);
        else if (sent.rejected > 0) lose(Math.min(sent.rejected, some.length));
      }
      tell(sent);
    }
    isSending = false;
  }

  function lose(count: number): void {
    lost += count;
    untoldLost += count;
  }

  /** Once for each change, not for every attempt. */
  function tell(sent: Sent): void {
    if (sent.kind === 'taken') {
      if (since !== undefined)
        log.tell(tracesTaken, { seconds: Math.round((performance.now() - since) / 1_000) });
      since = undefined;
    } else if (since === undefined) {
      since = performance.now();
      log.tell(tracesNotTaken, { why: sent.why });
    }
    if (untoldLost === 0 || since !== undefined) return;
    log.tell(tracesLost, { left: untoldLost });
    untoldLost = 0;
  }

  async function send(spans: readonly TraceSpan[], signal: AbortSignal): Promise<Sent> {
    const scopeSpans = [{ scope: { name: 'appliance-bot', version }, spans }];
    try {
      const answer = await fetch(settings.url, {
        method: 'POST',
        headers: { ...settings.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ resourceSpans: [{ resource: resource(), scopeSpans }] }),
        // The headers are for this address only.
        redirect: 'manual',
        signal,
      });
      const { status } = answer;
      const said = await readSome(answer);
      if (status >= 200 && status < 300) return { kind: 'taken', rejected: rejectedIn(said) };
      if (!passing.has(status)) return { kind: 'refused', why: `HTTP ${status}` };
      const after = retryAfter(answer.headers.get('retry-after'));
      return { kind: 'later', why: `HTTP ${status}`, ...(after !== undefined && { after }) };
    } catch (error) {
      return { kind: 'later', why: codeIn(error) };
    }
  }
}

/** Without the collector's words: a system code, or the kind of error. */
function codeIn(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.name : 'error';
}

/** The rest is not awaited. */
async function readSome(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > mostRead) break;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** Some may be refused although the answer is 200 (“Partial Success”). */
function rejectedIn(text: string): number {
  try {
    const count = Number(JSON.parse(text)?.partialSuccess?.rejectedSpans ?? 0);
    return Number.isFinite(count) && count > 0 ? Math.floor(count) : 0;
  } catch {
    return 0;
  }
}

/** In seconds, as in HTTP; for dates the bot's own pauses apply. */
function retryAfter(header: string | null): number | undefined {
  if (header === null || !/^\d{1,6}$/.test(header)) return undefined;
  return Math.min(Number(header) * 1_000, pauses.asked);
}

const attributesOf = (given: Readonly<Record<string, string>>) =>
  Object.entries(given).map(([key, stringValue]) => ({ key, value: { stringValue } }));
