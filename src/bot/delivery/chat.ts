import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import {
  type Attachment,
  type Card,
  type Chat,
  ChatRefused,
  type Listener,
  ownPace,
  type Said,
  type SaidPart,
  slackAway,
  type Thread,
} from '../../action/base/chat.ts';
import type { Stamp } from '../../action/base/stamp.ts';
import { chartSummary, clock, code, elapsed, say, type Text } from '../../handlers/reply.ts';
import { directMessageFailed, formNotOpened, privateAnswerFailed } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf } from '../codes.ts';
import { renderCard } from '../rendering/cards.ts';
import { formView } from '../rendering/forms.ts';
import { drawChart } from '../rendering/picture/plot.ts';
import { render } from '../rendering/render.ts';
import { clean, shortened, summary } from '../rendering/text.ts';
import type { Delivery, DrawMessage } from './delivery.ts';
import { createDetails } from './details.ts';
import { createFind } from './find.ts';
import { createStamps, metadataOf } from './stamps.ts';

/** Characters that say what a picture shows, for whoever cannot see it. */
const longestAlt = 1_000;

/** So late, in milliseconds, an answer tells how things were and not how they are. */
const late = 5_000;

/** An answer that was held up says when it was read. */
function ifLate(card: Card, now: number): Card {
  const { asOf, notice } = card;
  if (asOf === undefined || notice !== undefined || now - asOf <= late) return card;
  return {
    ...card,
    notice: say`Read at ${clock(asOf)}, ${elapsed(now - asOf)} before this was posted.`,
  };
}

