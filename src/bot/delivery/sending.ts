import { WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { ChatRefused, ownPace } from '../../action/base/chat.ts';
import { currentCaller } from '../../caller.ts';
import { channelFull, rateLimited, sendingFailed } from '../../telemetry/events/messages.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf, isTokenRefused, isTrouble, isUnknownCode, refusedFor } from '../codes.ts';
import { proxyFailureIn } from '../proxy-failure.ts';
import { createBreaker } from './breaker.ts';
import { createLines, noticed } from './lines.ts';

/**
 * Calls of Slack that say something in a channel: as soon as it is their caller's turn there (`Caller`), repeated where
 * that is safe, and not for ever.
 */
export interface Sending {
  /**
   * Resolves to undefined when it is not wanted any more. Rejects with `ChatRefused`.
   * `call` is made anew for every try.
   */
  readonly send: <Answer>(
    channel: string,
    repeat: Repeat,
    call: () => Promise<Answer>,
    also?: {
      readonly isWanted?: () => boolean;
      /** Whether the next try is another message, which may be sent at once. */
      readonly changes?: (error: WebAPIPlatformError) => boolean;
    },
  ) => Promise<Answer | undefined>;
  /** Whether Slack is known not to answer. */
  readonly isAway: () => boolean;
}

/** Whether it may be done twice, or only what certainly never left is sent again. */
export type Repeat = 'once' | 'again';

export interface SendingParts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly log: Log;
}

/** How long Slack may keep a message waiting in all, in milliseconds. */
const deadline = 60_000;
/** So long, in milliseconds, it is not told again that a channel has more to be told than it takes. */
const quietFor = 5 * 60_000;

export function createSending({ now, sleep, log }: SendingParts): Sending {
  const lines = createLines({ now, sleep });
  const breaker = createBreaker('Web API', { now, log });
  /** When the log was told last that a channel has more to be told than it takes. */
  const toldOf = new Map<string, number>();

  return {
    isAway: breaker.isOpen,

    send: async (channel, repeat, call, { isWanted = () => true, changes = () => false } = {}) => {
      const caller = currentCaller();
      let until = Number.POSITIVE_INFINITY;
      for (let attempt = 1; ; attempt += 1) {
        const turn = await lines.wait(channel, { caller, isWanted, isFirst: attempt === 1 });
        if (turn === 'too_late') throw tooMuch(channel);
        if (turn === 'not_wanted') return undefined;
        // The time in the queue is our own doing and not Slack's.
        if (attempt === 1) until = now() + deadline;
        breaker.pass();
        try {
          const answer = await call();
          breaker.answered();
          return answer;
        } catch (error) {
          if (isTrouble(error) || isTokenRefused(error)) breaker.failed(codeOf(error));
          else breaker.answered();
          const isOther = error instanceof WebAPIPlatformError && changes(error);
          const pause = isOther ? 0 : pauseAfter(error, channel, repeat, attempt);
          if (pause === undefined || now() + pause > until) {
            throw refusal(codeOf(error), channel, attempt, prospects(error));
          }
          if (pause > 0) await sleep(pause);
        }
      }
    },
  };

  /** Our own pace, and no refusal of Slack's: in a burst it is so of hundreds of messages, which wait in the journal. */
  function tooMuch(channel: string): ChatRefused {
    if (now() - (toldOf.get(channel) ?? Number.NEGATIVE_INFINITY) >= quietFor) {
      toldOf.set(channel, now());
      log.tell(channelFull, { channel });
    }
    return new ChatRefused(ownPace, { isPassing: true });
  }

  function refusal(code: string, channel: string, attempt: number, prospects: Prospects): ChatRefused {
    log.tell(sendingFailed, { channel, attempt, code });
    return new ChatRefused(code, prospects);
  }

  /** Milliseconds until it may be sent again, or undefined when it must not. */
  function pauseAfter(error: unknown, channel: string, repeat: Repeat, attempt: number): number | undefined {
    if (error instanceof WebAPIRateLimitedError) {
      const pause = error.retryAfter * 1_000;
      lines.hold(channel, pause);
      log.tell(rateLimited, { channel, seconds: error.retryAfter });
      if (pause >= noticed) currentCaller().heldUp?.(pause);
      return pause;
    }
    const repeatable = repeat === 'again' ? isTrouble(error) : neverLeft(error);
    return repeatable && attempt < 5 ? 250 * 2 ** attempt : undefined;
  }
}

type Prospects = NonNullable<ConstructorParameters<typeof ChatRefused>[1]>;

/** Whether it may be taken later, and whether it may have been taken without our hearing of it. */
function prospects(error: unknown): Prospects {
  const about = refusedFor(error);
  if (about !== undefined) return { isPassing: false, mayStand: false, about };
  const isHeldBack = error instanceof WebAPIRateLimitedError || isTokenRefused(error) || neverLeft(error);
  return { isPassing: true, mayStand: !isHeldBack, ...(isUnknownCode(error) && { about: 'unknown' }) };
}

/** A message that may have been delivered is not sent again: it would stand there twice. */
export function neverLeft(error: unknown): boolean {
  if (proxyFailureIn(error) !== undefined) return true;
  const original = error instanceof WebAPIRequestError ? error.original : error;
  const causes = [original, original instanceof Error ? original.cause : undefined].map((cause) =>
    typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined,
  );
  return causes.some((code) => code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN');
}
