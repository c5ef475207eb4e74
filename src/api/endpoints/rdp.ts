import { z } from 'zod';
import { created, type ReplyReader, tellingReport } from '../reading/reply-reader.ts';
import { entries, entry, named, rows, type UnnamedFields, undocumented } from '../reading/unnamed.ts';
import { json } from '../wire/body.ts';
import { serviceStatus } from './ini.ts';
import { byId, endpoint, someFields } from './rdp-endpoint.ts';
import { members } from './rdp-members.ts';
import { policies } from './rdp-policies.ts';
import { sessions } from './rdp-sessions.ts';

const wire = undocumented('RdpTarget', 'A machine that sessions lead to. Its password is never returned.');
const slots = byId('target', 'listTargets');
const sent = json('SentRdpTarget', 'A target to create, or to replace another.', {
  fields: someFields,
});

/** The machines that sessions lead to. None of their fields is documented, and their passwords are never returned. */
const targets = {
  listTargets: endpoint('GET /rdpproxy/targets', {
    summary: 'All targets, without their passwords.',
    effect: 'read',
    reply: entries('target', wire),
  }),

  createTarget: endpoint('POST /rdpproxy/targets', {
    summary: 'Creates a target.',
    effect: 'write',
    body: sent,
    reply: created,
  }),

  getTarget: endpoint('GET /rdpproxy/targets/{id}', {
    summary: 'One target, without its password.',
    effect: 'read',
    slots,
    reply: entry('target', wire),
  }),

  // Destructive: the password that was there before is never returned, so nobody can put it back.
  replaceTarget: endpoint('PUT /rdpproxy/targets/{id}', {
    summary: 'Replaces a target; whether what is left out stays or goes is not documented.',
    effect: 'destructive',
    slots,
    body: sent,
  }),

  deleteTarget: endpoint('DELETE /rdpproxy/targets/{id}', {
    summary: 'Deletes a target.',
    effect: 'destructive',
    slots,
  }),

  enableTarget: endpoint('POST /rdpproxy/targets/{id}/enable', {
    summary: 'Enables a target.',
    effect: 'write',
    slots,
  }),

  // What becomes of the sessions that are open on it is not documented.
  disableTarget: endpoint('POST /rdpproxy/targets/{id}/disable', {
    summary: 'Disables a target.',
    effect: 'write',
    slots,
  }),
};

/** The appliance never answers with more (appliance-api.md §8.1). */
const mostEvents = 500;

export interface AccessEvents {
  readonly events: readonly UnnamedFields[];
  /** True if as many arrived as requested, or as the appliance ever sends: there may be more. */
  readonly mayBeCut: boolean;
}

const list = rows('event', undocumented('RdpEvent', 'An access event of the remote-desktop gateway.'));

const accessEvents: ReplyReader<AccessEvents> = {
  read(answer, asked) {
    const events = list.read(answer);
    const limit = typeof asked?.limit === 'number' ? asked.limit : mostEvents;
    return { events, mayBeCut: events.length >= limit };
  },
  wire: list.wire,
};

const ofUser = json('MfaUsername', 'A user of the second factor.', {
  username: z.string().min(1).describe('The name of the user of the second factor.'),
});
/** Omitted by default: the meaning of an empty one is undocumented. */
const filter = z.string().min(1).optional();

/** The remote-desktop gateway. The appliance's audit trail records every change here (§1 convention 4). */
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

  // A GET that drops all open sessions.
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

  // The appliance's default limit is undocumented (§8.4). Always sending one shows what may be cut off.
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

  // Destructive: the old secret is never returned, so nobody can restore it.
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

  // Destructive: the password alone then suffices, and no documented operation reverts it.
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

  // A report rather than a list: it may be one text of suites, or have possible suites beside the offered ones.
  tlsCiphers: endpoint('GET /rdpproxy/tls/ciphers', {
    summary: 'The cipher suites offered to the targets.',
    effect: 'read',
    reply: tellingReport,
  }),

  // The old suites can be read and restored.
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
