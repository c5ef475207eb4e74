import type { AnyCommand } from '../../handlers/command.ts';
import { person, say, type Text } from '../../handlers/reply.ts';
import type { Action, Given, Journal, Kept, TimedChangeRow } from '../../journal/journal.ts';
import { newestOf } from '../../journal/timed/timed-change-row.ts';
import type { Button, Chat } from '../base/chat.ts';
import { changeCard } from './card.ts';
import { offerIn } from './kept-offer.ts';
import type { CardWords } from './messages.ts';
import type { TimedCard } from './timed-card.ts';

/**
 * Draws the card of a change as its action now stands, or posts it; resolves to its message. Rejects with `ChatRefused`. The
 * journal holds the truth whether or not the chat can show it.
 */
export type Draw = (action: Action, words?: DrawnWords, key?: string) => Promise<string>;

export interface DrawnWords extends CardWords {
  /** How far it has come; the next drawing shows it no more. */
  readonly progress?: Text | undefined;
}

const onWhere = (offer: Kept): string => {
  const where = offerIn(offer)?.where;
  return where === undefined ? '' : ` on ${where}`;
};

/** What a card depends on beside its action, and others may change. */
interface Circumstances {
  readonly given: readonly Given[];
  readonly undo: { readonly buttons: readonly Button[]; readonly undone: Text | undefined };
  readonly timedChanges: readonly TimedChangeRow[];
}

export function createDraw(
  chat: Pick<Chat, 'show'>,
  journal: Pick<Journal, 'offersOf' | 'approvalsOf' | 'timedChangesOf' | 'byId' | 'isShared'>,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  timedCard: TimedCard,
): Draw {
  return async (action, words, key) => {
    let drawn = { action, circumstances: await circumstancesOf(action) };
    const card = await show(action, drawn.circumstances, words, key);
    // Another replica may have drawn meanwhile what came after this: what was late must not stay in its place.
    while (journal.isShared) {
      const current = await journal.byId(action.id);
      if (current === undefined) break;
      const circumstances = await circumstancesOf(current);
      if (standing(current, circumstances) === standing(drawn.action, drawn.circumstances)) break;
      drawn = { action: current, circumstances };
      // With its key, by which it can still be found.
      await show({ ...current, card }, circumstances, {}, key);
    }
    return card;
  };

  async function show(
    action: Action,
    { given, undo, timedChanges }: Circumstances,
    words: Parameters<Draw>[1],
    key: string | undefined,
  ): Promise<string> {
    const command = commandByPhrase.get(action.phrase ?? '');
    const notice = words?.notice ?? undo.undone;
    // What is on for a time says how it stands, whatever was to be said of how it began.
    const timedChange = await timedCard(action, timedChanges);
    const headline = timedChange?.headline ?? words?.headline;
    const card = changeCard(action, command, {
      ...{ headline, notice, progress: words?.progress, given, alarm: timedChange?.alarm },
      buttons: [...(timedChange?.buttons ?? []), ...undo.buttons],
    });
    const at = Math.max(action.changedAt, ...given.map((one) => one.at), ...timedChanges.map(newestOf));
    return chat.show({ ...card, at }, key);
  }

  async function circumstancesOf(action: Action): Promise<Circumstances> {
    const command = commandByPhrase.get(action.phrase ?? '');
    const isTemporary = command?.kind === 'change' && command.timed !== undefined;
    const [given, undo, timedChanges] = await Promise.all([
      approvalsOf(action),
      undoOf(action),
      isTemporary ? journal.timedChangesOf(action.id) : [],
    ]);
    return { given, undo, timedChanges };
  }

  /** Where two are the same, so are the cards. */
  function standing({ state, token, outcome }: Action, { given, undo, timedChanges }: Circumstances): string {
    const times = timedChanges.map((timedChange) => [timedChange.state, timedChange.endsAt]);
    return JSON.stringify([state, token, outcome, given, undo, times]);
  }

  async function approvalsOf({ id, token, consent }: Action): Promise<readonly Given[]> {
    return consent === undefined || token === undefined ? [] : journal.approvalsOf(id, token);
  }

  /** Only what is done can be taken back. */
  async function undoOf(action: Action): Promise<Circumstances['undo']> {
    if (action.state !== 'done' && action.state !== 'failed' && action.state !== 'unknown') {
      return { buttons: [], undone: undefined };
    }
    // Other offers of an action are lines to go on with, and taking one takes nothing back.
    const offers = (await journal.offersOf(action.id)).filter((offer) => offerIn(offer)?.undo === true);
    const open = offers.filter(({ takenBy }) => takenBy === undefined);
    // Whether that took it back is told by the action that came of it.
    const undone = offers
      .flatMap((offer) => (offer.takenBy === undefined ? [] : [{ offer, by: offer.takenBy }]))
      .flatMap(
        ({ offer, by }, index) =>
          say`${index === 0 ? '' : ' '}Undo${onWhere(offer)} was pressed by ${person(by)}.`,
      );
    return {
      buttons: open.map((offer) => ({ press: 'offer', label: `Undo${onWhere(offer)}`, token: offer.token })),
      undone: undone.length === 0 ? undefined : undone,
    };
  }
}
