import { WebAPIPlatformError, WebAPIRateLimitedError, WebAPIRequestError } from '@slack/web-api';
import { ChatRefused, ownPace, slackAway } from '../../action/base/chat.ts';
import { type Caller, currentCaller } from '../../caller.ts';
import { createCircuitBreaker } from '../../circuit-breaker.ts';
import { createFairQueue, type FairQueue } from '../../fair-queue.ts';
import { createRateLimit } from '../../rate-limit.ts';
import { channelFull, rateLimited, sendingFailed } from '../../telemetry/events/messages.ts';
import { slackAnswers, slackSilent } from '../../telemetry/events/slack.ts';
import type { Log } from '../../telemetry/log.ts';
import { codeOf, isLimited, isTokenRefused, isTrouble, isUnknownCode, refusedFor } from '../codes.ts';
import { proxyFailureIn } from '../network.ts';

/** Calls that post to a channel: at their caller's turn (`Caller`), retried if that is safe, with a limit. */
export interface Sending {
  /** Resolves to undefined if it is obsolete. Rejects with `ChatRefused`. `call` is made again for every attempt. */
  readonly send: <Answer>(
    channel: string,
    repeat: Repeat,
    call: () => Promise<Answer>,
    also?: {
      readonly isWanted?: () => boolean;
      /** Whether the next attempt is another message, which may be sent at once. */
      readonly changes?: (error: WebAPIPlatformError) => boolean;
    },
  ) => Promise<Answer | undefined>;
  readonly isAway: () => boolean;
}

/** Whether a call may be repeated, or only if it certainly was not sent. */
export type Repeat = 'once' | 'again';

interface SendingParts {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly log: Log;
}

/** The longest total wait for Slack, in milliseconds. */
const deadline = 60_000;
/** The pause before the log repeats that a channel is full, in milliseconds. */
const quietFor = 5 * 60_000;

export function createSending({ now, sleep, log }: SendingParts): Sending {
  const lines = createLines({ now, sleep });
  const breaker = createBreaker('Web API', { now, log });
  /** When the log last said that a channel is full. */
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
        // The time in the queue is not Slack's fault.
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
            throw refusal(codeOf(error), channel, attempt, prospects(error, now()));
          }
          if (pause > 0) await sleep(pause);
        }
      }
    },
  };

  /** The bot's own limit, not Slack's: in a burst it holds back hundreds of messages, which wait in the journal. */
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

  /** Milliseconds until the retry, or undefined if there must be none. */
  function pauseAfter(error: unknown, channel: string, repeat: Repeat, attempt: number): number | undefined {
    if (error instanceof WebAPIRateLimitedError) {
      const pause = error.retryAfter * 1_000;
      lines.hold(channel, pause);
      log.tell(rateLimited, { channel, seconds: error.retryAfter });
      if (pause >= noticed) currentCaller().heldUp?.(pause);
      return pause;
    }
    const repeatable = repeat === 'again' ? isTrouble(error) : neverLeft(error) || isLimited(error);
    return repeatable && attempt < 5 ? 250 * 2 ** attempt : undefined;
  }
}

type Prospects = NonNullable<ConstructorParameters<typeof ChatRefused>[1]>;

/** Whether a retry may succeed, and whether the message may have been posted. */
function prospects(error: unknown, now: number): Prospects {
  const about = refusedFor(error);
  if (about !== undefined) return { isPassing: false, mayStand: false, about };
  const until = error instanceof WebAPIRateLimitedError ? now + error.retryAfter * 1_000 : undefined;
  const isHeldBack = isLimited(error) || isTokenRefused(error) || neverLeft(error);
  const why = isTokenRefused(error) ? 'token' : isUnknownCode(error) ? 'unknown' : undefined;
  return { isPassing: true, mayStand: !isHeldBack, until, about: why };
}

/** A possibly delivered message is not sent again, because it would appear twice. */
export function neverLeft(error: unknown): boolean {
  if (proxyFailureIn(error) !== undefined) return true;
  const original = error instanceof WebAPIRequestError ? error.original : error;
  const causes = [original, original instanceof Error ? original.cause : undefined].map((cause) =>
    typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined,
  );
  return causes.some((code) => code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'EAI_AGAIN');
}

/** All waiting messages to Slack, in one line for each channel. */
interface Lines {
  /** Resolves at its turn in the channel, or if it need not or must not be sent any more. */
  readonly wait: (channel: string, waiting: WaitingFor) => Promise<Turn>;
  /** Slack's rate limit: nothing is sent to this channel for this many milliseconds. */
  readonly hold: (channel: string, milliseconds: number) => void;
}

/** `too_late`: it cannot be sent within the time limit. */
export type Turn = 'now' | 'not_wanted' | 'too_late';

