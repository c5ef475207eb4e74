import { created } from '../reading/reply.ts';
import { entries, entry, undocumented } from '../reading/unnamed.ts';
import { json } from '../wire/body.ts';
import { byId, endpoint, someFields } from './rdp-endpoint.ts';

const wire = undocumented('RdpTarget', 'A machine that sessions lead to. Its password is never returned.');
const slots = byId('target', 'listTargets');
const sent = json('SentRdpTarget', 'A target to create, or to replace another.', {
  fields: someFields,
});

/** The machines that sessions lead to. None of their fields is documented, and their passwords are never returned. */
export const targets = {
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
