import { type Asked, lineOf, reasonIn, withoutReason } from '../../../handlers/language/asked.ts';
import type { Action } from '../../../journal/journal.ts';
import { askedByLine, plannedFor } from '../../authority/asked-of.ts';
import { termsFor } from '../../authority/terms.ts';
import type { Consent, Need } from '../../base/consent.ts';
import { type Shown, shownToStore } from '../../base/stored.ts';
import type { Parts } from '../../ground/ground.ts';
import type { Fault } from '../../wording/faults.ts';

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

/**
 * What the plan itself needs, beside its lines: where a rule names it, and where whoever asks may make none, those who may lend them
 * that, too.
 */
export async function consentToPlan(
  { authority, commandByPhrase }: Pick<Parts, 'authority' | 'commandByPhrase'>,
  action: Action,
  found: Asked,
  { shown, isAsked }: { readonly shown: Shown; readonly isAsked: boolean },
): Promise<readonly Consent[] | Fault> {
  const { person, channel } = action;
  const planned = plannedFor(shown.start);
  const [own = []] = askedByLine(commandByPhrase, { ...action, preview: shownToStore(shown) }, found.command);
  const terms = await termsFor(
    authority,
    {
      ...{ person, channel, access: 'run', accessRequest: isAsked, takesBack: true, ticket: 'notNeeded' },
      ...{ reason: reasonIn(found), line: lineOf(withoutReason(found)) },
    },
    shown.targets.length === 0 ? [] : own.map((asked) => ({ ...asked, planned })),
  );
  // Whether they may make a plan at all was asked before.
  if (terms.kind === 'fault') return terms.fault.code === 'denied' ? [] : terms.fault;
  return terms.kind === 'consent' ? [ofLine(terms.consent, 0)] : [];
}
