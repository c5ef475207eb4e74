import { ticketIn } from '../../auth/ticket.ts';
import { lineOf } from '../../handlers/language/asked.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Authority } from '../authority/authority.ts';
import type { Invocation } from '../base/chat.ts';
import type { Fault } from '../wording/faults.ts';
import type { Understood } from './asking.ts';

/**
 * The ticket that a change is done for: what was given with it, as the policy wants it, or that of the change that it takes back
 * or whose end it moves.
 */
export async function ticketOf(
  found: Understood,
  { origin, moves }: Pick<Invocation, 'origin' | 'moves'>,
  {
    authority,
    journal,
  }: { readonly authority: Pick<Authority, 'policy'>; readonly journal: Pick<Journal, 'byId'> },
): Promise<{ readonly ticket: string | undefined } | Fault> {
  const { ticket: given } = found;
  if (given === undefined) {
    const of = origin ?? (moves && (await journal.byId(moves.action)));
    return { ticket: of?.ticket };
  }
  const { tickets } = authority.policy();
  const ticket = ticketIn(given, tickets);
  if (ticket !== undefined) return { ticket };
  return { code: 'ticket_wanted', given, tickets, line: lineOf({ ...found, ticket: undefined }) };
}
