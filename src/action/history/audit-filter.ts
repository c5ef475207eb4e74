import type { Fleet } from '../../auth/targets.ts';
import { ticketIn } from '../../auth/ticket.ts';
import type { HistoryFilter } from '../../handlers/audit/history.ts';
import type { AuditFilter } from '../../journal/journal.ts';
import { namedIn } from '../authority/asked-of.ts';
import type { Authority } from '../authority/authority.ts';

/** What somebody looks for, as the records have it. A ticket is found by its address, too, which people paste. */
export function auditFilterOf(
  { by, command, denied, since, until, on, ticket, plan, about, failed, approved }: HistoryFilter,
  channel: string | undefined,
  { authority, fleet }: { readonly authority: Pick<Authority, 'policy'>; readonly fleet: Fleet },
): AuditFilter {
  const named = ticket && (ticketIn(ticket, authority.policy().tickets) ?? ticket);
  return {
    by,
    command,
    denied,
    about,
    failed,
    approved,
    since,
    until,
    ticket: named,
    plan,
    on: namedIn(on, fleet),
    in: channel,
  };
}
