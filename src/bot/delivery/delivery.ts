import type { KnownBlock, MessageMetadata } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { ChatRefused } from '../../action/base/chat.ts';
import { createSemaphore, type TakePlace } from '../../semaphore.ts';
import { blockRejected, noTimestamp } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { fullPalette, type Palette, refusedBlock, type TicketAt, without } from '../rendering/palette.ts';
import { createBreaker, createSending, neverLeft, type Repeat, type Sending } from './sending.ts';

/** A message, ready to send. `blocks` may be drawn again without the newer kinds of block. */
interface Outgoing {
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
    /** Also shows a thread's message in the channel. */
    also?: { readonly broadcast?: true | undefined },
  ) => Promise<string>;
  /** Changes an existing message. Rejects with `ChatRefused`. */
  readonly update: (channel: string, ts: string, message: DrawMessage) => Promise<void>;
  /** Visible to this person only, in a thread or in the channel. Rejects with `ChatRefused`. */
  readonly ephemeral: (
    channel: string,
    person: string,
    message: DrawMessage,
    thread?: string | undefined,
  ) => Promise<void>;
  /**
   * Visible to this person only; needs no membership, but works for half an hour only (slack-facts.md §1). A
   * new message, in the channel unless a thread is named, or a replacement of the clicked one.
   */
  readonly respond: (url: string, message: DrawMessage, place?: DrawnPlace) => Promise<void>;
  readonly upload: Upload;
  /** Whether Slack is known not to answer: messages are then refused without being sent. */
  readonly isAway: () => boolean;
}

interface DrawnPlace {
  readonly instead?: boolean;
  readonly thread?: string | undefined;
}

/** Draws the message with the newer blocks that this workspace accepts. */
export type DrawMessage = (palette: Palette) => Outgoing;

export interface DeliveryParts {
  /** Must not retry or wait by itself: this module decides about retries. */
  readonly client: WebClient;
  readonly workspace?: string | undefined;
  /** The address of a ticket, by its name. */
  readonly ticketAt?: TicketAt | undefined;
  readonly fetch: typeof fetch;
  /** Timeout of one private answer, in milliseconds. */
  readonly deadline: number;
  /** Limits parallel private answers, which bypass the client. */
  readonly takePlace?: TakePlace;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly log: Log;
}

type Refusal = Omit<z.infer<typeof refusals>, 'ok'>;
const refusals = z.object({
  ok: z.literal(false),
  error: z.string(),
  response_metadata: z
    .object({ messages: z.array(z.string()).optional() })
    .optional()
    .catch(undefined),
});

/**
 * Untrusted text must not become mentions, links or previews: `parse` differs between post and update
 * (slack-facts.md §1).
 */
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
  /** Without refused features, until the bot restarts. */
  let palette: Palette = { ...fullPalette, workspace, ticketAt };

  return {
    post: async (channel, thread, drawn, { broadcast } = {}) => {
      const place =
        thread === undefined
          ? {}
          : broadcast
            ? ({ thread_ts: thread, reply_broadcast: true } as const)
            : { thread_ts: thread };
      const answer = await send(channel, 'once', drawn, (message) =>
        client.chat.postMessage({ channel, ...message, ...quiet, ...place }),
      );
      if (answer?.ts === undefined) {
        log.tell(noTimestamp, { channel });
        throw new ChatRefused('no_timestamp');
      }
      return answer.ts;
    },
    update,
    ephemeral: async (channel, person, drawn, thread) => {
      await send(channel, 'once', drawn, ({ text, blocks }) =>
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
      // Every attempt drops a kind of block, so this ends.
      for (;;) {
        const used = palette;
        const message = drawn(used);
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
    // Repeating an update gives the same message, so any failure allows a retry, unless a newer update exists:
    // a late retry must not restore the old state.
    await latest.run(`${channel} ${ts}`, async (isNewest) => {
      const { parse, link_names } = quiet;
      const call = (message: Outgoing) => client.chat.update({ channel, ts, ...message, parse, link_names });
      await send(channel, 'again', drawn, call, isNewest);
    });
  }

  /** One post to a response_url. A problem with the message is in the answer's body, whatever its status. */
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
        // The time limit begins with its turn.
        signal: AbortSignal.timeout(deadline),
      });
      const said = await answer.text();
      // From a gateway, such as a proxy that requires a login.
      const isPage = said.trimStart().startsWith('<');
      return { status: answer.status, ok: answer.ok, refusal: refusalIn(said), isPage };
    } finally {
      giveBack();
    }
  }

  /** Draws again for every attempt. Resolves to undefined if the message is obsolete. */
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

  /** Whether the message can be drawn without the refused features. */
  function canBePlainer(refusal: Refusal, { blocks }: Outgoing, used: Palette): boolean {
    if (refusal.error !== 'invalid_blocks') return false;
    const details = refusal.response_metadata?.messages;
    const refused = refusedBlock(blocks, details);
    if (refused === undefined || !used.blocks.has(refused)) return false;
    log.tell(blockRejected, { details, block: refused });
    palette = without(palette, refused);
    return true;
  }
}

