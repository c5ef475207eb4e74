/** How often something may happen: so many at once, and then one every so many milliseconds. */
export interface Rate {
  readonly burst: number;
  readonly every: number;
}

/** Counts by key: an address, a site. */
export interface Buckets {
  /** Counts one and answers 0; or says in how many milliseconds there is room for one, and counts nothing. */
  readonly take: (key: string) => number;
  /** Gives one back that came to nothing. */
  readonly giveBack: (key: string) => void;
}

/** So many keys are remembered; who sends from ever other addresses meets the rate of all of them together. */
const mostKeys = 5_000;

export function createBuckets({ burst, every }: Rate, now: () => number): Buckets {
  /** When the bucket of a key will be full again; the one that was counted longest ago first. */
  const full = new Map<string, number>();

  function forgetOld(): void {
    for (const [key, at] of full) {
      if (at > now() && full.size <= mostKeys) return;
      full.delete(key);
    }
  }

  /** A clock that was set back makes nobody wait longer than an empty bucket does. */
  const fullAt = (key: string): number =>
    Math.min(Math.max(full.get(key) ?? 0, now()), now() + burst * every);

  return {
    take: (key) => {
      const next = fullAt(key) + every;
      const wait = next - now() - burst * every;
      if (wait > 0) return wait;
      full.delete(key);
      full.set(key, next);
      forgetOld();
      return 0;
    },
    giveBack: (key) => {
      if (full.has(key)) full.set(key, fullAt(key) - every);
    },
  };
}
