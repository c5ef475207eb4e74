import { newSecondFactor } from '../../company/rdp/members.ts';
import type { SimulatedMember } from '../../company/rdp.ts';
import type { Route } from '../../route.ts';
import type { State } from '../../state.ts';
import { type Fields, numberText, optionalText, requiredText } from './fields.ts';
import { change, newId, read, recordOf } from './order.ts';
import { unlinkEverywhere } from './policies.ts';
import { Refusal } from './refusal.ts';
import { endSessions } from './sessions.ts';

/** The last second that an unsigned clock of 32 bits knows, in the year 2106. */
const lastSecond = 4_294_967_295;

/** Members: appliance-api.md §2.14 and §4.6. Beside the documented fields this gateway has a full name. */
export const members: readonly Route[] = [
  read('/rdpproxy/members', ({ state }) => ({ Members: [...state.rdp.members.values()].map(shown) })),

  read('/rdpproxy/members/{id}', ({ state, slots }) => ({
    Member: shown(recordOf(state.rdp.members, slots.get('id'), 'member')),
  })),

  change('POST', '/rdpproxy/members', ({ state, fields }) => {
    const sent = { ...described(state, fields), password: requiredText(fields, 'password') };
    const id = newId(state, 'members');
    state.rdp.members.set(id, { id, ...sent, secondFactor: newSecondFactor() });
    return { what: `member ${id} (${sent.username}) created`, ID: id };
  }),

  change('PUT', '/rdpproxy/members/{id}', ({ state, slots, fields }) => {
    const member = recordOf(state.rdp.members, slots.get('id'), 'member');
    const sent = described(state, fields, member);
    // No call returns the password, so a replacement without one keeps it.
    const password = optionalText(fields, 'password', member.password);
    state.rdp.members.set(member.id, { ...member, ...sent, password });
    return { what: `member ${member.id} (${sent.username}) replaced` };
  }),

  // The document does not say what happens to the member's open sessions: here they end with the account.
  change('DELETE', '/rdpproxy/members/{id}', ({ state, now, slots }) => {
    const { id, username } = recordOf(state.rdp.members, slots.get('id'), 'member');
    state.rdp.members.delete(id);
    unlinkEverywhere(state, 'members', id);
    endSessions(state, now, (session) => session.username === username, 'member_deleted', 'member deleted');
    return { what: `member ${id} (${username}) deleted` };
  }),
];

/** Everything but the password. */
function shown({ id, username, full_name, endoflife }: SimulatedMember) {
  return { id, username, full_name, endoflife };
}

/** @throws Refusal when a field is missing or malformed, or another member has that user name */
function described(state: State, fields: Fields, replaced?: SimulatedMember) {
  const username = requiredText(fields, 'username');
  for (const member of state.rdp.members.values()) {
    if (member.username === username && member.id !== replaced?.id)
      throw new Refusal('a member with this username exists already');
  }
  const endoflife = numberText(fields, 'endoflife', { least: 0, most: lastSecond }, '0');
  return { username, full_name: optionalText(fields, 'full_name'), endoflife };
}
