import type { Consent, Need } from '../../base/consent.ts';

/**
 * What all lines of a plan need, as one: everything that one of them needs, as often as the strictest says. Whoever asked may
 * approve it only where every rule lets them.
 */
export function allConsents(consents: readonly Consent[]): Consent | undefined {
  if (consents.length === 0) return undefined;
  const needs = new Map<string, Need>();
  for (const need of consents.flatMap((one) => one.needs)) {
    const key = JSON.stringify([need.by, need.delegates]);
    const known = needs.get(key);
    if (known === undefined || known.count < need.count) needs.set(key, need);
  }
  return {
    needs: [...needs.values()],
    requester: consents.every(({ requester }) => requester),
    open: Math.min(...consents.map(({ open }) => open)),
    reason: consents.find(({ reason }) => reason !== null)?.reason ?? null,
  };
}
