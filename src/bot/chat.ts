import { type Chat, ChatRefused } from '../action/chat.ts';
import type { Log } from '../log.ts';
import { renderCard } from './cards.ts';
import type { Delivery, Drawn } from './delivery.ts';
import { render } from './render.ts';

/** How actions speak to people, in Slack. */
export function createSlackChat(delivery: Delivery, log: Log): Chat {
  return {
    show: async (card) => {
      const drawn: Drawn = (tables) => ({
        ...renderCard(card, tables),
        // Correlation only: other apps can read it (slack-facts.md §9).
        metadata: { event_type: 'appliance_action', event_payload: { action: card.action } },
      });
      if (card.card === undefined) return delivery.post(card.channel, undefined, drawn);
      await delivery.update(card.channel, card.card, drawn);
      return card.card;
    },

    tell: async ({ channel, card }, reply) => {
      await delivery.post(channel, card, (tables) => render(reply, tables));
    },

    whisper: async ({ channel, person, replyTo }, reply) => {
      const drawn: Drawn = (tables) => render(reply, tables);
      try {
        if (replyTo !== undefined) return await delivery.respond(replyTo, drawn);
      } catch (error) {
        log.warn(
          { code: error instanceof ChatRefused ? error.code : 'no_answer' },
          'Slack did not take a private answer',
        );
      }
      await delivery.ephemeral(channel, person, drawn).catch((error: unknown) => {
        if (!(error instanceof ChatRefused)) throw error;
        log.error({ channel, person, code: error.code }, 'A person could not be told');
      });
    },
  };
}
