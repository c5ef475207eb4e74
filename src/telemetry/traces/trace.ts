/** What a trace says of an action that is over: made of its audit record, so that nothing is measured while it runs. */

import { createHash } from 'node:crypto';
import type { AuditRecord } from '../../journal/audit/record.ts';

/** Of OTLP's JSON, as much as is sent (opentelemetry.io/docs/specs/otlp, “JSON Protobuf Encoding”): IDs in hex, times as decimal strings. */
export interface TraceSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1: inside of the bot; 3: what it asks of an appliance. */
  readonly kind: 1 | 3;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly Attribute[];
  /** 1: as it should be; 2: it was not. Absent where neither can be said. */
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

/** The same wherever it is asked for: at every replica, and after a crash. */
export const traceIdOf = (action: string): string => digits(`trace ${action}`, 16);
const spanIdOf = (action: string, what: string): string => digits(`span ${action} ${what}`, 8);

/** An action may have asked for ten thousand pages; a trace of all of them nobody could read. */
const mostRequests = 500;

/**
 * The whole of it, what waited for people, and each request. Of what turned out otherwise later, what has come to it since. No person, no channel, no path
 * and nothing that was typed: whoever wants those has the action's ID.
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
      ...{ traceId, spanId: spanIdOf(action, what), ...rest },
      ...{ startTimeUnixNano: nanoseconds(Math.min(from, to)), endTimeUnixNano: nanoseconds(to) },
    };
  };
  const whole = span(since === undefined ? 'all' : `since ${record.ended}`, {
    ...(since !== undefined && { parentSpanId: root }),
    name: since === undefined ? nameOf(record) : 'looked at again',
    kind: 1,
    ...{ from: since ?? Date.parse(record.asked), to: Date.parse(record.ended) },
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
          ...{ parentSpanId: whole.spanId, name: operation, kind: 3 },
          ...{ from: Date.parse(at) - durationMs, to: Date.parse(at) },
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

/** Each time that it waited for people; what nobody answered, until its time was over. */
function waitsIn({ asked, ended, state, waited = [] }: AuditRecord) {
  const waits = waited.map(({ from, at, for: whom }) => ({
    name: `waiting for ${whom}`,
    ...{ from: Date.parse(from), to: Date.parse(at) },
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

/** What somebody may not do, or has called off, is no mistake. */
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
