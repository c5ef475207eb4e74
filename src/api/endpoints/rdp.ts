import { accepted, endpoint, recordId } from '../endpoint.ts';
import { readSessions } from './rdp-sessions.ts';

/** The remote-desktop gateway (appliance-api.md §4.6). Every change here is in the appliance's audit trail. */
export const rdp = {
  /** The sessions that are open now. */
  listSessions: endpoint({
    method: 'GET',
    path: '/rdpproxy/sessions',
    effect: 'read',
    reply: readSessions,
    section: '§4.6',
  }),

  /** Throws somebody out. */
  disconnectSession: endpoint({
    method: 'POST',
    path: '/rdpproxy/sessions/{id}/disconnect',
    effect: 'destructive',
    slots: { id: recordId },
    reply: accepted,
    section: '§4.6',
  }),
};
