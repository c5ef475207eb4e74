import { created } from '../reading/reply.ts';
import { entries, entry } from '../reading/unnamed.ts';
import { json } from '../wire/body.ts';
import { byId, endpoint, someFields } from './rdp-endpoint.ts';

/** The machines that sessions lead to. None of their fields is documented, and their passwords are never returned. */
export const targets = {
  listTargets: endpoint('GET /rdpproxy/targets', {
    summary: 'All targets, without their passwords.',
    effect: 'read',
    reply: entries('target'),
  }),

  createTarget: endpoint('POST /rdpproxy/targets', {
    summary: 'Creates a target.',
    effect: 'write',
    body: json({ fields: someFields }),
    reply: created,
  }),

  getTarget: endpoint('GET /rdpproxy/targets/{id}', {
    summary: 'One target, without its password.',
    effect: 'read',
    slots: byId,
    reply: entry('target'),
  }),

  // Destructive: the password that was there before is never returned, so nobody can put it back.
  replaceTarget: endpoint('PUT /rdpproxy/targets/{id}', {
    summary: 'Replaces a target; whether what is left out stays or goes is not documented.',
    effect: 'destructive',
    slots: byId,
    body: json({ fields: someFields }),
  }),

  deleteTarget: endpoint('DELETE /rdpproxy/targets/{id}', {
    summary: 'Deletes a target.',
    effect: 'destructive',
    slots: byId,
  }),

  enableTarget: endpoint('POST /rdpproxy/targets/{id}/enable', {
    summary: 'Enables a target.',
    effect: 'write',
    slots: byId,
  }),

  // What becomes of the sessions that are open on it is not documented.
  disableTarget: endpoint('POST /rdpproxy/targets/{id}/disable', {
    summary: 'Disables a target.',
    effect: 'write',
    slots: byId,
  }),
};
