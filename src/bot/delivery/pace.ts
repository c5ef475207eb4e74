/**
 * How fast one channel is written to: Slack takes about one message a second for long, and short bursts
 * (slack-facts.md §4). A bucket per channel, filled at that rate.
 *
 * (Bottleneck, which paces the appliances, hands each job through timers that cost some 3 ms; here that would be
 * half of the time that an answer takes.)
 */
export interface ChannelPace {
  /** The same as `wait` would say, without counting a message. */
  readonly due: (channel: string) => number;
  /** How long to wait before the next message to this channel, in milliseconds; counts that message. */
  readonly wait: (channel: string) => number;
  /** Slack said to hold off: nothing goes to this channel for so many milliseconds. */
  readonly hold: (channel: string, milliseconds: number) => void;
}

export function createPace(burst: number, perSecond: number, now: () => number): ChannelPace {
  /** When the bucket of a channel will be, or was, full, and when that was found. */
  const buckets = new Map<string, { readonly full: number; readonly at: number }>();
  const interval = Math.round(1_000 / perSecond);

  /** What was found at a time that is still to come is of a clock that was wrong: nobody waits for it. */
  const fullIn = (channel: string): number => {
    const { full, at } = buckets.get(channel) ?? { full: 0, at: 0 };
    return at > now() ? 0 : full;
  };
  /** When the bucket will be full again if a message goes out now. */
  const next = (channel: string): number => Math.max(fullIn(channel), now()) + interval;
  const due = (channel: string): number => Math.max(0, next(channel) - now() - burst * interval);

  return {
    due,
    wait: (channel) => {
      const wait = due(channel);
      buckets.set(channel, { full: next(channel), at: now() });
      return wait;
    },
    hold: (channel, milliseconds) => {
      const until = now() + milliseconds + burst * interval;
      buckets.set(channel, { full: Math.max(fullIn(channel), until), at: now() });
    },
  };
}
