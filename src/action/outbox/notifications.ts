import { type Reply, say, type Text } from '../../handlers/reply.ts';
import type { State } from '../../journal/actions/states.ts';
import type { Action, Changes, Journal, ToSend } from '../../journal/journal.ts';
import type { Authority } from '../authority/authority.ts';
import { type Chat, gotOut, type Listener } from '../base/chat.ts';
import { targetsIn } from '../base/stored.ts';
import type { Draw, DrawnWords } from '../showing/drawing.ts';
import { mentionedAtEnd, plannedInPerson } from '../showing/mentioned.ts';
import { askedIn, type CardWords, drawCard, tellBelow } from '../showing/messages.ts';
import { sourceOf } from '../showing/pages.ts';
import type { Present } from '../showing/present.ts';
import type { OutboxDispatcher } from './outbox-dispatcher.ts';

/** What people see of a change while it moves on: its card, and the thread below it. */
export interface Notifications {
  /** Draws the card, if there is one, as the action now stands; nothing hangs on it. */
  readonly draw: (action: Action, words?: DrawnWords) => Promise<void>;
  /**
   * Moves an action on and tells so, on its card and in its thread: what is told is written down together with the move.
   * Undefined, and nothing is told, when something else has moved it on before.
   */
  readonly transitionAndNotify: (
    action: Action,
    to: State,
    changes: Omit<Changes, 'messages'>,
    words: CardWords & {
      /** The last word. Where the thread cannot be written to, the person who asked is told alone. */
      readonly threadReply?: Reply;
      readonly asker?: Listener | undefined;
      /** Only while it shows this question. */
      readonly token?: string | undefined;
      /** What is told elsewhere. */
      readonly also?: readonly ToSend[];
    },
  ) => Promise<Action | undefined>;
  /** Something that comes after the last word, in the thread alone. */
  readonly add: (action: Action, words: Text) => Promise<void>;
}

export function createNotifications(
  chat: Pick<Chat, 'ephemeral'>,
  present: Present,
  journal: Pick<Journal, 'move' | 'approvalsOf' | 'pendingApplies' | 'stepsOf'>,
  authority: Pick<Authority, 'identify'>,
  draw: Draw,
  outbox: OutboxDispatcher,
): Notifications {
  return {
    draw: async (action, words) => {
      if (action.card !== undefined) await gotOut(draw(action, words));
    },

    transitionAndNotify: async (
      action,
      to,
      changes,
      { threadReply, asker = action, token, also = [], ...words },
    ) => {
      const { channel, id } = action;
      const source = sourceOf(action, targetsIn(action));
      const headline = words.headline ?? say`${changes.outcome?.says ?? ''}`;
      // Somebody looks again: it is not over.
      const mention = changes.held ? undefined : await mentionedAtEnd({ journal, authority }, action, to);
      // What is about to be compiled mentions them when it is live, or cannot be (`live.ts`): one message for all of it.
      const isLater = mention !== undefined && to === 'done' && (await isToBeApplied(action));
      const opening = isLater ? undefined : mention?.opening;
      // What is two or three lines stands on the card itself, and not behind a reply.
      const isOnCard = threadReply === undefined || changes.outcome?.evidence !== undefined;
      const below = isOnCard ? opening && { headline } : threadReply;
      const reply = below && opening ? { ...below, headline: say`${opening} ${below.headline}` } : below;
      const said = reply && (await present(reply, { channel, action: id, source, askedIn: askedIn(action) }));
      // What became of a step its plan tells, with all others.
      const messages =
        action.step === undefined
          ? [
              drawCard(action, to, words),
              ...(said === undefined || (isOnCard && action.card === undefined)
                ? []
                : tellBelow(action, said)),
              ...(mention === undefined ? [] : plannedInPerson(action, to, mention, headline)),
              ...also,
            ]
          : also;
      const moved = await journal.move(action, to, { ...changes, messages }, token);
      if (moved === undefined) return undefined;
      const delivered = await outbox.deliver(messages);
      // Nobody is left without the result.
      if (delivered.kind === 'refused' && threadReply !== undefined) {
        const audience = { channel, action: id, source, askedIn: askedIn(action) };
        await chat.ephemeral(asker, said ?? (await present(threadReply, audience)));
      }
      return moved;
    },

    add: async (action, words) => {
      if (action.card !== undefined) await outbox.send(...tellBelow(action, { headline: words }));
    },
  };

  async function isToBeApplied({ id }: Action): Promise<boolean> {
    const pending = await journal.pendingApplies();
    if (pending.length === 0) return false;
    const all = new Set([id, ...(await journal.stepsOf(id)).map((step) => step.id)]);
    return pending.some((row) => all.has(row.action));
  }
}
