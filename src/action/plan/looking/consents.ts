import type { AnyChange } from '../../../handlers/command.ts';
import type { Action } from '../../../journal/journal.ts';
import type { Authority } from '../../authority/authority.ts';
import { termsFor } from '../../authority/terms.ts';
import type { Consent, Need } from '../../base/consent.ts';
import type { PlanStep } from '../../base/stored.ts';

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
    const most = known === undefined || known.count < need.count ? need : known;
    const lines = [...new Set([...(known?.lines ?? []), ...(need.lines ?? [])])];
    needs.set(key, { ...most, ...(lines.length > 0 && { lines }) });
  }
  return {
    needs: [...needs.values()],
    requester: consents.every(({ requester }) => requester),
    open: Math.min(...consents.map(({ open }) => open)),
    reason: consents.find(({ reason }) => reason !== null)?.reason ?? null,
  };
}

/** A role is lent for that line alone, by its place; 0 is the plan itself. */
export const ofLine = ({ needs, ...consent }: Consent, line: number): Consent => ({
  ...consent,
  needs: needs.map((need) => (need.delegates ? { ...need, lines: [line] } : need)),
});

/** Where whoever asks may make no plan, those who may lend them that, too: all else is asked of its lines. */
export async function lentPlan(
  authority: Authority,
  { person, channel }: Action,
  command: AnyChange,
  steps: readonly PlanStep[],
): Promise<readonly Consent[]> {
  const appliances = [...new Set(steps.flatMap(({ targets }) => targets.map((one) => one.appliance)))];
  if (appliances.length === 0) return [];
  const asking = { person, channel, access: 'run', accessRequest: true, takesBack: true } as const;
  const terms = await termsFor(authority, { ...asking, reason: undefined, line: '', ticket: 'notNeeded' }, [
    { command, args: {}, appliances, lasts: 'any' },
  ]);
  if (terms.kind !== 'consent') return [];
  const needs = terms.consent.needs.filter(({ delegates }) => delegates);
  return needs.length === 0 ? [] : [ofLine({ ...terms.consent, needs }, 0)];
}