/** A sent but unanswered message may have been accepted. */
function unanswered(error: unknown): ChatRefused {
  return new ChatRefused('response_url_no_answer', { isPassing: true, mayStand: !neverLeft(error) });
}

/** `ok`, or JSON with the reason; undefined for an empty body. */
function refusalIn(body: string): Refusal | undefined {
  try {
    return refusals.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

/** Runs tasks for the same key one after the other, and only the newest of those that wait. */
interface Latest {
  /**
   * Runs a task after those for the same key. An overtaken task ends as the newer one ends, because nobody may
   * take it for done while its replacement can fail. A task with several attempts asks `isNewest` before each.
   */
  readonly run: (key: string, task: (isNewest: () => boolean) => Promise<void>) => Promise<void>;
}

export function createLatest(): Latest {
  const inOrder = createSemaphore();
  /** By key, the end of the newest task. */
  const newest = new Map<string, Promise<void>>();
  return {
    run: async (key, task) => {
      const { promise: ended, resolve: end, reject: fail } = Promise.withResolvers<void>();
      newest.set(key, ended);
      const isNewest = () => newest.get(key) === ended;
      const turn = inOrder.acquire(key).then(async (release) => {
        try {
          if (isNewest()) await task(isNewest);
        } finally {
          release();
        }
      });
      turn.then(() => (isNewest() ? end() : newest.get(key)?.then(end, fail)), fail);
      try {
        await ended;
      } finally {
        if (isNewest()) newest.delete(key);
      }
    },
  };
}

/** A file for a thread. Its content is always bytes: a string could be read as a path (slack-facts.md §7). */
interface FileOut {
  /** With its ending: "records.csv". */
  readonly name: string;
  readonly title: string;
  readonly content: Uint8Array;
  readonly comment: string | undefined;
  /** A picture's description. */
  readonly alt: string | undefined;
}

/** Posts a file to a thread. Rejects with `ChatRefused`. */
type Upload = (channel: string, thread: string, file: FileOut) => Promise<void>;

interface UploadParts {
  readonly client: WebClient;
  readonly fetch: typeof fetch;
  readonly sending: Sending;
}

/** Attempts to send the bytes, and the time limit of each, in milliseconds. */
const bringing = { tries: 3, deadline: 60_000 };

/**
 * Announces, sends the bytes, and completes (slack-facts.md §7). Nothing is visible before the last step, so
 * only that must not be repeated.
 */
export function createUpload({ client, fetch, sending }: UploadParts): Upload {
  return async (channel, thread, file) => {
    const id = await bring(channel, file);
    await sending.send(channel, 'once', () =>
      client.files.completeUploadExternal({
        channel_id: channel,
        thread_ts: thread,
        files: [{ id, title: file.title }],
        ...(file.comment === undefined ? {} : { initial_comment: file.comment }),
      }),
    );
  };

  /** An address accepts its bytes once, so every attempt needs a new one. Resolves to the file's ID. */
  async function bring(channel: string, { name, content, alt }: FileOut): Promise<string> {
    for (let attempt = 1; ; attempt += 1) {
      const announced = await sending.send(channel, 'again', () =>
        client.files.getUploadURLExternal({
          filename: name,
          length: content.byteLength,
          // Slack documents `alt_txt` (https://docs.slack.dev/reference/methods/files.getUploadURLExternal);
          // only the SDK's type calls it `alt_text`.
          ...(alt === undefined ? {} : { alt_txt: alt }),
        }),
      );
      const { upload_url: url, file_id: id } = announced ?? {};
      if (url === undefined || id === undefined) throw new ChatRefused('no_upload_url');
      const code = await post(url, content);
      if (code === undefined) return id;
      // Nothing is visible yet.
      if (attempt === bringing.tries) throw new ChatRefused(code, { isPassing: true });
    }
  }

  /** Undefined if the bytes have arrived, otherwise the error. The address is a secret, so no error contains it. */
  async function post(url: string, content: Uint8Array): Promise<string | undefined> {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        // A copy, because `fetch` needs memory of its own.
        body: Uint8Array.from(content),
        redirect: 'error',
        signal: AbortSignal.timeout(bringing.deadline),
      });
      await answer.body?.cancel();
      return answer.ok ? undefined : `upload_${answer.status}`;
    } catch {
      return 'upload_failed';
    }
  }
}
