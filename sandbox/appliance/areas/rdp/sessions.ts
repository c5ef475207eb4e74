import type { SimulatedEvent, SimulatedSession } from '../../company/rdp.ts';
import type { Route } from '../../route.ts';
import type { State } from '../../state.ts';
import { timestamp } from '../../times.ts';
import { change, newId, read, recordOf } from './order.ts';

/** Open sessions: appliance-api.md §4.6. */
export const sessions: readonly Route[] = [
  read('/rdpproxy/sessions', ({ state }) => ({ Sessions: [...state.rdp.sessions.values()] })),

  change('POST', '/rdpproxy/sessions/{id}/disconnect', ({ state, now, slots }) => {
    const { id, username } = recordOf(state.rdp.sessions, slots.get('id'), 'session');
    endSessions(state, now, (session) => session.id === id, 'disconnected', 'by the Web API');
    return { what: `session ${id} (${username}) disconnected` };
  }),
];

/** Ends the sessions that are meant; each leaves an event. */
export function endSessions(
  state: State,
  now: Date,
  isMeant: (session: SimulatedSession) => boolean,
  reason: SimulatedEvent['reason'],
  detail: string,
): void {
  for (const [id, session] of state.rdp.sessions) {
    if (!isMeant(session)) continue;
    state.rdp.sessions.delete(id);
    const { username: user, target, client_ip } = session;
    const event = {
      id: newId(state, 'events'),
      date: timestamp(now),
      user,
      target,
      client_ip,
      reason,
      detail,
    };
    state.rdp.events.push(event);
  }
}
