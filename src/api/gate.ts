import type { Endpoint } from './endpoint.ts';
import { has, type Release, readAvailability } from './release.ts';

/** How long what an appliance says about its release counts, and how long its silence does, in milliseconds. */
const known = 10 * 60_000;
const notKnown = 60_000;

export interface Gate {
  /** The appliance's release as it is known, or as soon as it is; undefined when it cannot be found out. */
  release(): Promise<Release | undefined>;
  /** Whether the release has the operation; undefined when that is not known. */
  supports(endpoint: Endpoint): Promise<boolean | undefined>;
  /** The appliance told its release to somebody else who asked. */
  heard(told: Release | undefined): void;
}

/**
 * Knows what an appliance's release has (§9), asking it once for many calls. Only the first answer is waited for, and one
 * that may make a *no* of long ago a *yes*; else it is asked in the background.
 * @param ask what the appliance says its release is; undefined when that cannot be read. May reject.
 * @param now milliseconds that only grow
 */
export function openGate(ask: () => Promise<Release | undefined>, now: () => number): Gate {
  let last: { readonly told: Release | undefined; readonly until: number } | undefined;
  let asking: Promise<Release | undefined> | undefined;

  function heard(told: Release | undefined): void {
    last = { told, until: now() + (told === undefined ? notKnown : known) };
  }

  function learn(): Promise<Release | undefined> {
    // An appliance that does not tell its release may still be able to do everything: the call itself will show.
    asking ??= ask()
      .catch(() => undefined)
      .then((told) => {
        heard(told);
        asking = undefined;
        return told;
      });
    return asking;
  }

  const isOld = () => last === undefined || now() >= last.until;

  async function release(): Promise<Release | undefined> {
    const asked = isOld() ? learn() : undefined;
    return last === undefined ? asked : last.told;
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
    heard,
    async supports({ availableFrom }) {
      if (availableFrom === undefined) return true;
      const isFormer = last !== undefined && isOld();
      const told = await release();
      const verdict = told && verdictOf(told, availableFrom);
      if (verdict !== false || !isFormer) return verdict;
      // It may have been upgraded since.
      const fresh = await (asking ?? release());
      return fresh && verdictOf(fresh, availableFrom);
    },
  };
}
