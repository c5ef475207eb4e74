import type { MessageMetadata } from '@slack/types';
import { WebAPIPlatformError, type WebClient } from '@slack/web-api';
import { z } from 'zod';
import {
  type Attachment,
  type Card,
  type Chat,
  ChatRefused,
  type Listener,
  type MessageSearch,
  ownPace,
  type Place,
  type Said,
  type SaidPart,
  type Stamp,
  type Stamps,
  slackAway,
  type Thread,
} from '../../action/base/chat.ts';
import { shortened } from '../../graphemes.ts';
import { chartSummary, clock, code, elapsed, say, type Text } from '../../handlers/reply.ts';
import { type State, transitions } from '../../journal/actions/states.ts';
import {
  directMessageFailed,
  formNotOpened,
  historyUnreadable,
  lookupRefused,
  privateAnswerFailed,
} from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf, refusalIn } from '../codes.ts';
import { renderCard } from '../rendering/cards.ts';
import { formView } from '../rendering/form-views.ts';
import { drawChart } from '../rendering/plot.ts';
import { render } from '../rendering/render.ts';
import { clean, summary } from '../rendering/slack-text.ts';
import type { Delivery, DrawMessage } from './delivery.ts';

/** Characters of a picture's description for screen readers. */
const longestAlt = 1_000;

/** After this many milliseconds, an answer describes the past. */
const late = 5_000;

/** A delayed answer says when it was read. */
function ifLate(card: Card, now: number): Card {
  const { asOf, notice } = card;
  if (asOf === undefined || notice !== undefined || now - asOf <= late) return card;
  return {
    ...card,
    notice: say`Read at ${clock(asOf)}, ${elapsed(now - asOf)} before this was posted.`,
  };
}

/** The bot's own facts for the chat. */
interface Own {
  readonly user: string | undefined;
  readonly workspace?: string | undefined;
  /** Data on every message that can be found again. */
  readonly stamp: () => Promise<Pick<Stamp, 'journal'> | undefined>;
  readonly now: () => number;
}

/** Sends to people in Slack. `asking` does not wait behind messages: a form has three seconds to open. */
export function createSlackChat(delivery: Delivery, asking: WebClient, own: Own, log: Log): Chat {
  const find = createFind(asking, log, own.now);
  const stamps = createStamps(asking, own.user, log);

  /** Adds the stamp to a message with a key. */
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
        key,
        action,
        state,
        at,
        isChange: kind === 'change',
        ...(await own.stamp()),
      });
      // Drawn for every attempt, so that the delay is known.
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
      for (const one of withoutFiles(said)) await whisperOne(to, one);
    },

    notify,
    isAway: delivery.isAway,
  };

  /** Requests by the bot itself (`Invocation.unattended`) notify nobody. */
  async function notify(person: string, said: Said): Promise<boolean> {
    if (person === own.user) return true;
    try {
      // Posting to a person's ID needs no open conversation, and no scope beyond chat:write.
      for (const one of withoutFiles(said))
        await delivery.post(person, undefined, (palette) => render(one, palette));
      return true;
    } catch (error) {
      if (!(error instanceof ChatRefused)) throw error;
      log.tell(directMessageFailed, { person, code: error.code });
      return false;
    }
  }

  /** By the first way that Slack accepts. People who left the channel get nothing. */
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
        // A skipped message is logged once, and not for each person.
        if (error.code !== ownPace && error.code !== slackAway)
          log.tell(privateAnswerFailed, { channel, person, code: error.code });
        if (error.mayStand || error.code === 'user_not_in_channel') throw error;
        refusals.push(error);
      }
    }
    throw refusals.find(({ isPassing }) => isPassing) ?? refusals.at(-1);
  }

  /** A refused file does not spoil the rest: the thread learns that it is missing, and why. */
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
      // Retried later, unless it may be there.
      if (error.isPassing && !error.mayStand) throw error;
      const missing: Said = { headline: missingFile(name, error) };
      await delivery.post(channel, card, (palette) => render(missing, palette));
    }
  }
}

