import type { TicketPolicy } from '../../auth/policy.ts';
import { quoted } from '../../handlers/language/asked.ts';
import { code, say, type Text } from '../../handlers/reply.ts';

/** The policy wants a ticket, or another one. `line`: what was asked, without it. */
export interface TicketFault {
  readonly code: 'ticket_wanted';
  readonly given?: string | undefined;
  readonly tickets: TicketPolicy | undefined;
  readonly line: string;
}

export function ticketWanted({ given, tickets, line }: TicketFault): Text {
  const problem =
    given === undefined
      ? say`This change needs a ticket${looks(tickets, ' such as')}.`
      : say`${code(given)} is not the name of a ticket here${looks(tickets, ': it looks like')}.`;
  return say`${problem} No changes were made. Type it with one: ${code(`/appliance ${line} --ticket ${quoted(exampleOf(tickets))}`)}.`;
}

/** For a form, which shows it below its input. */
export const notATicket = (tickets: TicketPolicy | undefined): Text =>
  say`It must look like ${code(tickets?.example ?? tickets?.pattern ?? exampleOf(tickets))}.`;

export const exampleOf = (tickets: TicketPolicy | undefined): string => tickets?.example ?? 'CHG-123';

/** What one looks like, as far as the policy says so. */
function looks(tickets: TicketPolicy | undefined, word: string): Text {
  const { example, pattern } = tickets ?? {};
  if (example === undefined && pattern === undefined) return [];
  return say`${word} ${code(example ?? pattern ?? '')}`;
}
