import type { AnyCommand } from '../handlers/command.ts';
import type { Reply, Text } from '../handlers/reply.ts';
import type { Action } from '../journal/journal.ts';
import { changeCard } from './card.ts';
import { type Chat, gotOut, type Listener } from './chat.ts';

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
}

export function createStory(chat: Chat, commandByPhrase: ReadonlyMap<string, AnyCommand>): Story {
  const draw: Story['draw'] = async (action, words) => {
    if (action.card === undefined) return;
    const command = commandByPhrase.get(action.phrase ?? '');
    const card = changeCard(action, command?.kind === 'change' ? command : undefined, words);
    await gotOut(chat.show(card));
  };
  return {
    draw,
    close: async (action, headline, story, asker = action) => {
      await draw(action, { headline });
      const told =
        action.card !== undefined &&
        (await gotOut(chat.tell({ channel: action.channel, card: action.card }, story)));
      if (!told) await chat.whisper(asker, story);
    },
  };
}
