import { keyOf } from './address.ts';
import { createBuckets, type Rate } from './bucket.ts';

/** How often things may happen, by address, by site, and in all. In milliseconds. */
const usual = {
  /** Of any kind. A page that waits asks every ten seconds. */
  request: { address: { burst: 60, every: 200 }, all: { burst: 300, every: 20 } },
  /** Forms that are sent: each may call people. */
  form: {
    address: { burst: 10, every: 300_000 },
    site: { burst: 5, every: 300_000 },
    all: { burst: 30, every: 60_000 },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Rate>>>>;

/** Each counts one, and answers 0, or says in how many milliseconds it may be tried again. */
export interface PageLimits {
  readonly request: (address: string) => number;
  readonly form: (address: string, site: string) => number;
}

/** Of this replica: what reaches people is counted by the journal besides, for all of them together. */
export function createPageLimits(now: () => number): PageLimits {
  const request = {
    address: createBuckets(usual.request.address, now),
    all: createBuckets(usual.request.all, now),
  };
  const form = {
    address: createBuckets(usual.form.address, now),
    site: createBuckets(usual.form.site, now),
    all: createBuckets(usual.form.all, now),
  };
  return {
    // One address that sends too many leaves the room of all to the others.
    request: (address) => request.address.take(keyOf(address)) || request.all.take(''),
    form: (address, site) => form.address.take(keyOf(address)) || form.site.take(site) || form.all.take(''),
  };
}
