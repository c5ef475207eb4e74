import type { MessageMetadata } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Place } from '../../action/base/chat.ts';
import type { Stamp, Stamps } from '../../action/base/stamp.ts';
import { type State, transitions } from '../../journal/actions/states.ts';
import { historyUnreadable } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { refusalIn } from './refusal.ts';

/** The metadata's name on every message that can be found again. */
const messageEvent = 'appliance_action';

/** How a stamp is written on a message: correlation only, for other apps can read it (slack-facts.md §9). */
export const metadataOf = ({
  key,
  journal,
  at,
  action,
  state,
  isChange,
}: Stamp): { readonly metadata: MessageMetadata } => ({
  metadata: {
    event_type: messageEvent,
    event_payload: {
      ...(action !== undefined && { action }),
      ...(key !== undefined && { message: key }),
      // Without the journal's name, how far it knew says nothing.
      ...(journal !== undefined && {
        journal,
        ...(at !== undefined && { at: String(at) }),
        ...(state !== undefined && { state }),
        ...(isChange === true && { kind: 'change' }),
      }),
    },
  },
});

const text = z.string().optional().catch(undefined);
const stamped = z.object({
  event_type: z.literal(messageEvent),
  event_payload: z
    .object({
      ...{ message: text, journal: text, action: text, kind: text },
      at: z.coerce.number().optional().catch(undefined),
      state: z
        .custom<State>((value) => typeof value === 'string' && Object.hasOwn(transitions, value))
        .optional()
        .catch(undefined),
    })
    .transform(
      ({ message: key, journal, action, kind, at, state }): Stamp => ({
        ...{ key, journal, action, at, state },
        isChange: kind === 'change',
      }),
    ),
});

/** Undefined where the metadata is none of the bot's. */
export const stampIn = (metadata: unknown): Stamp | undefined =>
  stamped.safeParse(metadata).data?.event_payload;

/** So many of the newest messages of a channel are looked through. */
const reach = 100;

/** Looks what is noted on messages of the bot itself, which is `user`: anybody's app can write the same on its own. */
export function createStamps(
  asking: WebClient,
  user: string | undefined,
  log: Log,
): (place: Place, ts?: string) => Promise<Stamps> {
  return async ({ channel, card }, ts) => {
    try {
      const one = ts === undefined ? {} : { oldest: ts, latest: ts, inclusive: true };
      const asked = { channel, limit: reach, include_all_metadata: true, ...one };
      const { messages = [] } =
        card === undefined || ts === card
          ? await asking.conversations.history(asked)
          : await asking.conversations.replies({ ...asked, ts: card });
      return {
        kind: 'read',
        messages: messages.flatMap((message) => {
          // Slack's types leave out what was asked for.
          const stamp = stampIn(Reflect.get(message, 'metadata'));
          const isOwn = user === undefined || message.user === user;
          return stamp === undefined ||
            message.ts === undefined ||
            !isOwn ||
            (ts ?? message.ts) !== message.ts
            ? []
            : [{ ts: message.ts, stamp }];
        }),
      };
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === undefined) return { kind: 'try_later' };
      log.tell(historyUnreadable, { channel, ...refusal });
      return { kind: 'cannot_look' };
    }
  };
}
