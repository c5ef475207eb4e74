import type { Effect } from '../endpoint.ts';
import type { ApplianceErrorCode, ApplianceFailure } from '../errors.ts';

/** When a request is sent again, and how long we wait before. Pure, so that it can be read and tested alone. */

/** A request that is about to be sent again. */
export interface RetryReport {
  readonly appliance: string;
  /** Such as "rdp.listSessions". */
  readonly operation: string;
  /** The one that failed, from 1. */
  readonly attempt: number;
  /** What went wrong with it. */
  readonly error: ApplianceErrorCode;
  /** Until the next one, in milliseconds. */
  readonly waitMs: number;
}

/** How often one call may be sent at most. */
const mostAttempts = 3;

/** System codes that pass by themselves. A certificate that does not fit, for example, is not among them. */
const passing = new Set([
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ECONNRESET',
  // No file is left to open a connection with.
  'EMFILE',
  'ENFILE',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  // What a proxy answers that does not reach the appliance just now.
  ...['502', '503', '504'],
]);

/**
 * Whether a failed request may be sent again.
 *
 * A read may, whenever the connection or a gateway in between failed. Everything else only when it certainly never
 * left: by effect and never by HTTP method, because a GET can restart a server here.
 */
export function maySendAgain(effect: Effect, failure: ApplianceFailure, attempt: number): boolean {
  if (attempt >= mostAttempts) return false;
  if (failure.code === 'unreachable') return passing.has(failure.reason.replace(/^PROXY_/, ''));
  if (effect !== 'read') return false;
  if (failure.code === 'http_status') return [502, 503, 504].includes(failure.status);
  return failure.code === 'connection_lost';
}

/**
 * Full jitter: somewhere between nothing and 100 ms, 200 ms, 400 ms …, so that callers who failed together do not
 * come back together.
 * @param attempt the attempt that has just failed, from 1
 * @param random 0 ≤ random < 1
 * @returns milliseconds
 */
export function waitBeforeNext(attempt: number, random: number): number {
  return random * Math.min(2_000, 100 * 2 ** (attempt - 1));
}
