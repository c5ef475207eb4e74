import type { Endpoint } from './endpoint.ts';
import { has, type Release, readAvailability } from './release.ts';

/** How long what an appliance says about its release counts, and how long its silence does, in milliseconds. */
const known = 10 * 60_000;
const notKnown = 60_000;

export interface Gate {
  /** The appliance's release; undefined when it cannot be found out. */
  release(): Promise<Release | undefined>;
  /** Whether the release has the operation; undefined when that is not known. */
  supports(endpoint: Endpoint): Promise<boolean | undefined>;
}

/**
 * Knows what an appliance's release has (§9), asking it once for many calls.
 * @param ask what the appliance says its release is; undefined when that cannot be read. May reject.
 * @param now milliseconds that only grow
 */
export function openGate(ask: () => Promise<Release | undefined>, now: () => number): Gate {
  let answer: Promise<Release | undefined> | undefined;
  let goodUntil = 0;

  function release(): Promise<Release | undefined> {
    if (answer !== undefined && now() < goodUntil) return answer;
    goodUntil = Number.POSITIVE_INFINITY;
    // An appliance that does not tell its release may still be able to do everything: the call itself will show.
    answer = ask()
      .catch(() => undefined)
      .then((told) => {
        goodUntil = now() + (told === undefined ? notKnown : known);
        return told;
      });
    return answer;
  }

  /** Every call asks, and there are a dozen different answers. */
  const verdicts = new Map<string, boolean | undefined>();
  let judged: Release | undefined;

  function verdictOf(told: Release, availableFrom: string): boolean | undefined {
    if (judged !== told) verdicts.clear();
    judged = told;
    if (!verdicts.has(availableFrom)) {
      const verdict = has(told, readAvailability(availableFrom));
      verdicts.set(availableFrom, verdict === 'unknown' ? undefined : verdict === 'yes');
    }
    return verdicts.get(availableFrom);
  }

  return {
    release,
    async supports({ availableFrom }) {
      if (availableFrom === undefined) return true;
      const told = await release();
      return told && verdictOf(told, availableFrom);
    },
  };
}
