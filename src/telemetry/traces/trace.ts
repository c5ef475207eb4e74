/** The trace of a finished action, made from its audit record, so that nothing is measured while it runs. */

import { createHash } from 'node:crypto';
import type { AuditRecord } from '../../journal/audit/record.ts';

/**
 * The used part of OTLP's JSON (opentelemetry.io/docs/specs/otlp, “JSON Protobuf Encoding”): IDs in hex, times
 * as decimal strings.
 */
export interface TraceSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: inside the bot; 3: a request to an appliance. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  /** 1: success; 2: failure. Absent for neither. */
  readonly status?: { readonly code: 1 | 2; readonly message?: string };
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
}

interface Attribute {
  readonly key: string;
  readonly value:
    | { readonly stringValue: string }
    | { readonly intValue: string }
    | { readonly arrayValue: { readonly values: readonly { readonly stringValue: string }[] } };
}

const digits = (of: string, bytes: number): string =>
  createHash('sha256')
    .update(of)
    .digest('hex')
    .slice(0, bytes * 2);

/** Equal at every replica, and after a crash. */
export const traceIdOf = (action: string): string => digits(`trace ${action}`, 16);
const spanIdOf = (action: string, what: string): string => digits(`span ${action} ${what}`, 8);

/** An action may make ten thousand requests, and nobody could read a trace of all. */
const mostRequests = 500;

/**
 * The whole action, its waits for people, and each request. If the result was corrected later, only the
 * additions. No person, channel, path or typed text: the action's ID leads to those.
 */
export function spansOf(record: AuditRecord, earlier: AuditRecord | undefined): readonly TraceSpan[] {
  const { action } = record;
  const traceId = traceIdOf(action);
  const root = spanIdOf(action, 'all');
  const since = earlier === undefined ? undefined : Date.parse(earlier.ended);
  if (earlier !== undefined && earlier.state === record.state) return [];
  const span = (
    what: string,
    given: Omit<TraceSpan, 'traceId' | 'spanId' | 'startTimeUnixNano' | 'endTimeUnixNano'> & {
      readonly from: number;
      readonly to: number;
    },
  ): TraceSpan => {
    const { from, to, ...rest } = given;
    return {
      traceId,
      spanId: spanIdOf(action, what),
      ...rest,
      startTimeUnixNano: nanoseconds(Math.min(from, to)),
      endTimeUnixNano: nanoseconds(to),
    };
  };
  const whole = span(since === undefined ? 'all' : `since ${record.ended}`, {
    ...(since !== undefined && { parentSpanId: root }),
    name: since === undefined ? nameOf(record) : 'looked at again',
    kind: 1,
    from: since ?? Date.parse(record.asked),
    to: Date.parse(record.ended),
    attributes: about(record),
    ...statusOf(record),
    ...(record.plan && {
      links: [{ traceId: traceIdOf(record.plan.action), spanId: spanIdOf(record.plan.action, 'all') }],
    }),
  });
  const waits = since === undefined ? waitsIn(record) : [];
  const requests = record.requests
    .filter(({ at }) => since === undefined || Date.parse(at) > since)
    .slice(0, mostRequests);
  return [
    whole,
    ...waits.map(({ from, to, name }, index) =>
      span(`wait ${index}`, { parentSpanId: whole.spanId, name, kind: 1, from, to, attributes: [] }),
    ),
    ...requests.map(
      ({ at, durationMs, operation, appliance, effect, method, attempt, status, error }, index) =>
        span(`request ${index} ${at}`, {
          parentSpanId: whole.spanId,
          name: operation,
          kind: 3,
          from: Date.parse(at) - durationMs,
          to: Date.parse(at),
          attributes: [
            text('appliance_bot.appliance', appliance),
            text('appliance_bot.effect', effect),
            text('http.request.method', method),
            ...(attempt > 1 ? [number('http.request.resend_count', attempt - 1)] : []),
            ...(status === undefined ? [] : [number('http.response.status_code', status)]),
            ...(error === undefined ? [] : [text('error.type', error)]),
          ],
          status: error === undefined ? { code: 1 } : { code: 2, message: error },
        }),
    ),
  ];
}

const nameOf = ({ command, interaction }: AuditRecord): string =>
  command ?? (interaction === null ? 'not understood' : 'interaction');

/** Each wait for people; an unanswered one lasts until its timeout. */
function waitsIn({ asked, ended, state, waited = [] }: AuditRecord) {
  const waits = waited.map(({ from, at, for: whom }) => ({
    name: `waiting for ${whom}`,
    from: Date.parse(from),
    to: Date.parse(at),
  }));
  if (state !== 'expired') return waits;
  return [
    ...waits,
    { name: 'waiting until it expired', from: waits.at(-1)?.to ?? Date.parse(asked), to: Date.parse(ended) },
  ];
}

function about(record: AuditRecord): readonly Attribute[] {
  const { action, effect, state, outcome, appliances, verification, replica, requests } = record;
  return [
    text('appliance_bot.action', action),
    text('appliance_bot.effect', effect ?? 'none'),
    text('appliance_bot.outcome', state),
    ...(outcome === null ? [] : [text('appliance_bot.code', outcome.code)]),
    ...(isError(state) ? [text('error.type', outcome?.code ?? state)] : []),
    ...(verification === null ? [] : [text('appliance_bot.verification', verification)]),
    list('appliance_bot.appliances', appliances),
    text('appliance_bot.replica', replica),
    number('appliance_bot.requests', requests.length),
  ];
}

/** A denied or cancelled action is no error. */
function statusOf({ state, outcome }: AuditRecord): Pick<TraceSpan, 'status'> {
  if (state === 'done') return { status: { code: 1 } };
  if (!isError(state)) return {};
  return { status: { code: 2, message: outcome?.code ?? state } };
}

const isError = (state: AuditRecord['state']): boolean => state === 'failed' || state === 'unknown';

const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds)}000000`;
const text = (key: string, value: string): Attribute => ({ key, value: { stringValue: value } });
const number = (key: string, value: number): Attribute => ({ key, value: { intValue: String(value) } });
const list = (key: string, values: readonly string[]): Attribute => ({
  key,
  value: { arrayValue: { values: values.map((stringValue) => ({ stringValue })) } },
});
