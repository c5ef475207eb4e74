import { z } from 'zod';
import { tellingReport } from '../reading/reply.ts';
import { entries, named, undocumented } from '../reading/unnamed.ts';
import { json } from '../wire/body.ts';
import { serviceStatus } from './ini.ts';
import { byId, endpoint, someFields } from './rdp-endpoint.ts';
import { accessEvents, mostEvents } from './rdp-events.ts';
import { members } from './rdp-members.ts';
import { policies } from './rdp-policies.ts';
import { sessions } from './rdp-sessions.ts';
import { targets } from './rdp-targets.ts';

const ofUser = json('MfaUsername', 'A user of the second factor.', {
  username: z.string().min(1).describe('The name of the user of the second factor.'),
});
/** Left out when not asked for: what an empty one means is not shown. */
const filter = z.string().min(1).optional();

/** The remote-desktop gateway. Every change here is in the appliance's audit trail (§1 convention 4). */
export const rdp = {
  state: endpoint('GET /rdpproxy/state', {
    summary: 'Installation, versions, listening port, open sessions, policies and video support.',
    effect: 'read',
    reply: tellingReport,
  }),

  status: endpoint('GET /rdpproxy/status', {
    summary: 'Status of the gateway’s service.',
    effect: 'read',
    reply: serviceStatus,
  }),

  // A GET, and all open sessions go through what it restarts.
  restart: endpoint('GET /rdpproxy/restart', {
    summary: 'Restarts the gateway.',
    effect: 'destructive',
    slow: true,
  }),

  ...members,
  ...targets,
  ...policies,

  listSessions: endpoint('GET /rdpproxy/sessions', {
    summary: 'The sessions that are open now.',
    effect: 'read',
    reply: sessions,
  }),

  disconnectSession: endpoint('POST /rdpproxy/sessions/{id}/disconnect', {
    summary: 'Disconnects a session.',
    effect: 'destructive',
    slots: byId('session', 'listSessions'),
  }),

  listVideos: endpoint('GET /rdpproxy/videos', {
    summary: 'The recorded videos.',
    effect: 'read',
    reply: entries('video', undocumented('RdpVideo', 'A recorded session.'), ['name', 'file', 'filename']),
  }),

  deleteVideo: endpoint('DELETE /rdpproxy/videos/{id}', {
    summary: 'Deletes a recorded video.',
    effect: 'destructive',
    slots: byId('video', 'listVideos'),
  }),

  // The appliance's own default for the limit is not shown (§8.4). With one always sent, it is known what may be cut off.
  listEvents: endpoint('GET /rdpproxy/events', {
    summary: 'Access events, of a user or with a reason if asked; 500 at most.',
    effect: 'read',
    query: {
      user: filter.describe('Only the events of this user.'),
      reason: filter.describe('Only the events with this reason.'),
      limit: z
        .int()
        .min(1)
        .max(mostEvents)
        .default(mostEvents)
        .describe('The maximum number of events; the appliance sends no more than 500.'),
    },
    reply: accessEvents,
  }),

  listMfaUsers: endpoint('GET /rdpproxy/mfa/users', {
    summary: 'The users of the second factor, without their secrets.',
    effect: 'read',
    reply: named(
      'user',
      undocumented('MfaUser', 'A user of the second factor. The secret is never returned.'),
      ['username', 'login'],
    ),
  }),

  // Destructive: the secret that was there before is never returned, so nobody can put it back.
  resetMfa: endpoint('POST /rdpproxy/mfa/reset', {
    summary: 'Resets a user’s second factor.',
    effect: 'destructive',
    body: ofUser,
  }),

  // The user still needs the second factor.
  unlockMfa: endpoint('POST /rdpproxy/mfa/unlock', {
    summary: 'Unlocks a user’s second factor.',
    effect: 'write',
    body: ofUser,
  }),

  // Destructive: it opens the gate to whoever knows the password, and no operation is shown that closes it again.
  exemptFromMfa: endpoint('POST /rdpproxy/mfa/exempt', {
    summary: 'Allows a user to log in without the second factor.',
    effect: 'destructive',
    body: ofUser,
  }),

  siemStatus: endpoint('GET /rdpproxy/siem/status', {
    summary: 'State of the connection to the SIEM.',
    effect: 'read',
    reply: tellingReport,
  }),

  // A report and not a list: it may as well be one text of suites, and offered suites may stand beside possible ones.
  tlsCiphers: endpoint('GET /rdpproxy/tls/ciphers', {
    summary: 'The cipher suites offered to the targets.',
    effect: 'read',
    reply: tellingReport,
  }),

  // The suites that were offered before can be read and put back.
  setTlsCiphers: endpoint('POST /rdpproxy/tls/ciphers', {
    summary: 'Sets the cipher suites offered to the targets.',
    effect: 'write',
    body: json(
      'SentTlsCiphers',
      'The cipher suites to offer to the targets; how they are sent is not documented.',
      { fields: someFields },
    ),
  }),
};
