import type { KnownBlock, MessageMetadata } from '@slack/types';
import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';
import { ChatRefused } from '../action/chat.ts';
import type { Log } from '../log.ts';
import { createLatest } from './latest.ts';
import { createPace } from './pace.ts';

/** One message, ready to send. `blocks` may be drawn again without the newer kinds of block. */
export interface Outgoing {
  readonly text: string;
  readonly blocks: KnownBlock[];
  readonly metadata?: MessageMetadata;
}

export interface Delivery {
  /** Posts to a channel or a thread; resolves to the new message's timestamp. Rejects with `ChatRefused`. */
  readonly post: (channel: string, thread: string | undefined, message: Drawn) => Promise<string>;
  /** Changes a message that stands. Rejects with `ChatRefused`. */
  readonly update: (channel: string, ts: string, message: Drawn) => Promise<void>;
  /** Only this person sees it. Rejects with `ChatRefused`. */
  readonly ephemeral: (channel: string, person: string, message: Drawn) => Promise<void>;
  /** Only this person sees it; needs no membership, but works for half an hour only (slack-facts.md §1). */
  readonly respond: (url: string, message: Drawn) => Promise<void>;
}

/** Draws the message, with tables as blocks or, where Slack does not take those, in fixed-width letters. */
export type Drawn = (tables: 'block' | 'fixed_width') => Outgoing;

export interface DeliveryParts {
  /** Must not retry or wait by itself: what may be sent again is decided here. */
  readonly client: WebClient;
  readonly fetch: typeof fetch;
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly log: Log;
}

/** Bursts of a few are tolerated, then about one a second and channel (slack-facts.md §4). */
const pace = { burst: 10, perSecond: 1 };
/**
 * In milliseconds: how long a message may wait for its turn in the channel, how long Slack may keep it waiting in all,
 * and how long one answer to a response_url may take.
 */
const deadlines = { queue: 30_000, message: 60_000, respond: 5_000 };

/** Untrusted text must not become mentions, links or previews: `parse` differs between post and update (slack-facts.md §1). */
const quiet = { parse: 'none', link_names: false, unfurl_links: false, unfurl_media: false } as const;

export function createDelivery({ client, fetch, now, sleep, log }: DeliveryParts): Delivery {
  const channels = createPace(pace.burst, pace.perSecond, now);
  const latest = createLatest();
  /** Set for good once this workspace has refused a table. */
  let tables: 'block' | 'fixed_width' = 'block';

  return {
    post: async (channel, thread, drawn) => {
      const answer = await send(channel, 'once', drawn, (message) =>
        client.chat.postMessage({
          channel,
          ...message,
          ...quiet,
          ...(thread === undefined ? {} : { thread_ts: thread }),
        }),
      );
      if (answer?.ts === undefined) throw refusal('no_timestamp', channel, 1);
      return answer.ts;
    },
    update: async (channel, ts, drawn) => {
      // The same update twice is the same message, so it may be sent again after any failure, unless the message has
      // moved on: a late repetition must not put the old state back.
      await latest.run(`${channel} ${ts}`, async (isNewest) => {
        const { parse, link_names } = quiet;
        const call = (message: Outgoing) =>
          client.chat.update({ channel, ts, ...message, parse, link_names });
        await send(channel, 'again', drawn, call, isNewest);
      });
    },
    ephemeral: async (channel, person, drawn) => {
      await send(channel, 'once', drawn, ({ text, blocks }) =>
        client.chat.postEphemeral({
          channel,
          user: person,
          text,
          blocks,
          parse: quiet.parse,
          link_names: quiet.link_names,
        }),
      );
    },
    respond: async (url, drawn) => {
      const { text, blocks } = drawn(tables);
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text, blocks, response_type: 'ephemeral', replace_original: false }),
        redirect: 'error',
        signal: AbortSignal.timeout(deadlines.respond),
      });
      await answer.body?.cancel();
      if (!answer.ok) throw new ChatRefused(`response_url_${answer.status}`);
    },
  };

  /** Resolves to undefined when the message is not wanted any more. */
  async function send<Answer>(
    channel: string,
    repeat: 'once' | 'again',
    drawn: Drawn,
    call: (message: Outgoing) => Promise<Answer>,
    isWanted: () => boolean = () => true,
  ): Promise<Answer | undefined> {
    let until = Number.POSITIVE_INFINITY;
    for (let attempt = 1; ; attempt += 1) {
      const wait = channels.wait(channel);
      if (wait > deadlines.queue) throw refusal('busy_channel', channel, attempt);
      if (wait > 0) await sleep(wait);
      if (!isWanted()) return undefined;
      // The time in the queue is our own doing and not Slack's.
      if (attempt === 1) until = now() + deadlines.message;
      const message = drawn(tables);
      try {
        return await call(message);
      } catch (error) {
        const pause = pauseAfter(error, channel, message, repeat, attempt);
        if (pause === undefined || now() + pause > until) throw refusal(codeOf(error), channel, attempt);
        if (pause > 0) await sleep(pause);
      }
    }
  }

  function refusal(code: string, channel: string, attempt: number): ChatRefused {
    log.warn({ channel, attempt, code }, 'Slack did not take a message');
    return new ChatRefused(code);
  }

  /** Milliseconds until it may be sent again, or undefined when it must not. */
  function pauseAfter(
    error: unknown,
    channel: string,
    message: Outgoing,
    repeat: 'once' | 'again',
    attempt: number,
  ): number | undefined {
    if (error instanceof WebAPIRateLimitedError) {
      channels.hold(channel, error.retryAfter * 1_000);
      return error.retryAfter * 1_000;
    }
    const refusesBlocks = error instanceof WebAPIPlatformError && error.data.error === 'invalid_blocks';
    if (refusesBlocks && message.blocks.some(({ type }) => type === 'table')) {
      log.warn(
        { details: error.data.response_metadata?.messages },
        'Slack refused a block; tables are plain text from now on',
      );
      tables = 'fixed_width';
      return 0;
    }
    const repeatable = repeat === 'again' ? isPassing(error) : neverLeft(error);
    return repeatable && attempt < 5 ? 250 * 2 ** attempt : undefined;
  }
}

/** Slack's own trouble, or the network's: not a verdict on the message. */
function isPassing(error: unknown): boolean {
  return (
    error instanceof WebAPIRequestError ||
    (error instanceof WebAPIHTTPError && error.statusCode >= 500) ||
    (error instanceof WebAPIPlatformError &&
      ['internal_error', 'fatal_error', 'service_unavailable'].includes(error.data.error))
  );
}

/** A message that may have been delivered is not sent again: it would stand there twice. */
function neverLeft(error: unknown): boolean {
  if (!(error instanceof WebAPIRequestError)) return false;
  const causes = [error.original, error.original?.cause].map((cause) =>
    typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined,
  );
  return causes.some((code) => code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN');
}

function codeOf(error: unknown): string {
  if (error instanceof WebAPIPlatformError) return error.data.error;
  if (error instanceof WebAPIHTTPError) return `http_${error.statusCode}`;
  if (error instanceof WebAPIRateLimitedError) return 'ratelimited';
  return error instanceof Error ? error.name : 'unknown_error';
}
