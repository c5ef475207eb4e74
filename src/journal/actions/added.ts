import type { Added } from '../database.ts';
import { messageRows } from '../delivery/outbox.ts';
import { type Announceable, type AnnouncedChanges, webhookRows } from '../delivery/webhook-events.ts';
import type { Changes } from './changes.ts';
import { eventRows } from './events.ts';
import type { State } from './states.ts';

/** What is written down together with a transition. */
export function addedWith(
  action: Announceable,
  to: State,
  changes: Changes,
  by: { readonly replica: string; readonly now: number; readonly announced: AnnouncedChanges },
): Added {
  const { messages = [], events = [] } = changes;
  const { replica, now, announced } = by;
  return {
    outbox: messageRows(messages, replica, now),
    events: eventRows(action.id, events, now),
    webhooks: webhookRows(action, { to, ...changes }, announced, now),
  };
}