/** The text for one person, with a note for each file. */
function withoutFiles({ next = [], files = [], ...said }: Said): readonly Said[] {
  const left: readonly SaidPart[] = files.map(({ name }) => ({
    kind: 'text',
    text: say`The file ${code(name)} isn’t posted here: files are posted only to threads.`,
  }));
  return [{ ...said, details: [...(said.details ?? []), ...left] }, ...next];
}

/** The thread's note about a missing file, with only what is known. */
function missingFile(name: string, { code: refusal, mayStand }: ChatRefused): Text {
  if (refusal === 'missing_scope') {
    return say`Couldn’t post the file ${code(name)} here: the app needs the scope ${code('files:write')}. Ask a workspace admin to reinstall the app.`;
  }
  // Without a proper answer, the file may be there anyway.
  if (mayStand) {
    return say`Outcome unknown: Slack didn’t confirm that the file ${code(name)} was posted. If it isn’t above, try again in a moment.`;
  }
  return say`Couldn’t post the file ${code(name)} here: Slack rejected it (${code(refusal)}). Try again in a moment.`;
}

/** The metadata's name on every message that can be found again. */
const messageEvent = 'appliance_action';

/** Writes a stamp: correlation only, because other apps can read it (slack-facts.md §9). */
export const metadataOf = ({
  key,
  journal,
  at,
  action,
  state,
  isChange,
}: Stamp): { readonly metadata: MessageMetadata } => ({
  metadata: {
    event_type: messageEvent,
    event_payload: {
      ...(action !== undefined && { action }),
      ...(key !== undefined && { message: key }),
      // Without the journal's name, its progress means nothing.
      ...(journal !== undefined && {
        journal,
        ...(at !== undefined && { at: String(at) }),
        ...(state !== undefined && { state }),
        ...(isChange === true && { kind: 'change' }),
      }),
    },
  },
});

const text = z.string().optional().catch(undefined);
const stamped = z.object({
  event_type: z.literal(messageEvent),
  event_payload: z
    .object({
      message: text,
      journal: text,
      action: text,
      kind: text,
      at: z.coerce.number().optional().catch(undefined),
      state: z
        .custom<State>((value) => typeof value === 'string' && Object.hasOwn(transitions, value))
        .optional()
        .catch(undefined),
    })
    .transform(
      ({ message: key, journal, action, kind, at, state }): Stamp => ({
        key,
        journal,
        action,
        at,
        state,
        isChange: kind === 'change',
      }),
    ),
});

/** Undefined for metadata of others. */
export const stampIn = (metadata: unknown): Stamp | undefined =>
  stamped.safeParse(metadata).data?.event_payload;

/** How many of the newest messages are searched. */
const reach = 100;

/** Reads stamps from messages of the bot itself, which is `user`: any app can write the same metadata. */
export function createStamps(
  asking: WebClient,
  user: string | undefined,
  log: Log,
): (place: Place, ts?: string) => Promise<Stamps> {
  return async ({ channel, card }, ts) => {
    try {
      const one = ts === undefined ? {} : { oldest: ts, latest: ts, inclusive: true };
      const asked = { channel, limit: reach, include_all_metadata: true, ...one };
      const { messages = [] } =
        card === undefined || ts === card
          ? await asking.conversations.history(asked)
          : await asking.conversations.replies({ ...asked, ts: card });
      return {
        kind: 'read',
        messages: messages.flatMap((message) => {
          // Slack's types lack the requested field.
          const stamp = stampIn(Reflect.get(message, 'metadata'));
          const isOwn = user === undefined || message.user === user;
          return stamp === undefined ||
            message.ts === undefined ||
            !isOwn ||
            (ts ?? message.ts) !== message.ts
            ? []
            : [{ ts: message.ts, stamp }];
        }),
      };
    } catch (error) {
      const refusal = refusalIn(error);
      if (refusal === undefined) return { kind: 'try_later' };
      log.tell(historyUnreadable, { channel, ...refusal });
      return { kind: 'cannot_look' };
    }
  };
}

/**
 * Searches a message of the bot by the key in its metadata (`event_payload.message`), so that a delivered one
 * is not sent again. `place` is a channel or, for a direct message, a person; `since` is its earliest time, in
 * milliseconds since the epoch. Never rejects because of Slack.
 */
