/**
 * While a service does not answer, its callers are refused at once, and one attempt now and then probes for all.
 *
 * Ours, because cockatiel and the like let callers wait for the probe, go by the clock of the process, which tests cannot
 * turn, and cannot be told of a failure that was met outside of them.
 */
export interface CircuitBreaker {
  readonly isOpen: () => boolean;
  /** Whether an attempt may be made. While it is open, that one is the probe. */
  readonly pass: () => boolean;
  /** It answered. For how many milliseconds it had not, where callers were refused for it. */
  readonly answered: () => number | undefined;
  /** It did not. Whether callers are refused from now on who were not before. */
  readonly failed: () => boolean;
}

interface Parts {
  /** So many failures in a row open it. */
  readonly enough: number;
  /** The first pause before a probe and the longest; each is twice the one before. In milliseconds. */
  readonly pauses: { readonly first: number; readonly longest: number };
  /** So long callers are refused for a probe that has not ended, where that is longer than the pause. */
  readonly probing?: number;
  readonly now: () => number;
}

export function createCircuitBreaker({ enough, pauses, probing = 0, now }: Parts): CircuitBreaker {
  let failures = 0;
  let since = 0;
  let nextTry = 0;
  const isTripped = () => failures >= enough;
  const isOpen = () => isTripped() && now() < nextTry;
  const pause = () => Math.min(pauses.first * 2 ** (failures - enough), pauses.longest);

  return {
    isOpen,
    pass: () => {
      if (isOpen()) return false;
      // The others wait for its result.
      if (isTripped()) nextTry = now() + Math.max(pause(), probing);
      return true;
    },
    answered: () => {
      const silent = isTripped() ? now() - since : undefined;
      failures = 0;
      return silent;
    },
    failed: () => {
      if (failures === 0) since = now();
      failures += 1;
      nextTry = now() + pause();
      return failures === enough;
    },
  };
}
