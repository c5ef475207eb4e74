import type { Policy, TicketPolicy } from './policy.ts';
import { isWhole } from './reason.ts';
import type { RequestedCommand } from './request.ts';
import { covers, isCertain, touches } from './rule.ts';

/** Whether a change needs a ticket. `perhaps`: the answer depends on something that is not known yet. */
export type TicketNeed = 'yes' | 'perhaps' | 'no';

/** The policy's ticket requirement for a change in a channel. Reads need none. */
export function ticketNeedFor(
  subject: RequestedCommand,
  channel: string,
  { tickets }: Pick<Policy, 'tickets'>,
): TicketNeed {
  if (tickets === undefined || subject.effect === 'read') return 'no';
  const needs = tickets.required.map(({ commands, except, channels }): TicketNeed => {
    if (channels !== undefined && !channels.includes(channel)) return 'no';
    if (!commands.some((one) => touches(one, subject))) return 'no';
    const exempt = except.filter((one) => covers(one, subject));
    if (exempt.some((one) => isCertain(one, subject))) return 'no';
    const isSure = commands.some((one) => touches(one, subject) && isCertain(one, subject));
    return isSure && exempt.length === 0 ? 'yes' : 'perhaps';
  });
  return (['yes', 'perhaps'] as const).find((need) => needs.includes(need)) ?? 'no';
}

/**
 * The ticket that somebody named, in the spelling of its system. People give the name, in any case, or the
 * address.
 */
export function ticketIn(given: string, tickets: TicketPolicy | undefined): string | undefined {
  const name = nameIn(given, tickets?.link);
  if (name === undefined || tickets?.pattern === undefined) return name;
  const { pattern } = tickets;
  return [name, name.toUpperCase(), name.toLowerCase()].find((one) => isWhole(one, pattern));
}

export const ticketPlace = '{ticket}';

/** The address of a ticket, if the policy has a link. */
export const ticketAddress = (ticket: string, tickets: TicketPolicy | undefined): string | undefined =>
  tickets?.link?.replace(ticketPlace, () => encodeURIComponent(ticket));

/** The name of the ticket in an address that follows the link. */
function nameIn(given: string, link: string | undefined): string | undefined {
  // Chats leave out the scheme of an address.
  const bare = (address: string) => address.replace(/^https:\/\//, '');
  const [before = '', after = ''] = bare(link ?? '').split(ticketPlace);
  const address = bare(given);
  const isOurs = link !== undefined && address.startsWith(before) && address.endsWith(after);
  if (!isOurs) return given.includes('://') ? undefined : given;
  try {
    const name = decodeURIComponent(address.slice(before.length, address.length - after.length));
    return /^#?[A-Za-z0-9][\w.#/:@+-]{0,63}$/.test(name) ? name : undefined;
  } catch {
    return undefined;
  }
}
