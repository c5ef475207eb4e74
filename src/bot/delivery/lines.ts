import type { Caller } from '../../caller.ts';
import { createFairQueue, type FairQueue } from '../../fair-queue.ts';
import { createPace } from './pace.ts';

/** Everything that waits to go out to Slack, in one line for each channel. */
export interface Lines {
  /** Resolves when it is this one's turn in the channel, or when it need not or must not go any more. */
  readonly wait: (channel: string, waiting: WaitingFor) => Promise<Turn>;
  /** Slack said to hold off: nothing goes to this channel for so many milliseconds. */
  readonly hold: (channel: string, milliseconds: number) => void;
}

/** `too_late`: it cannot go out within the time that something may wait. */
export type Turn = 'now' | 'not_wanted' | 'too_late';

interface WaitingFor {
  readonly caller: Caller;
  /** Asked when it is its turn: what nobody wants any more takes nobody's place. */
  readonly isWanted: () => boolean;
  /** False when its turn came to nothing: it is not to go to the end of its caller's line again. */
  readonly isFirst: boolean;
}

interface Waiting extends WaitingFor {
  /** Not to wait for longer, in milliseconds since the epoch. */
  readonly until: number;
  readonly end: (turn: Turn) => void;
}

/**
 * Bursts of a few are tolerated, then about one a second and channel (slack-facts.md §4). A little less, because what is on its
 * way for a shorter time than the one before it would come too early.
 */
const pace = { burst: 5, perSecond: 0.9 };
/** How long something may wait for its turn in the channel, in milliseconds, and how much may wait at once. */
const deadline = 30_000;
const most = Math.floor((deadline / 1_000) * pace.perSecond);

/** So long, in milliseconds, people wait without a word. */
export const noticed = 3_000;

export function createLines({
  now,
  sleep,
}: {
  readonly now: () => number;
  readonly sleep: (milliseconds: number) => Promise<void>;
}): Lines {
  const channels = createPace(pace.burst, pace.perSecond, now);
  /** Of the channels in which something waits. */
  const lines = new Map<string, FairQueue<Waiting>>();

  return {
    wait: async (channel, waiting) => {
      const line = lines.get(channel);
      if (line === undefined && channels.due(channel) === 0) {
        if (!waiting.isWanted()) return 'not_wanted';
        channels.wait(channel);
        return 'now';
      }
      const { promise, resolve: end } = Promise.withResolvers<Turn>();
      const { caller, isFirst } = waiting;
      const due = channels.due(channel);
      if (due >= noticed) caller.heldUp?.(due);
      const own = line ?? createFairQueue<Waiting>();
      turnAwayLate(own, now());
      own.add({ ...waiting, until: now() + deadline, end }, caller, isFirst ? undefined : 'again');
      // There is no room for it, or for what somebody else has too much of.
      if (own.size > most) turnAway(own, own.last());
      if (line === undefined) {
        lines.set(channel, own);
        void serve(channel, own);
      }
      return promise;
    },
    hold: channels.hold,
  };

  /** Lets them go, one after the other, until nobody waits. Who is next is decided when somebody may go, and not before. */
  async function serve(channel: string, line: FairQueue<Waiting>): Promise<void> {
    let slept = 0;
    for (;;) {
      const due = channels.due(channel);
      turnAwayLate(line, now() + Math.max(0, due - slept));
      if (line.size === 0) break;
      // Slack may have said meanwhile that it takes longer.
      if (due > slept) {
        await sleep(due);
        slept = due;
        continue;
      }
      const next = line.take();
      if (next?.isWanted()) {
        channels.wait(channel);
        slept = 0;
        next.end('now');
      } else next?.end('not_wanted');
    }
    lines.delete(channel);
  }

  /** Those who would have waited for too long by then. */
  function turnAwayLate(line: FairQueue<Waiting>, then: number): void {
    for (const waiting of [...line]) if (waiting.until < then) turnAway(line, waiting);
  }

  function turnAway(line: FairQueue<Waiting>, waiting: Waiting | undefined): void {
    if (waiting !== undefined && line.remove(waiting)) waiting.end('too_late');
  }
}
