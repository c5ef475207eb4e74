import type { AnyCommand } from '../handlers/command.ts';
import { person, say, type Text } from '../handlers/reply.ts';
import type { Action, Given, Journal, Kept } from '../journal/journal.ts';
import { changeCard } from './card.ts';
import type { Button, Chat } from './chat.ts';
import type { LeaseFace } from './lease/face.ts';
import type { KeptOffer } from './present.ts';

/**
 * Draws the card of a change as its action now stands, or posts it; resolves to its message. Rejects with `ChatRefused`. The
 * journal holds the truth whether or not the chat can show it.
 */
export type Draw = (
  action: Action,
  words?: { readonly headline?: Text; readonly notice?: Text },
  key?: string,
) => Promise<string>;

/** What was kept as an offer is one (`present.ts`). */
export const offerIn = ({ content }: Kept): KeptOffer => content as unknown as KeptOffer;
const onWhere = (kept: Kept): string => {
  const { where } = offerIn(kept);
  return where === undefined ? '' : ` on ${where}`;
};

export function createDraw(
  chat: Pick<Chat, 'show'>,
  journal: Pick<Journal, 'offersOf' | 'approvalsOf' | 'leasesOf' | 'byId' | 'isShared'>,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  leaseFace: LeaseFace,
): Draw {
  return async (action, words, key) => {
    if (!journal.isShared) return show(action, words, key);
    let before = await standing(action);
    const card = await show(action, words, key);
    // Another replica may have drawn meanwhile what came after this: what was late must not stay in its place.
    for (;;) {
      const current = await journal.byId(action.id);
      if (current === undefined) return card;
      const after = await standing(current);
      if (after === before) return card;
      before = after;
      // With its key, by which it can still be found.
      await show({ ...current, card }, {}, key);
    }
  };

  async function show(action: Action, words: Parameters<Draw>[1], key: string | undefined): Promise<string> {
    const command = commandByPhrase.get(action.phrase ?? '');
    const { buttons, undone } = await undoOf(action);
    const notice = words?.notice ?? undone;
    const given = await approvalsOf(action);
    // What is on for a time says how it stands, whatever was to be said of how it began.
    const lease = await leaseFace(action);
    const headline = lease?.headline ?? words?.headline;
    const card = changeCard(action, command, {
      ...{ headline, notice, given, alarm: lease?.alarm },
      buttons: [...(lease?.buttons ?? []), ...buttons],
    });
    return chat.show(card, key);
  }

  /** All that a card depends on and that others may change: where two are the same, so are the cards. */
  async function standing(action: Action): Promise<string> {
    const { id, state, token, outcome } = action;
    const [given, undo, leases] = await Promise.all([
      approvalsOf(action),
      undoOf(action),
      journal.leasesOf(id),
    ]);
    const times = leases.map((lease) => [lease.state, lease.endsAt]);
    return JSON.stringify([state, token, outcome, given, undo, times]);
  }

  async function approvalsOf({ id, token, consent }: Action): Promise<readonly Given[]> {
    return consent === undefined || token === undefined ? [] : journal.approvalsOf(id, token);
  }

  /** Only what is done can be taken back. */
  async function undoOf(
    action: Action,
  ): Promise<{ readonly buttons: readonly Button[]; readonly undone: Text | undefined }> {
    if (action.state !== 'done' && action.state !== 'failed' && action.state !== 'unknown') {
      return { buttons: [], undone: undefined };
    }
    // Other offers of an action are lines to go on with, and taking one takes nothing back.
    const offers = (await journal.offersOf(action.id)).filter((kept) => offerIn(kept).undo === true);
    const open = offers.filter(({ takenBy }) => takenBy === undefined);
    // Whether that took it back is told by the action that came of it.
    const undone = offers
      .flatMap((kept) => (kept.takenBy === undefined ? [] : [{ kept, by: kept.takenBy }]))
      .flatMap(
        ({ kept, by }, index) =>
          say`${index === 0 ? '' : ' '}Undo${onWhere(kept)} was pressed by ${person(by)}.`,
      );
    return {
      buttons: open.map((kept) => ({ press: 'offer', label: `Undo${onWhere(kept)}`, token: kept.token })),
      undone: undone.length === 0 ? undefined : undone,
    };
  }
}
