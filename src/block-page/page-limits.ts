import { createRateLimit, type Rate } from '../rate-limit.ts';
import { keyOf } from './address.ts';

/** Limits by address, by site, and in all. In milliseconds. */
const usual = {
  /** All requests. A waiting page reloads every ten seconds. */
  request: { address: { burst: 60, every: 200 }, all: { burst: 300, every: 20 } },
  /** Submitted forms: each may notify people. */
  form: {
    address: { burst: 10, every: 300_000 },
    site: { burst: 5, every: 300_000 },
    all: { burst: 30, every: 60_000 },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Rate>>>>;

/** Each counts one and returns 0, or returns the milliseconds to wait. */
export interface PageLimits {
  readonly request: (address: string) => number;
  readonly form: (address: string, site: string) => number;
}

/** Limits of this replica; the journal also limits notifications of all replicas together. */
export function createPageLimits(now: () => number): PageLimits {
  const request = {
    address: createRateLimit(usual.request.address, now),
    all: createRateLimit(usual.request.all, now),
  };
  const form = {
    address: createRateLimit(usual.form.address, now),
    site: createRateLimit(usual.form.site, now),
    all: createRateLimit(usual.form.all, now),
  };
  return {
    // An address over its limit does not use up the common one.
    request: (address) => request.address.take(keyOf(address)) || request.all.take(''),
    form: (address, site) => form.address.take(keyOf(address)) || form.site.take(site) || form.all.take(''),
  };
}