interface WaitingFor {
  readonly caller: Caller;
  /** Checked at its turn, so that an obsolete message takes nobody's place. */
  readonly isWanted: () => boolean;
  /** False after a failed turn, so that it does not return to the end of its caller's line. */
  readonly isFirst: boolean;
}

interface Waiting extends WaitingFor {
  /** The end of waiting, in milliseconds since the epoch. */
  readonly until: number;
  readonly end: (turn: Turn) => void;
}

/**
 * Slack tolerates short bursts, then about one a second and channel (slack-facts.md §4). Slightly less, because
 * a faster message could overtake the one before it.
 */
const channelPace = { burst: 5, every: 1_111 };
/** How long a message may wait for its turn in the channel, in milliseconds, and how many may wait. */
const longestWait = 30_000;
const mostWaiting = Math.floor(longestWait / channelPace.every);

/** People wait this long without a note, in milliseconds. */
const noticed = 3_000;

export function createLines({
  now,
  sleep,
}: {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}): Lines {
  const channels = createRateLimit(channelPace, now);
  const lines = new Map<string, FairQueue<Waiting>>();

  return {
    wait: async (channel, waiting) => {
      const line = lines.get(channel);
      if (line === undefined && channels.due(channel) === 0) {
        if (!waiting.isWanted()) return 'not_wanted';
        channels.count(channel);
        return 'now';
      }
      const { promise, resolve: end } = Promise.withResolvers<Turn>();
      const { caller, isFirst } = waiting;
      const due = channels.due(channel);
      if (due >= noticed) caller.heldUp?.(due);
      const own = line ?? createFairQueue<Waiting>();
      turnAwayLate(own, now());
      own.add({ ...waiting, until: now() + longestWait, end }, caller, isFirst ? undefined : 'again');
      // There is no room for it, or for another person's surplus.
      if (own.size > mostWaiting) turnAway(own, own.last());
      if (line === undefined) {
        lines.set(channel, own);
        void serve(channel, own);
      }
      return promise;
    },
    hold: channels.hold,
  };

  /** Serves the line until it is empty. The next message is chosen at the moment of sending. */
  async function serve(channel: string, line: FairQueue<Waiting>): Promise<void> {
    let slept = 0;
    for (;;) {
      const due = channels.due(channel);
      turnAwayLate(line, now() + Math.max(0, due - slept));
      if (line.size === 0) break;
      // Slack may have extended its limit meanwhile.
      if (due > slept) {
        await sleep(due);
        slept = due;
        continue;
      }
      const next = line.take();
      if (next?.isWanted()) {
        channels.count(channel);
        slept = 0;
        next.end('now');
      } else next?.end('not_wanted');
    }
    lines.delete(channel);
  }

  /** Those whose time limit will have passed. */
  function turnAwayLate(line: FairQueue<Waiting>, then: number): void {
    for (const waiting of [...line]) if (waiting.until < then) turnAway(line, waiting);
  }

  function turnAway(line: FairQueue<Waiting>, waiting: Waiting | undefined): void {
    if (waiting !== undefined && line.remove(waiting)) waiting.end('too_late');
  }
}

/**
 * While Slack does not answer, one occasional attempt probes for all. Each failed message
 * may have been delivered, and must be searched later (conversations.history, fifty times a minute:
 * slack-facts.md §4); an unsent one need not.
 */
export interface Breaker {
  readonly isOpen: () => boolean;
  /** Counts an attempt. @throws ChatRefused, with nothing sent, if sending is pointless */
  readonly pass: () => void;
  /** Slack answered, with any result. */
  readonly answered: () => void;
  /** Slack did not answer, or has trouble. */
  readonly failed: (code: string) => void;
}

/** Consecutive failures that open it, and milliseconds between probes. */
const opening = { enough: 3, pauses: { first: 1_000, longest: 5_000 } };

/**
 * `name`: the protected service, for the log and for the metric of Slack's Web API
 * (`telemetry/metrics/bot.ts`).
 */
export function createBreaker(
  name: string,
  { now, log }: { readonly now: () => number; readonly log: Log },
): Breaker {
  const breaker = createCircuitBreaker({ ...opening, now });

  return {
    isOpen: breaker.isOpen,
    pass: () => {
      if (!breaker.pass()) throw new ChatRefused(slackAway, { isPassing: true, mayStand: false });
    },
    answered: () => {
      const silent = breaker.answered();
      if (silent !== undefined) log.tell(slackAnswers, { name, seconds: Math.round(silent / 1_000) });
    },
    failed: (code) => {
      if (breaker.failed()) log.tell(slackSilent, { name, code });
    },
  };
}
