import { everyone } from '../../auth/policy.ts';
import {
  clock,
  enumerate,
  type Field,
  group,
  person,
  plural,
  say,
  strong,
  type Text,
} from '../../handlers/reply.ts';
import type { Action, Given } from '../../journal/journal.ts';
import { consentOf, isConsentReadable, isDelegated, type Need } from '../base/consent.ts';
import { shownOf } from '../base/stored.ts';

/** Whose yes it waits for, and who has said yes. */
export function consentFields(action: Action, given: readonly Given[]): readonly Field[] {
  const consent = consentOf(action);
  if (consent === undefined || !isConsentReadable(action)) return [];
  const { reason } = consent;
  const approved = enumerate(given.map(({ person: id, at }) => say`${person(id)} at ${clock(at)}`));
  const isOpen = action.state === 'waiting';
  const asker = say`${person(action.person)}${isDelegated(action) ? ', who can’t run it without approval' : ''}`;
  return [
    ...(isOpen ? [{ name: 'Asked by', value: asker }] : []),
    // A command that asks for a reason itself shows it with the rest.
    ...(reason === null || shownOf(action)?.fields.some(({ name }) => name === 'Reason')
      ? []
      : [{ name: 'Reason', value: say`${reason}` }]),
    ...(isOpen ? [{ name: 'Needs', value: needsInWords(action) }] : []),
    ...(given.length === 0 ? [] : [{ name: 'Approved by', value: approved }]),
  ];
}

/** *1 approval by approver (@carol)*, of what waits for others. */
export const needsInWords = (action: Action): Text =>
  enumerate((consentOf(action)?.needs ?? []).filter(isNews).map(needInWords));

/** What meets one need of the same people meets a smaller one, too: a role that is lent, and whose approval is wanted. */
const isNews = (need: Need, at: number, needs: readonly Need[]): boolean =>
  !needs.some(
    ({ by, count }, other) =>
      by.join() === need.by.join() && (count > need.count || (count === need.count && other < at)),
  );

/** *2 approvals by approver (@carol, @dave or @erin)*, so that they are called. */
function needInWords({ by, count, holders }: Need): Text {
  const called = holders.filter((id) => id !== everyone);
  const named = called.slice(0, mostCalled).map((id) => (id.startsWith('S') ? group(id) : person(id)));
  const more = called.length - named.length;
  const all = more > 0 ? [...named, say`${more} more`] : named;
  const who = all.length === 0 ? [] : say` (${enumerate(all, 'or')})`;
  return say`${plural(count, 'approval')} by ${enumerate(by.map(strong), 'or')}${who}`;
}

/** More names would call people of whom one is enough. */
const mostCalled = 5;
