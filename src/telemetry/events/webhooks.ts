import { event } from './event.ts';

const about = ['delivery', 'webhook', 'action', 'ticket', 'tries', 'why'] as const;

export const webhookGivenUp = event('webhook_given_up', {
  level: 'error',
  says: 'A webhook was never taken, and is given up',
  fields: about,
  means: 'The receiver was tried for as long as docs/webhooks.md says. It never hears of this.',
  action:
    'Tell the receiver’s owner; `show` with what the line has as `called` has what it should have heard.',
});

export const webhookGone = event('webhook_receiver_gone', {
  level: 'error',
  says: 'The webhook receiver is gone for good, and is not told any more',
  fields: about,
  means: 'It answered 410. Deliveries wait until the policy names another receiver, or they are given up.',
  action: 'Change or remove `webhook` in the policy.',
});

export const webhookFailed = event('webhook_failed', {
  level: 'warn',
  says: 'A webhook was not taken, and is tried again',
  fields: about,
  means: 'It stays in the journal until the receiver takes it.',
  action: '`why` is the receiver’s answer. Tell whoever runs it; docs/webhooks.md says what it must answer.',
});

export const webhooksBack = event('webhooks_taken', {
  level: 'info',
  says: 'Webhooks are taken again',
  means: 'Waiting deliveries go out now.',
});

export const adminsNotToldOfWebhooks = event('webhook_admins_not_told', {
  level: 'warn',
  says: 'The admins could not be notified about webhooks',
  fields: ['err'],
  means: 'The line before says what it is about.',
});
