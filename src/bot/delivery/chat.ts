import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import {
  type Attachment,
  type Chat,
  ChatRefused,
  type Listener,
  type Said,
  type SaidPart,
  type Thread,
} from '../../action/base/chat.ts';
import { code, say, type Text } from '../../handlers/reply.ts';
import type { Log } from '../../log.ts';
import { renderCard } from '../rendering/cards.ts';
import { formView } from '../rendering/forms.ts';
import { render } from '../rendering/render.ts';
import { clean, summary } from '../rendering/text.ts';
import type { Delivery, DrawMessage, Outgoing } from './delivery.ts';
import { createFind, messageEvent } from './find.ts';

/** How actions speak to people, in Slack. `asking` does not wait behind messages: a form has three seconds to open. */
export function createSlackChat(delivery: Delivery, asking: WebClient, log: Log): Chat {
  const find = createFind(asking, log);
  return {
    show: async (card, key) => {
      const drawn: DrawMessage = (palette) => ({
        ...renderCard(card, palette),
        ...known({ action: card.action, ...(key !== undefined && { message: key }) }),
      });
      if (card.card === undefined) return delivery.post(card.channel, undefined, drawn);
      await delivery.update(card.channel, card.card, drawn);
      return card.card;
    },

    reply: async (thread, said, key) => {
      const { channel, card, broadcast } = thread;
      const { headline, details = [], next = [], files = [] } = said;
      const isEmpty = headline.length === 0 && details.length === 0;
      const ts = isEmpty
        ? card
        : await delivery.post(channel, card, (palette) => keyed(render(said, palette), key), { broadcast });
      for (const more of next) await delivery.post(channel, card, (palette) => render(more, palette));
      for (const file of files) await upload(thread, file);
      return ts;
    },

    post: async (channel, said, key) => {
      const [first, ...next] = withoutFiles(said);
      const ts = await delivery.post(channel, undefined, (palette) =>
        keyed(render(first ?? said, palette), key),
      );
      for (const more of next) {
        await delivery.post(channel, undefined, (palette) => render(more, palette));
      }
      return ts;
    },

    find: ({ channel, card }, key, since) => find(channel, card, key, since),

    edit: async ({ channel, ts, replyTo }, said) => {
      const drawn: DrawMessage = (palette) => render(said, palette);
      if (replyTo === undefined) return delivery.update(channel, ts, drawn);
      await delivery.respond(replyTo, drawn, { instead: true }).catch((error: unknown) => {
        throw error instanceof ChatRefused ? error : new ChatRefused('no_answer');
      });
    },

    openForm: async (trigger, form) => {
      try {
        await asking.views.open({ trigger_id: trigger, view: formView(form) });
        return true;
      } catch (error) {
        const [code, details] =
          error instanceof WebAPIPlatformError
            ? [error.data.error, error.data.response_metadata?.messages]
            : [error instanceof Error ? error.name : 'unknown'];
        log.warn({ code, details }, 'Slack did not open a form');
        return false;
      }
    },

    ephemeral: async (to, said) => {
      for (const one of withoutFiles(said)) await whisperOne(to, one);
    },

    notify: async (person, said) => {
      try {
        // Posting to a person's ID needs no conversation to be opened before, and no scope beyond chat:write.
        for (const one of withoutFiles(said))
          await delivery.post(person, undefined, (palette) => render(one, palette));
        return true;
      } catch (error) {
        if (!(error instanceof ChatRefused)) throw error;
        log.error({ person, code: error.code }, 'A person could not be told in a direct message');
        return false;
      }
    },
  };

  async function whisperOne({ channel, person, replyTo, thread }: Listener, said: Said): Promise<void> {
    const drawn: DrawMessage = (palette) => render(said, palette);
    try {
      if (replyTo !== undefined) return await delivery.respond(replyTo, drawn, { thread });
    } catch (error) {
      log.warn(
        { code: error instanceof ChatRefused ? error.code : 'no_answer' },
        'Slack did not take a private answer',
      );
    }
    await delivery.ephemeral(channel, person, drawn, thread).catch((error: unknown) => {
      if (!(error instanceof ChatRefused)) throw error;
      log.error({ channel, person, code: error.code }, 'A person could not be told');
    });
  }

  /** A file that is not taken does not spoil the rest: the thread is told that it is missing, and why. */
  async function upload({ channel, card }: Thread, file: Attachment): Promise<void> {
    const { name, title, words } = file;
    const content = Buffer.from(file.content === '' ? '\n' : file.content, 'utf8');
    const comment = words === undefined ? undefined : summary(words);
    try {
      await delivery.upload(channel, card, { name, title: clean(title), content, comment });
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      const missing: Said = { headline: missingFile(name, error.code) };
      await delivery.post(channel, card, (palette) => render(missing, palette));
    }
  }
}

/** Correlation only: other apps can read it (slack-facts.md §9). */
const known = (payload: Readonly<Record<string, string>>) => ({
  metadata: { event_type: messageEvent, event_payload: payload },
});

const keyed = (message: Outgoing, key: string | undefined): Outgoing =>
  key === undefined ? message : { ...message, ...known({ message: key }) };

/** The messages of what is said to one person, and of its files that there were some. */
function withoutFiles({ next = [], files = [], ...said }: Said): readonly Said[] {
  const left: readonly SaidPart[] = files.map(({ name }) => ({
    kind: 'text',
    text: say`The file ${code(name)} is left out here: files go to threads only.`,
  }));
  return [{ ...said, details: [...(said.details ?? []), ...left] }, ...next];
}

/** What the thread is told instead of a file, and no more than is known. */
function missingFile(name: string, refusal: string): Text {
  if (refusal === 'missing_scope') {
    return say`I could not post the file ${code(name)} here: the app needs the scope ${code('files:write')}, which an admin of the workspace grants by installing it again.`;
  }
  // No answer, or one that is none: the file may be there all the same.
  if (refusal === 'WebAPIRequestError' || refusal.startsWith('http_')) {
    return say`I do not know whether the file ${code(name)} got here: Slack did not say. If it is not above, try again in a moment.`;
  }
  return say`I could not post the file ${code(name)} here: Slack did not take it (${code(refusal)}). Try again in a moment.`;
}
