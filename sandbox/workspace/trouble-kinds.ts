import type { NumberOption, TextOption } from '../appliance/kinds.ts';

/** A kind of fault for a call, for clients outside. */
export interface TroubleKind {
  readonly label: string;
  /** One sentence about the effect on the bot. */
  readonly says: string;
  readonly options: Readonly<Record<string, NumberOption | TextOption>>;
}

/** Codes that Slack answers with; any other can be asked for as well. */
const codes = [
  ...['internal_error', 'request_timeout', 'service_unavailable', 'fatal_error', 'ratelimited'],
  ...['invalid_auth', 'token_revoked', 'account_inactive', 'missing_scope', 'not_allowed_token_type'],
  ...['channel_not_found', 'not_in_channel', 'is_archived', 'invalid_blocks', 'msg_too_long'],
  ...['plan_upgrade_required', 'unknown_method', 'expired_trigger_id', 'a_code_of_next_year'],
];

const seconds = (label: string, value: number): NumberOption => ({
  type: 'number',
  ...{ label, default: value, from: 1, to: 3_600 },
});

/** The kinds of `Fault` (faults.ts). The module imports no code that runs, so that the page can hold it too. */
export const troubleKinds = {
  error: {
    label: 'A code',
    says: 'HTTP 200 with {"ok":false,"error":…}. A response URL answers HTTP 404.',
    options: { error: { type: 'text', label: 'Code', default: 'internal_error', offered: codes } },
  },
  rate_limited: {
    label: 'Too many requests',
    says: 'HTTP 429.',
    options: { retryAfter: seconds('Retry-After, in seconds', 30) },
  },
  http: {
    label: 'HTTP error',
    says: 'Another status, with a body that is no JSON.',
    options: {
      status: {
        ...{ type: 'number', label: 'Status', default: 503, from: 400, to: 599 },
        offered: [500, 502, 503, 504, 403, 404],
      },
    },
  },
  page: {
    label: 'A page in HTML',
    says: 'HTTP 200 with a page, as from a proxy that wants a login.',
    options: {},
  },
  hang: {
    label: 'Silence',
    says: 'The call is neither done nor answered; the connection stays open.',
    options: {},
  },
  close: {
    label: 'Broken connection',
    says: 'Before: nothing is done. After: it is done, and the answer is lost.',
    options: {
      when: {
        ...{ type: 'text', label: 'When', default: 'after', isClosed: true },
        offered: ['before', 'after'],
      },
    },
  },
  delay: {
    label: 'Slow',
    says: 'The call is done after a while.',
    options: {
      ms: {
        type: 'number',
        ...{ label: 'Milliseconds', default: 3_000, from: 1, to: 600_000 },
      },
    },
  },
} as const satisfies Readonly<Record<string, TroubleKind>>;
