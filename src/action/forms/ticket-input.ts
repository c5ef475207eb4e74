import type { TicketPolicy } from '../../auth/policy.ts';
import { type TicketNeed, ticketIn } from '../../auth/ticket.ts';
import type { Asked } from '../../handlers/language/asked.ts';
import { isTicket } from '../../handlers/language/ticket.ts';
import { say, type Text } from '../../handlers/reply.ts';
import type { Input } from '../base/form.ts';
import { exampleOf, notATicket } from '../wording/not-approved.ts';

/** Asks for the ticket where the policy wants one, and shows the one that was given. */
export function ticketInput(
  { command, ticket }: Asked,
  need: TicketNeed,
  tickets: TicketPolicy | undefined,
): readonly Input[] {
  if (command.kind !== 'change' || (need === 'no' && ticket === undefined)) return [];
  return [
    {
      name: 'ticket',
      label: 'Ticket',
      hint: `What this is done for. For example: ${exampleOf(tickets)}`,
      optional: need !== 'yes',
      kind: { is: 'line', ...(ticket === undefined ? {} : { initial: ticket }) },
    },
  ];
}

/** What is wrong with it, below that input. */
export function ticketProblem(
  { command, ticket }: Asked,
  need: TicketNeed,
  tickets: TicketPolicy | undefined,
): Readonly<Record<string, Text>> {
  if (command.kind !== 'change') return {};
  if (ticket === undefined) return need === 'yes' ? { ticket: say`This is needed.` } : {};
  return isTicket(ticket) && ticketIn(ticket, tickets) !== undefined ? {} : { ticket: notATicket(tickets) };
}
