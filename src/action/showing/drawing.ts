import type { AnyCommand } from '../../handlers/command.ts';
import { messageLink, person, say, type Text } from '../../handlers/reply.ts';
import type { Action, Given, Journal, Kept, TimedChangeRow } from '../../journal/journal.ts';
import { newestOf } from '../../journal/timed/timed-change-row.ts';
import type { Button, Chat } from '../base/chat.ts';
import { changeCard, headlineOf } from './card.ts';
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
  readonly undo: {
    readonly buttons: readonly Button[];
    readonly told: Text | undefined;
    /** All of it was taken back, and that was seen. */
    readonly isUndone: boolean;
  };
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
    // What is on for a time says how it stands, whatever was to be said of how it began.
    const timedChange = await timedCard(action, timedChanges);
    const said = timedChange?.headline ?? words?.headline;
    const headline = undo.isUndone ? say`Undone: ${said ?? headlineOf(action, command)}` : said;
    const card = changeCard(action, command, {
      ...{
        headline,
        notice: words?.notice,
        progress: words?.progress ?? undo.told,
        given,
        alarm: timedChange?.alarm,
      },
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
      return { buttons: [], told: undefined, isUndone: false };
    }
    // Other offers of an action are lines to go on with, and taking one takes nothing back.
    const offers = (await journal.offersOf(action.id)).filter((offer) => offerIn(offer)?.undo === true);
    const open = offers.filter(({ takenBy }) => takenBy === undefined);
    const taken = await Promise.all(
      offers.flatMap((offer) => (offer.takenBy === undefined ? [] : [takenBack(offer, offer.takenBy)])),
    );
    return {
      buttons: open.map((offer) => ({
        press: 'offer',
        label: `Undo${onWhere(offer)}`,
        about: action.line,
        token: offer.token,
      })),
      told:
        taken.length === 0
          ? undefined
          : taken.flatMap(({ told }, index) => [index === 0 ? '' : ' ', ...told]),
      isUndone: open.length === 0 && taken.length > 0 && taken.every(({ isDone }) => isDone),
    };
  }

  /** Whether a click on Undo took it back is told by the action that came of it. */
  async function takenBack(
    offer: Kept,
    by: string,
  ): Promise<{ readonly told: Text; readonly isDone: boolean }> {
    const undoing = offer.became === undefined ? undefined : await journal.byId(offer.became);
    const isDone = undoing?.state === 'done';
    const where =
      undoing?.card === undefined ? [] : say` ${messageLink('See its card.', undoing.channel, undoing.card)}`;
    return {
      told: isDone
        ? say`Undone${onWhere(offer)} by ${person(by)}.${where}`
        : say`Undo${onWhere(offer)} was pressed by ${person(by)}.${where}`,
      isDone,
    };
  }
}