type Find = (place: string, thread: string | undefined, key: string, since: number) => Promise<MessageSearch>;

/** How far Slack's clock may be behind the clock of the message, in milliseconds. */
const clockDifference = 60 * 60_000;

/**
 * Slack allows 200 messages a page. An uncertain message is usually less than a minute old, and so on the first
 * page.
 */
const searched = { messages: 200, conversations: 1_000, pages: 10 } as const;

export function createFind(asking: WebClient, log: Log, now: () => number): Find {
  const directs = new Map<string, string>();
  /** Logged reasons, once each: every uncertain message would repeat them. */
  const told = new Set<string>();

  return async (place, thread, key, since) => {
    try {
      const channel = /^[UW]/.test(place) ? await directWith(place) : place;
      // Nothing was ever written to this person.
      if (channel === undefined) return { kind: 'not_there' };
      // A message from the future was written by a clock that has been set back since.
      const oldest = (Math.max(0, Math.min(since, now()) - clockDifference) / 1_000).toFixed(6);
      const limits = { channel, limit: searched.messages, include_all_metadata: true };
      let isEmpty = true;
      const pick = ({ messages = [] }: Awaited<ReturnType<typeof asking.conversations.history>>) => {
        // Every answer includes a thread's first message.
        if (messages.some(({ ts }) => ts !== thread)) isEmpty = false;
        return messages.find(({ metadata }) => stampIn(metadata)?.key === key)?.ts;
      };
      const ask = (page: { readonly cursor?: string; readonly oldest?: string }) =>
        thread === undefined
          ? asking.conversations.history({ ...limits, ...page })
          : asking.conversations.replies({ ...limits, ...page, ts: thread });
      // If nothing was said since, the bot's clock may be ahead of Slack's, so the newest are searched.
      const ts =
        (await search((page) => ask({ oldest, ...page }), pick)) ??
        (isEmpty ? pick(await ask({})) : undefined);
      return ts === undefined ? { kind: 'not_there' } : { kind: 'stands', ts };
    } catch (error) {
      return verdict(error);
    }
  };

  /**
   * The channel of direct messages with a person. Slack's reading methods take no person, and
   * conversations.open needs a scope to write.
   */
  async function directWith(person: string): Promise<string | undefined> {
    const known = directs.get(person);
    if (known !== undefined) return known;
    const found = await search(
      (page) => asking.conversations.list({ types: 'im', limit: searched.conversations, ...page }),
      ({ channels }) => channels?.find(({ user }) => user === person)?.id,
    );
    if (found !== undefined) directs.set(person, found);
    return found;
  }

  /** The meaning of a failed call for the message. @throws errors that are not Slack's */
  function verdict(error: unknown): MessageSearch {
    if (error instanceof TooMany) return cannot('too_many_messages');
    const refusal = refusalIn(error);
    if (refusal === undefined) return { kind: 'try_later' };
    // A deleted thread contains nothing.
    if (refusal.code === 'thread_not_found') return { kind: 'not_there' };
    return cannot(refusal.code, refusal.needed);
  }

  function cannot(code: string, needed?: string): MessageSearch {
    if (!told.has(`${code} ${needed}`)) log.tell(lookupRefused, { code, needed });
    told.add(`${code} ${needed}`);
    return { kind: 'cannot_look' };
  }
}

class TooMany extends Error {
  override readonly name = 'TooMany';
}

interface Page {
  readonly response_metadata?: { readonly next_cursor?: string };
}

/** The first match on Slack's pages. @throws TooMany */
async function search<One extends Page>(
  ask: (page: { readonly cursor?: string }) => Promise<One>,
  pick: (page: One) => string | undefined,
): Promise<string | undefined> {
  let cursor: string | undefined;
  for (let count = 0; count < searched.pages; count += 1) {
    const page = await ask(cursor === undefined ? {} : { cursor });
    const found = pick(page);
    if (found !== undefined) return found;
    cursor = page.response_metadata?.next_cursor;
    if (!cursor) return undefined;
  }
  throw new TooMany(`More than ${searched.pages} pages`);
}
