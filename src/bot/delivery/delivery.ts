import type { KnownBlock, MessageMetadata } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { ChatRefused } from '../../action/base/chat.ts';
import type { TakePlace } from '../../semaphore.ts';
import { blockRejected, entitiesRejected, noTimestamp } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import type { EntitiesIn } from '../rendering/entity.ts';
import { fullPalette, type Palette, refusedBlock, type TicketAt, without } from '../rendering/palette.ts';
import { createBreaker } from './breaker.ts';
import { createUpload, type Upload } from './files-out.ts';
import { createLatest } from './latest.ts';
import { createSending, neverLeft, type Repeat } from './sending.ts';

/** One message, ready to send. `blocks` may be drawn again without the newer kinds of block. */
interface Outgoing extends EntitiesIn {
  readonly text: string;
  readonly blocks: KnownBlock[];
  readonly metadata?: MessageMetadata;
}

export interface Delivery {
  /** Posts to a channel or a thread; resolves to the new message's timestamp. Rejects with `ChatRefused`. */
  readonly post: (
    channel: string,
    thread: string | undefined,
    message: DrawMessage,
    /** What stands in a thread is seen in the channel, too. */
    also?: { readonly broadcast?: true | undefined },
  ) => Promise<string>;
  /** Changes a message that stands. Rejects with `ChatRefused`. */
  readonly update: (channel: string, ts: string, message: DrawMessage) => Promise<void>;
  /** Only this person sees it, in a thread or in the channel. Rejects with `ChatRefused`. */
  readonly ephemeral: (
    channel: string,
    person: string,
    message: DrawMessage,
    thread?: string | undefined,
  ) => Promise<void>;
  /**
   * Only this person sees it; needs no membership, but works for half an hour only (slack-facts.md §1). It comes as a
   * message of its own, in the channel unless a thread is named, or in the place of the one that was clicked on.
   */
  readonly respond: (url: string, message: DrawMessage, place?: DrawnPlace) => Promise<void>;
  readonly upload: Upload;
  /** Whether Slack is known not to answer: what is sent meanwhile is refused, and nothing of it leaves. */
  readonly isAway: () => boolean;
}

interface DrawnPlace {
  readonly instead?: boolean;
  readonly thread?: string | undefined;
}

/** Draws the message with those newer blocks that this workspace takes. */
export type DrawMessage = (palette: Palette) => Outgoing;

export interface DeliveryParts {
  /** Must not retry or wait by itself: what may be sent again is decided here. */
  readonly client: WebClient;
  /** Where the workspace's messages open, as `Connection.url` says. */
  readonly workspace?: string | undefined;
  /** Where a ticket opens, by its name. */
  readonly ticketAt?: TicketAt | undefined;
  readonly fetch: typeof fetch;
  /** How long one answer to a response_url may take, in milliseconds. */
  readonly deadline: number;
  /** For private answers, which the client knows nothing of: at most so many at once. */
  readonly takePlace?: TakePlace;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly log: Log;
}

