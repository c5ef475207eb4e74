import type { Effect } from '../endpoint.ts';
import type { ApplianceErrorCode, ApplianceFailure } from '../errors.ts';

/** Decides whether and when a request is sent again. Pure. */

export interface RetryReport {
  readonly appliance: string;
  /** Such as "rdp.listSessions". */
  readonly operation: string;
  /** The failed attempt, from 1. */
  readonly attempt: number;
  readonly error: ApplianceErrorCode;
  /** Milliseconds until the next attempt. */
  readonly waitMs: number;
}

/** Including the first. */
const mostAttempts = 3;

/** Transient system codes; a wrong certificate, for example, is none. */
const passing = new Set([
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  // The process has no file handle left for a connection.
  'EMFILE',
  'ENFILE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  // A proxy's answers while it cannot reach the appliance.
  ...['502', '503', '504'],
]);

/**
 * Whether a failed request may be sent again.
 *
 * A read may, if the connection or a gateway in between failed. Everything else only if it certainly never
 * left. This depends on the effect and never on the HTTP method, because a GET can restart a server here.
 */
export function maySendAgain(effect: Effect, failure: ApplianceFailure, attempt: number): boolean {
  if (attempt >= mostAttempts) return false;
  if (failure.code === 'unreachable') return passing.has(failure.reason.replace(/^PROXY_/, ''));
  if (effect !== 'read') return false;
  if (failure.code === 'http_status') return [502, 503, 504].includes(failure.status);
  return failure.code === 'connection_lost';
}

/**
 * Full jitter: between nothing and 100 ms, 200 ms, 400 ms …, so that callers that failed together do not retry
 * together.
 * @param attempt the failed attempt, from 1
 * @param random 0 ≤ random < 1
 * @returns milliseconds
 */
export function waitBeforeNext(attempt: number, random: number): number {
  return random * Math.min(2_000, 100 * 2 ** (attempt - 1));
}
