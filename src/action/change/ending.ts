import { moment, person, plainText, say, type Text } from '../../handlers/reply.ts';
import type { Action, Outcome } from '../../journal/journal.ts';
import type { Parts } from '../ground/ground.ts';
import { drawCard, inBackground, tellBelow } from '../showing/messages.ts';
import { lostOutcome } from '../wording/restored.ts';

/** How something that waits for a click comes to nothing: cancelled or denied by somebody, or its time is over. */
export interface Endings {
  /** False when somebody else was first, or its question is another one by now. */
  readonly cancel: (action: Action, by: string, code: string, headline: Text) => Promise<boolean>;
  /** The same for a form, which may have lain open until the time was over. */
  readonly cancelInTime: Endings['cancel'];
  readonly expire: (action: Action) => Promise<void>;
  /** Ends at most so many of those whose time is over; resolves to how many it did. They are told in the background. */
  readonly expireOverdue: (most: number) => Promise<number>;
  readonly isOver: (action: Action) => boolean;
}

export function createEndings({
  notifications,
  secretStore,
  journal,
  generations,
  ahead,
  now,
}: Parts): Endings {
  const endings: Endings = {
    cancel: async (action, by, code, why) => {
      const headline = say`${why}${lostTime(action)}`;
      const outcome = { code, says: plainText(headline) };
      const words = { headline, token: action.token, ...(by !== action.person && calling(action, headline)) };
      const changes = { outcome, decidedBy: by };
      const ended = await notifications.transitionAndNotify(action, 'cancelled', changes, words);
      if (ended !== undefined) await comesToNothing(action.id);
      return ended !== undefined;
    },

    cancelInTime: async (action, ...how) => {
      if (!endings.isOver(action)) return endings.cancel(action, ...how);
      await endings.expire(action);
      return false;
    },

    expire: async (action) => {
      if (await hasEndedSince(action)) {
        await journal.move(action, 'unknown', { outcome: lostOutcome });
        return;
      }
      const { headline, outcome } = inVain(action);
      const words = { headline, token: action.token, ...calling(action, headline) };
      const expired = await notifications.transitionAndNotify(action, 'expired', { outcome }, words);
      if (expired !== undefined) await comesToNothing(action.id);
    },

    expireOverdue: async (most) => {
      const after = await generations.restoredUntil();
      const expired = await journal.expireOverdue({ at: now(), after, most }, (action) => {
        const { headline, outcome } = inVain(action);
        const { threadReply } = calling(action, headline);
        const below = threadReply === undefined ? [] : tellBelow(action, threadReply);
        return { outcome, messages: inBackground([drawCard(action, 'expired', { headline }), ...below]) };
      });
      for (const { id } of expired) await comesToNothing(id);
      // Of what came with a backup Slack is asked first, card by card.
      const [doubtful] = after === 0 || expired.length > 0 ? [] : await journal.overdue(now(), 1);
      if (doubtful !== undefined) await endings.expire(doubtful);
      return expired.length;
    },

    isOver: ({ expiresAt }) => expiresAt !== undefined && expiresAt <= now(),
  };
  return endings;

  /** The button that it came of, such as an Undo, stands again: nothing came of its click. */
  async function comesToNothing(id: string): Promise<void> {
    await secretStore.forget(id);
    const behind = (await journal.offerBehind(id))?.action;
    const origin = behind === undefined ? undefined : await journal.byId(behind);
    if (origin === undefined) return;
    await journal.releaseOf(id);
    await notifications.draw(origin);
  }

  /** Where the journal is a backup of before that, the card tells how. */
  async function hasEndedSince({ id, channel, card, state, changedAt }: Action): Promise<boolean> {
    if (card === undefined || changedAt > (await generations.restoredUntil())) return false;
    return ahead.isAhead({ channel }, card, { action: id, state });
  }
}

/** What was moved, and not agreed to, is planned for no time at all. */
const lostTime = ({ state, runAt }: Action): Text =>
  state === 'waiting' && runAt !== undefined
    ? say` It is not planned for ${moment(runAt)} any more, either.`
    : [];

function inVain(action: Action): { readonly headline: Text; readonly outcome: Outcome } {
  const verb = action.consent === undefined ? 'confirmed' : 'approved it';
  const headline = say`Nobody ${verb} in time, so no changes were made.${lostTime(action)}`;
  return { headline, outcome: { code: 'expired', says: plainText(headline) } };
}

/** A card that only changes tells nobody: whoever waited for others is called. */
function calling(action: Action, headline: Text): { readonly threadReply?: { readonly headline: Text } } {
  return action.consent === undefined && action.state !== 'planned'
    ? {}
    : { threadReply: { headline: say`${person(action.person)}: ${headline}` } };
}
