import type { App } from '@slack/bolt';
import type { Invocation } from '../../action/base/chat.ts';
import type { Opened } from '../../action/base/reply-addresses.ts';

/** Somebody opens an action that a message shows. */
export type OpenedIn = Pick<Invocation, 'team' | 'channel' | 'person' | 'line'> & { readonly opened: Opened };

/**
 * Hands on what people open in messages, as the line by which they could ask for it there. What stands in it is what a message of the
 * bot's own said, or anything at all: it is read like a line that somebody has typed.
 */
export function onOpened(app: App, take: (opening: OpenedIn) => void): void {
  app.event('entity_details_requested', async ({ event, body }) => {
    const { user: person, channel, external_ref, entity_url: url, trigger_id: trigger } = event;
    const named = external_ref?.id ?? '';
    const reference = /^A-[0-9A-Z]{8}$/.test(named) ? named : '';
    take({
      team: body.team_id,
      // Found by Slack's search, it is opened in no channel.
      channel: channel ?? person,
      person,
      line: `show ${reference}`.trim(),
      opened: { reference, url, trigger },
    });
  });
}
