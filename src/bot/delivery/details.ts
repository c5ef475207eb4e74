import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import type { Button, Said } from '../../action/base/chat.ts';
import type { Opened } from '../../action/base/reply-addresses.ts';
import { detailsNotShown } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf } from '../codes.ts';
import { detailsOf, sentence } from '../rendering/entity.ts';
import { linked } from '../rendering/links.ts';

export interface DetailsParts {
  readonly asking: WebClient;
  /** Where the workspace's messages open, as `Connection.url` says. */
  readonly workspace: string | undefined;
  readonly now: () => number;
  readonly log: Log;
}

/**
 * Shows whoever has opened an action what is said of it, in the pane that Slack holds open for it; whatever else they are told stands
 * there as a sentence. Never rejects: what Slack does not take is not brought again, for the pane is closed by then.
 */
export function createDetails({ asking, workspace, now, log }: DetailsParts) {
  return async ({ trigger, reference, url }: Opened, given: Said): Promise<void> => {
    const said = linked(given, { workspace, ticketAt: undefined });
    const { details = [] } = said;
    const part = details.find((one) => one.kind === 'action' && one.reference === reference);
    // Everyone is shown it already: only what takes it back stands there, too.
    const buttons = details.flatMap((one) => (one.kind === 'buttons' ? one.buttons.filter(isStanding) : []));
    try {
      await asking.entity.presentDetails({
        trigger_id: trigger,
        ...(part?.kind === 'action'
          ? { metadata: detailsOf({ url, part, now: now() }, buttons) }
          : {
              error: {
                status: 'custom',
                custom_title: reference || 'Action',
                custom_message: sentence(said),
              },
            }),
      });
    } catch (error) {
      const details =
        error instanceof WebAPIPlatformError ? error.data.response_metadata?.messages : undefined;
      log.tell(detailsNotShown, { reference, code: codeOf(error), details });
    }
  };
}

/** Kept for the card of its action, and not for this answer. */
const isStanding = ({ about }: Button): boolean => about !== undefined;
