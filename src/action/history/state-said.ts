import type { HistoryEntry } from '../../handlers/audit/history.ts';
import { isLookedForAgain } from '../../journal/actions/states.ts';
import type { Action, AuditRecord } from '../../journal/journal.ts';
import { isDenial } from '../wording/faults.ts';

/** How people call the state that it is in now. */
export function stateIn(action: Action): HistoryEntry['state'] {
  const { state, outcome } = action;
  if (isLookedForAgain(action)) return 'under way';
  if (state === 'refused' && outcome !== undefined && isDenial(outcome.code)) return 'denied';
  return state === 'asked' || state === 'approved' || state === 'running' ? 'under way' : state;
}

/** How people call the state of what is over. */
export function stateOf({ state, decision }: AuditRecord): HistoryEntry['state'] {
  if (decision.allowed === false) return 'denied';
  return state === 'asked' || state === 'waiting' || state === 'approved' || state === 'running'
    ? 'under way'
    : state;
}
