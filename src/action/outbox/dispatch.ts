import type { Action, Journal, Unsent } from '../../journal/journal.ts';
import { messageUnreadable } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { type Chat, ChatRefused, type Place, type Thread } from '../base/chat.ts';
import type { ReplyAddresses } from '../base/reply-addresses.ts';
import type { DrawRequest } from '../requests/card.ts';
import type { Draw } from '../showing/drawing.ts';
import {
  answerNow,
  type Content,
  contentOf,
  isAnnouncement,
  isPast,
  placeOf,
  problemIn,
  threadOf,
} from '../showing/messages.ts';
import { noCard, repeated, unreadable } from './delivered.ts';

/** What is known of an action while its messages go out one after the other, so that it is not read again for each. */
export interface Known {
  /** As it stands, until something is said of it. */
  action: Action | undefined;
  /** Its card, once it stands. */
  card: string | undefined;
  /** Where what stands below it goes. */
  thread: Thread | undefined;
  /** Its card tells more than the journal knows: what would be said below it is not true. */
  isAhead: boolean;
}

interface DispatchParts {
  readonly journal: Pick<Journal, 'byId' | 'placed'>;
  readonly chat: Pick<Chat, 'show' | 'reply' | 'post' | 'find' | 'ephemeral'>;
  readonly draw: Draw;
  readonly drawRequest: DrawRequest;
  /** Where private answers that are kept go first, by their keys. */
  readonly addresses: Pick<ReplyAddresses, 'find'>;
  readonly log: Log;
}

/**
 * Says what one message of the outbox holds, unless it stands there already. Resolves to where the card of its action now
 * stands, if that is news. Rejects with `ChatRefused`.
 */
type Dispatch = (unsent: Unsent, isMaybeDelivered: boolean, known: Known) => Promise<string | undefined>;

export function createDispatch({
  journal,
  chat,
  draw,
  drawRequest,
  addresses,
  log,
}: DispatchParts): Dispatch {
  return async (unsent, isMaybeDelivered, known) => {
    const { key, createdAt } = unsent;
    const content = contentOf(unsent);
    if (content === undefined) {
      log.tell(messageUnreadable, { message: key, problem: problemIn(unsent) });
      throw new ChatRefused(unreadable);
    }
    const standing = async (place: Place): Promise<string | undefined> => {
      const found = isMaybeDelivered ? await chat.find(place, key, createdAt) : undefined;
      if (found?.kind === 'try_later') throw new ChatRefused('cannot_look_now', { isPassing: true });
      // Where nobody may look, a result that stands there twice is better than one that is missing.
      return found?.kind === 'stands' ? found.ts : undefined;
    };
    switch (content.kind) {
      case 'post': {
        const { channel, said } = content;
        if ((await standing({ channel })) === undefined) await chat.post(channel, said, key);
        return undefined;
      }
      case 'request':
        await drawRequest(content.request, key, standing);
        return undefined;
      case 'whisper': {
        const { channel, person, thread, said } = content;
        const to = { channel, person, thread, replyTo: addresses.find(key) };
        if (!isMaybeDelivered) await chat.ephemeral(to, said);
        else if ((await standing({ channel: person })) === undefined)
          await chat.post(person, repeated(said), key);
        return undefined;
      }
      case 'tell': {
        if (known.isAhead) return undefined;
        known.thread ??= threadOf(await withCard(await actionOf(unsent)));
        if (known.thread === undefined) throw new ChatRefused(noCard);
        if ((await standing(known.thread)) === undefined) await chat.reply(known.thread, content.said, key);
        return undefined;
      }
      case 'draw':
      case 'answer': {
        const action = known.action ?? (await actionOf(unsent));
        // It is known until something was said of it; then it may go on.
        known.action = undefined;
        // A step stands on the card of its plan.
        if (action === undefined || action.step !== undefined) return undefined;
        // One that has just gone out may not be noted so far.
        const { card = known.card ?? (await standing(placeOf(action))) } = action;
        if (isPast(content, action) && card === undefined) return undefined;
        const shown = await show({ ...action, card }, content, key);
        known.card = shown;
        known.thread = threadOf({ ...action, card: shown });
        // A card that was found again is news, too; one that only changes is not.
        if (!isAnnouncement(content)) return shown === action.card ? undefined : shown;
        if (shown !== action.card) await journal.placed(action.id, shown);
        // Where it has ended this moment, nobody else would say so there.
        const current = await journal.byId(action.id);
        if (current !== undefined && isPast(content, current)) await show(current, content, key);
        return undefined;
      }
    }
  };

  async function actionOf({ action }: Unsent): Promise<Action | undefined> {
    return action === undefined ? undefined : journal.byId(action);
  }

  /** Whose card has the thread in which it is told: of a step that of its plan. */
  async function withCard(action: Action | undefined): Promise<Action | undefined> {
    return action?.step === undefined ? action : journal.byId(action.plan ?? '');
  }

  /** Resolves to its message. */
  function show(
    action: Action,
    content: Extract<Content, { kind: 'draw' | 'answer' }>,
    key: string,
  ): Promise<string> {
    return content.kind === 'draw'
      ? draw(action, action.state === content.state ? content.words : {}, key)
      : chat.show(answerNow(action, content), key);
  }
}
