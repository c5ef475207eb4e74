import type { AnyCommand } from '../handlers/command.ts';
import { person, type Reply, say, type Text } from '../handlers/reply.ts';
import type { Action, Given, Journal, Kept } from '../journal/journal.ts';
import { changeCard } from './card.ts';
import { type Button, type Chat, gotOut, type Listener } from './chat.ts';
import type { LeaseFace } from './lease/face.ts';
import type { KeptOffer, Present } from './present.ts';

/** What people see of a change while it moves on: its card, and the thread below it. */
export interface Story {
  /** Draws the card, if there is one, as the action now stands. The journal holds the truth whether or not the chat can show it. */
  readonly draw: (
    action: Action,
    words?: { readonly headline?: Text; readonly notice?: Text },
  ) => Promise<void>;
  /**
   * The last word: on the card, and in the thread for those who follow it. Where the thread cannot be written to,
   * the person who asked is told alone, so that nobody is left without the result.
   */
  readonly close: (action: Action, headline: Text, story: Reply, asker?: Listener) => Promise<void>;
  /** Something that comes after the last word, in the thread alone. */
  readonly add: (action: Action, words: Text) => Promise<void>;
}

/** What was kept as an offer is one (`present.ts`). */
const offerIn = ({ content }: Kept): KeptOffer => content as unknown as KeptOffer;
const onWhere = (kept: Kept): string => {
  const { where } = offerIn(kept);
  return where === undefined ? '' : ` on ${where}`;
};

export function createStory(
  chat: Chat,
  present: Present,
  journal: Pick<Journal, 'offersOf' | 'approvalsOf'>,
  commandByPhrase: ReadonlyMap<string, AnyCommand>,
  leaseFace: LeaseFace,
): Story {
  const draw: Story['draw'] = async (action, words) => {
    if (action.card === undefined) return;
    const command = commandByPhrase.get(action.phrase ?? '');
    const { buttons, undone } = await undoOf(action);
    const notice = words?.notice ?? undone;
    const given = await approvalsOf(action);
    // What is on for a time says how it stands, whatever was to be said of how it began.
    const lease = await leaseFace(action);
    const headline = lease?.headline ?? words?.headline;
    await gotOut(
      chat.show(
        changeCard(action, command, {
          ...{ headline, notice, given, alarm: lease?.alarm },
          buttons: [...(lease?.buttons ?? []), ...buttons],
        }),
      ),
    );
  };

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

  return {
    draw,
    close: async (action, headline, story, asker = action) => {
      await draw(action, { headline });
      const { channel, phrase, line } = action;
      const said = await present(story, { channel, source: { phrase, line } });
      const told =
        action.card !== undefined && (await gotOut(chat.tell({ channel, card: action.card }, said)));
      if (!told) await chat.whisper(asker, said);
    },
    add: async (action, words) => {
      if (action.card === undefined) return;
      await gotOut(chat.tell({ channel: action.channel, card: action.card }, { headline: words }));
    },
  };
}
