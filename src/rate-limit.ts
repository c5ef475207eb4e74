/** A burst, and then one every `every` milliseconds. */
export interface Rate {
  readonly burst: number;
  readonly every: number;
}

/**
 * Token buckets by key: a Slack channel, an address.
 *
 * Ours, because bottleneck passes each job through timers of some 3 ms, half the time of an answer, and tells nobody how
 * long they would have to wait.
 */
export interface RateLimit {
  /** Milliseconds until there is room for one; 0 if there is. */
  readonly due: (key: string) => number;
  /** Counts one, whether or not there is room for it. */
  readonly count: (key: string) => void;
  /** Counts one and returns 0, or returns the milliseconds to wait without counting. */
  readonly take: (key: string) => number;
  /** There is no room for so many milliseconds. */
  readonly hold: (key: string, milliseconds: number) => void;
}

/** So many keys are remembered. A client that changes its address meets the limit of all together. */
const mostKeys = 5_000;

export function createRateLimit({ burst, every }: Rate, now: () => number): RateLimit {
  /** When each bucket is full, and when that was computed; the one that was changed last stands last. */
  const buckets = new Map<string, { readonly full: number; readonly at: number }>();

  /** A bucket computed at a future time came from a wrong clock, and is ignored. */
  const fullAt = (key: string): number => {
    const { full, at } = buckets.get(key) ?? { full: 0, at: 0 };
    return at > now() ? 0 : full;
  };
  /** When the bucket is full again if one is counted now. */
  const next = (key: string): number => Math.max(fullAt(key), now()) + every;
  const due = (key: string): number => Math.max(0, next(key) - now() - burst * every);

  function set(key: string, full: number): void {
    buckets.delete(key);
    buckets.set(key, { full, at: now() });
    for (const [other, bucket] of buckets) {
      if (bucket.full > now() && buckets.size <= mostKeys) return;
      buckets.delete(other);
    }
  }
  const count = (key: string): void => set(key, next(key));

  return {
    due,
    count,
    take: (key) => {
      const wait = due(key);
      if (wait === 0) count(key);
      return wait;
    },
    hold: (key, milliseconds) => set(key, Math.max(fullAt(key), now() + milliseconds + burst * every)),
  };
}
