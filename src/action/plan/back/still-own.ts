import type { Match } from '../../../handlers/language/match.ts';
import { say, type Text } from '../../../handlers/reply.ts';
import type { Action } from '../../../journal/journal.ts';
import { consentOf } from '../../base/consent.ts';
import { withFormerEnd } from '../../change/undo.ts';
import type { Parts } from '../../ground/ground.ts';
import type { NamingParts } from '../../wishes/names.ts';
import { leaveToOthers } from '../../wishes/others.ts';
import { explain } from '../../wording/faults.ts';
import { withoutPromise } from '../../wording/misread/misfits.ts';

type Found = Extract<Match, { kind: 'command' }>;

/**
 * The line of a plan that takes something back, without what others want still, and with the end that comes back with it; or why it is
 * left out. `together`: what is taken back with it is nobody else's wish.
 */
export async function stillOwn(
  parts: NamingParts & Pick<Parts, 'authority' | 'commandByPhrase' | 'journal' | 'now'>,
  found: Found,
  action: Action,
  together: ReadonlySet<string>,
): Promise<{ readonly found: Found; readonly stays: Text | undefined } | { readonly why: Text }> {
  const left = await leaveToOthers(parts, found, action, together);
  if (left.kind === 'all' || left.kind === 'differs') return { why: left.why };
  const back = await withFormerEnd(parts, left.found, action);
  if ('code' in back) return { why: withoutPromise(explain(back).headline) };
  const [stays] = left.stays;
  // It is done for the reason of what it takes back, where no other one is given.
  const typed = parts.match(action.understoodAs ?? action.line);
  const reason = (typed.kind === 'command' ? typed.reason : undefined) ?? consentOf(action)?.reason;
  return {
    found: { ...back, ...(reason && { reason }) },
    stays: stays && say`leaves alone what others want: ${stays.value}`,
  };
}