/** What the chat knows of the bot itself. */
export interface Own {
  readonly user: string | undefined;
  /** Where the workspace's messages open, as `Connection.url` says. */
  readonly workspace?: string | undefined;
  /** What every message carries that can be found again. */
  readonly stamp: () => Promise<Pick<Stamp, 'journal'> | undefined>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** How actions speak to people, in Slack. `asking` does not wait behind messages: a form has three seconds to open. */
export function createSlackChat(delivery: Delivery, asking: WebClient, own: Own, log: Log): Chat {
  const find = createFind(asking, log, own.now);
  const stamps = createStamps(asking, own.user, log);
  const details = createDetails({ asking, workspace: own.workspace, now: own.now, log });

  /** The message with what is noted on it, where it has a key. */
  async function keyed(drawn: DrawMessage, key: string | undefined, at = own.now()): Promise<DrawMessage> {
    if (key === undefined) return drawn;
    const noted = metadataOf({ key, at, ...(await own.stamp()) });
    return (palette) => ({ ...drawn(palette), ...noted });
  }

  return {
    stamps,

    show: async (card, key) => {
      const { action, state, at, kind } = card;
      const noted = metadataOf({
        ...{ key, action, state, at },
        isChange: kind === 'change',
        ...(await own.stamp()),
      });
      // Drawn for every try, so that it is known how late it comes.
      const drawn: DrawMessage = (palette) => ({ ...renderCard(ifLate(card, own.now()), palette), ...noted });
      if (card.card === undefined) return delivery.post(card.channel, card.thread, drawn);
      await delivery.update(card.channel, card.card, drawn);
      return card.card;
    },

    reply: async (thread, said, key, at) => {
      const { channel, card, broadcast } = thread;
      const { headline, details = [], next = [], files = [] } = said;
      const isEmpty = headline.length === 0 && details.length === 0;
      const ts = isEmpty
        ? card
        : await delivery.post(channel, card, await keyed((palette) => render(said, palette), key, at), {
            broadcast,
          });
      for (const more of next) await delivery.post(channel, card, (palette) => render(more, palette));
      for (const file of files) await upload(thread, file);
      return ts;
    },

    post: async (channel, said, key) => {
      const [first, ...next] = withoutFiles(said);
      const ts = await delivery.post(
        channel,
        undefined,
        await keyed((palette) => render(first ?? said, palette), key),
      );
      for (const more of next) {
        await delivery.post(channel, undefined, (palette) => render(more, palette));
      }
      return ts;
    },

    find: ({ channel, card }, key, since) => find(channel, card, key, since),

    edit: async ({ channel, ts, replyTo }, said, noted) => {
      const drawn = await keyed((palette) => render(said, palette), noted?.key, noted?.at);
      if (replyTo === undefined) return delivery.update(channel, ts, drawn);
      await delivery.respond(replyTo, drawn, { instead: true });
    },

    openForm: async (trigger, form) => {
      try {
        await asking.views.open({ trigger_id: trigger, view: formView(form) });
        return true;
      } catch (error) {
        const details =
          error instanceof WebAPIPlatformError ? error.data.response_metadata?.messages : undefined;
        log.tell(formNotOpened, { code: codeOf(error), details });
        return false;
      }
    },

    ephemeral: async (to, said) => {
      if (to.person === own.user) return;
      if (to.opened !== undefined) return details(to.opened, said);
      for (const one of withoutFiles(said)) await whisperOne(to, one);
    },

    notify,
    isAway: delivery.isAway,
  };

  /** What is asked in the bot's own name (`Invocation.unattended`) is told to nobody. */
  async function notify(person: string, said: Said): Promise<boolean> {
    if (person === own.user) return true;
    try {
      // Posting to a person's ID needs no conversation to be opened before, and no scope beyond chat:write.
      for (const one of withoutFiles(said))
        await delivery.post(person, undefined, (palette) => render(one, palette));
      return true;
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      log.tell(directMessageFailed, { person, code: error.code });
      return false;
    }
  }

  /** By the first way that Slack takes. Whoever has left the channel is not written to. */
  async function whisperOne(to: Listener, said: Said): Promise<void> {
    const { channel, person, replyTo, thread } = to;
    const isInPerson = to.inPerson === true || channel === person;
    const drawn: DrawMessage = (palette) => render(said, palette);
    const ways = [
      ...(replyTo === undefined ? [] : [() => delivery.respond(replyTo, drawn, { thread })]),
      ...(isInPerson ? [] : [() => delivery.ephemeral(channel, person, drawn, thread)]),
      () => delivery.post(person, isInPerson ? thread : undefined, drawn),
    ];
    const refusals: ChatRefused[] = [];
    for (const way of ways) {
      try {
        await way();
        return;
      } catch (error) {
        if (!(error instanceof ChatRefused)) throw error;
        // What was not even tried is told once, and not for each who waits.
        if (error.code !== ownPace && error.code !== slackAway)
          log.tell(privateAnswerFailed, { channel, person, code: error.code });
        if (error.mayStand || error.code === 'user_not_in_channel') throw error;
        refusals.push(error);
      }
    }
    throw refusals.find(({ isPassing }) => isPassing) ?? refusals.at(-1);
  }

  /** A file that is not taken does not spoil the rest: the thread is told that it is missing, and why. */
  async function upload({ channel, card }: Thread, file: Attachment): Promise<void> {
    const { name, title, words } = file;
    const isText = typeof file.content === 'string';
    const content = isText ? Buffer.from(file.content || '\n', 'utf8') : drawChart(file.content);
    const alt = isText ? undefined : shortened(chartSummary(file.content), longestAlt);
    const comment = words === undefined ? undefined : summary(words);
    try {
      await delivery.upload(channel, card, { name, title: clean(title), content, comment, alt });
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      // Brought again later, unless it may be there.
      if (error.isPassing && !error.mayStand) throw error;
      const missing: Said = { headline: missingFile(name, error.code) };
      await delivery.post(channel, card, (palette) => render(missing, palette));
    }
  }
}

/** The messages of what is said to one person, and of its files that there were some. */
function withoutFiles({ next = [], files = [], ...said }: Said): readonly Said[] {
  const left: readonly SaidPart[] = files.map(({ name }) => ({
    kind: 'text',
    text: say`The file ${code(name)} isn’t posted here: files are posted only to threads.`,
  }));
  return [{ ...said, details: [...(said.details ?? []), ...left] }, ...next];
}

/** What the thread is told instead of a file, and no more than is known. */
function missingFile(name: string, refusal: string): Text {
  if (refusal === 'missing_scope') {
    return say`Couldn’t post the file ${code(name)} here: the app needs the scope ${code('files:write')}. Ask a workspace admin to reinstall the app.`;
  }
  // No answer, or one that is none: the file may be there all the same.
  if (refusal === 'WebAPIRequestError' || refusal.startsWith('http_')) {
    return say`Outcome unknown: Slack didn’t confirm that the file ${code(name)} was posted. If it isn’t above, try again in a moment.`;
  }
  return say`Couldn’t post the file ${code(name)} here: Slack rejected it (${code(refusal)}). Try again in a moment.`;
}