/** Slack's words on what it did not take. */
interface Refusal {
  readonly error: string;
  readonly response_metadata?: { readonly messages?: readonly string[] | undefined } | undefined;
}
const refusals: z.ZodType<Refusal> = z.object({
  ok: z.literal(false),
  error: z.string(),
  response_metadata: z
    .object({ messages: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
});

/** Untrusted text must not become mentions, links or previews: `parse` differs between post and update (slack-facts.md §1). */
const quiet = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

export function createDelivery({
  client,
  workspace,
  ticketAt,
  fetch,
  deadline,
  takePlace = async () => () => undefined,
  now,
  sleep,
  log,
}: DeliveryParts): Delivery {
  const sending = createSending({ now, sleep, log });
  const latest = createLatest();
  const breaker = createBreaker('response URLs', { now, log });
  /** Without those that this workspace has refused: that lasts until the bot starts again. */
  let palette: Palette = { ...fullPalette, workspace, ticketAt };

  return {
    post: async (channel, thread, drawn, { broadcast } = {}) => {
      const place =
        thread === undefined
          ? {}
          : broadcast
            ? ({ thread_ts: thread, reply_broadcast: true } as const)
            : { thread_ts: thread };
      const answer = await send(channel, 'once', drawn, ({ text, blocks, metadata, entities }) => {
        const noted =
          entities === undefined ? metadata && { metadata } : { metadata: { ...metadata, entities } };
        return client.chat.postMessage({ channel, text, blocks, ...noted, ...quiet, ...place });
      });
      if (answer?.ts === undefined) {
        log.tell(noTimestamp, { channel });
        throw new ChatRefused('no_timestamp');
      }
      const { ts, response_metadata: { warnings = [] } = {} } = answer;
      const ignored = warnings.filter((warning) => warning.includes('metadata'));
      // What Slack ignores of a message's metadata it ignores with all of it, by which the message is found again.
      if (ignored.length > 0 && withoutEntities('ignored', ignored)) await update(channel, ts, drawn);
      return ts;
    },
    update,
    ephemeral: async (channel, person, drawn, thread) => {
      await send(channel, 'once', plainly(drawn), ({ text, blocks }) =>
        client.chat.postEphemeral({
          channel,
          user: person,
          text,
          blocks,
          parse: quiet.parse,
          link_names: quiet.link_names,
          ...(thread === undefined ? {} : { thread_ts: thread }),
        }),
      );
    },
    respond: async (url, drawn, place = {}) => {
      // Every try has a kind of block less, so this ends.
      for (;;) {
        const used = palette;
        const message = plainly(drawn)(used);
        const { text, blocks } = message;
        breaker.pass();
        const { status, ok, refusal, isPage } = await answerTo(url, { text, blocks }, place).catch(
          (error) => {
            breaker.failed('no_answer');
            throw unanswered(error);
          },
        );
        if (isPage || status >= 500) breaker.failed(`http_${status}`);
        else breaker.answered();
        if (ok && refusal === undefined && !isPage) return;
        if (refusal === undefined || !canBePlainer(refusal, message, used)) {
          throw new ChatRefused(`response_url_${status}`, {
            isPassing: isPage || status === 429 || status >= 500,
          });
        }
      }
    },
    upload: createUpload({ client, fetch, sending }),
    isAway: sending.isAway,
  };

  async function update(channel: string, ts: string, drawn: DrawMessage): Promise<void> {
    // The same update twice is the same message, so it may be sent again after any failure, unless the message has
    // moved on: a late repetition must not put the old state back.
    await latest.run(`${channel} ${ts}`, async (isNewest) => {
      const { parse, link_names } = quiet;
      const call = (message: Outgoing) => client.chat.update({ channel, ts, ...message, parse, link_names });
      await send(channel, 'again', plainly(drawn), call, isNewest);
    });
  }

  /** One post to a response_url. What is wrong with a message stands in the body of the answer, whatever its status. */
  async function answerTo(
    url: string,
    message: Pick<Outgoing, 'text' | 'blocks'>,
    { instead = false, thread }: DrawnPlace,
  ) {
    const giveBack = await takePlace();
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...message,
          response_type: 'ephemeral',
          replace_original: instead,
          ...(thread === undefined ? {} : { thread_ts: thread }),
        }),
        redirect: 'error',
        // Its time begins with its turn.
        signal: AbortSignal.timeout(deadline),
      });
      const said = await answer.text();
      // Of what stands between, such as a proxy that wants a password.
      const isPage = said.trimStart().startsWith('<');
      return { status: answer.status, ok: answer.ok, refusal: refusalIn(said), isPage };
    } finally {
      giveBack();
    }
  }

  /** Draws it anew for every try. Resolves to undefined when the message is not wanted any more. */
  async function send<Answer>(
    channel: string,
    repeat: Repeat,
    drawn: DrawMessage,
    call: (message: Outgoing) => Promise<Answer>,
    isWanted: () => boolean = () => true,
  ): Promise<Answer | undefined> {
    let used = palette;
    let message: Outgoing = { text: '', blocks: [] };
    const attempt = () => {
      used = palette;
      message = drawn(used);
      return call(message);
    };
    return sending.send(channel, repeat, attempt, {
      isWanted,
      changes: ({ data }) => canBePlainer(data, message, used),
    });
  }

  /** Whether the message can be drawn again without what this workspace does not take. */
  function canBePlainer(refusal: Refusal, { blocks, entities }: Outgoing, used: Palette): boolean {
    const details = refusal.response_metadata?.messages;
    if (entities !== undefined && isAboutEntities(refusal))
      return withoutEntities(refusal.error, details) || used.entities;
    if (refusal.error !== 'invalid_blocks') return false;
    const refused = refusedBlock(blocks, details);
    if (refused === undefined || !used.blocks.has(refused)) return false;
    log.tell(blockRejected, { details, block: refused });
    palette = without(palette, refused);
    return true;
  }

  /** False where they are left out already. */
  function withoutEntities(code: string, details: readonly string[] | undefined): boolean {
    if (!palette.entities) return false;
    palette = { ...palette, entities: false };
    log.tell(entitiesRejected, { code, details });
    return true;
  }
}

/** What cannot be opened: a message that is changed, or seen by one person alone. */
const plainly =
  (drawn: DrawMessage): DrawMessage =>
  (palette) =>
    drawn({ ...palette, entities: false });

/** What Slack calls it where it takes no entities, or not these, is not documented: it is about the metadata, or a switch. */
const isAboutEntities = ({ error, response_metadata }: Refusal): boolean =>
  error.includes('metadata') ||
  error === 'feature_not_enabled' ||
  (error === 'invalid_arguments' &&
    (response_metadata?.messages ?? []).some((one) => one.includes('metadata')));

/** What leaves and is not answered may have been taken. */
function unanswered(error: unknown): ChatRefused {
  return new ChatRefused('response_url_no_answer', { isPassing: true, mayStand: !neverLeft(error) });
}

/** `ok`, or JSON that says why not; undefined where nothing is said. */
function refusalIn(body: string): Refusal | undefined {
  try {
    return refusals.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
