import { type Offer, type Reply, say, type Text } from '../../handlers/reply.ts';
import type { State } from '../../journal/actions/states.ts';
import type { Action, Changes, Journal, ToSend } from '../../journal/journal.ts';
import { answerNotKept, notTold } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Authority } from '../authority/authority.ts';
import { type Chat, ChatRefused, gotOut, type Listener, type Said } from '../base/chat.ts';
import { type ReplyAddresses, replyAddressLifetime } from '../base/reply-addresses.ts';
import { siteRequestOf, slackAskers } from '../base/site-request.ts';
import { targetsIn } from '../base/stored.ts';
import type { Draw, DrawnWords } from '../showing/drawing.ts';
import { mentionedAtEnd, plannedInPerson } from '../showing/mentioned.ts';
import {
  askedIn,
  type CardWords,
  drawCard,
  notifyPerson,
  tellBelow,
  whisperTo,
} from '../showing/messages.ts';
import { sourceOf } from '../showing/pages.ts';
import type { Present } from '../showing/present.ts';
import { endForAskers, tellAskers } from '../showing/site-askers.ts';
import { repeated } from './delivered.ts';
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
  /** Something that comes after the last word, in the thread alone, with what people can do about it. */
  readonly add: (action: Action, words: Text, offers?: readonly Offer[]) => Promise<void>;
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
      const ended = changes.held
        ? undefined
        : endForAskers(action, to, changes.outcome, changes.decidedBy ?? action.decidedBy);
      // What became of a step its plan tells, with all others.
      const messages =
        action.step === undefined
          ? [
              drawCard(action, to, words),
              ...(said === undefined || (isOnCard && action.card === undefined)
                ? []
                : tellBelow(action, said)),
              ...(mention === undefined ? [] : plannedInPerson(action, to, mention, headline)),
              ...tellAskers(action, ended),
              ...also,
            ]
          : also;
      const moved = await journal.move(action, to, { ...changes, messages }, token);
      if (moved === undefined) return undefined;
      const delivered = await outbox.deliver(messages);
      // Somebody may have joined this very moment.
      const late = tellAskers(moved, ended, toldIn(action));
      if (late.length > 0) await outbox.send(...late);
      // Nobody is left without the result.
      if (delivered.kind === 'refused' && threadReply !== undefined && action.request === undefined) {
        const audience = { channel, action: id, source, askedIn: askedIn(action) };
        await chat.ephemeral(asker, said ?? (await present(threadReply, audience)));
      }
      return moved;
    },

    add: async (action, words, offers = []) => {
      if (action.card === undefined) return;
      const reply: Reply =
        offers.length === 0
          ? { headline: words }
          : { headline: words, details: [{ kind: 'offers', offers }] };
      const { channel, id } = action;
      const source = sourceOf(action, targetsIn(action));
      await outbox.send(
        ...tellBelow(action, await present(reply, { channel, action: id, source, askedIn: askedIn(action) })),
      );
    },
  };

  function toldIn(action: Action): readonly string[] {
    const request = siteRequestOf(action);
    return request === undefined ? [] : slackAskers(request);
  }

  async function isToBeApplied({ id }: Action): Promise<boolean> {
    const pending = await journal.pendingApplies();
    if (pending.length === 0) return false;
    const all = new Set([id, ...(await journal.stepsOf(id)).map((step) => step.id)]);
    return pending.some((row) => all.has(row.action));
  }
}

/**
 * Says something to one person alone, at once. What the chat does not take now is kept until it does: whoever was told that
 * their line has arrived hears what came of it. Never rejects: there is nobody else to tell.
 */
export function keepingPrivateAnswers(
  chat: Pick<Chat, 'ephemeral'>,
  outbox: Pick<OutboxDispatcher, 'send'>,
  addresses: Pick<ReplyAddresses, 'remember'>,
  { log, now }: { readonly log: Log; readonly now: () => number },
): (to: Listener, said: Said) => Promise<void> {
  return async (to, said) => {
    try {
      await chat.ephemeral(to, said);
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      if (error.isPassing) await keep(to, said, error.mayStand);
      else log.tell(notTold, { channel: to.channel, person: to.person, code: error.code });
    }
  };

  async function keep(to: Listener, said: Said, mayStand: boolean): Promise<void> {
    // Only in a direct message can be looked whether it stands: whoever may have seen it sees it at most once more.
    const kept = mayStand ? notifyPerson(to.person, repeated(said)) : whisperTo(to, said);
    if (to.replyTo !== undefined) addresses.remember(kept.key, to.replyTo, now() + replyAddressLifetime);
    try {
      await outbox.send(kept);
    } catch (error) {
      log.tell(answerNotKept, { err: error, person: to.person });
    }
  }
}
