import type { Added } from '../database.ts';
import { messageRows } from '../delivery/outbox.ts';
import { type Announceable, type AnnouncedChanges, webhookRows } from '../delivery/webhook-events.ts';
import type { Changes } from './changes.ts';
import { eventRows } from './events.ts';
import type { State } from './states.ts';

/** What is written down together with a transition; undefined where that is nothing. */
export function addedWith(
  action: Announceable,
  to: State,
  changes: Changes,
  by: { readonly replica: string; readonly now: number; readonly announced: AnnouncedChanges },
): Added | undefined {
  const { messages = [], events = [] } = changes;
  const { replica, now, announced } = by;
  const webhooks = webhookRows(action, { to, ...changes }, announced, now);
  const added = {
    ...(messages.length > 0 && { outbox: messageRows(messages, replica, now) }),
    ...(events.length > 0 && { events: eventRows(action.id, events, now) }),
    ...(webhooks.length > 0 && { webhooks }),
  };
  return Object.keys(added).length === 0 ? undefined : added;
}
