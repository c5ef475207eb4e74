import { Refusal } from './refusal.ts';

interface Bucket {
  left: number;
  filledAt: number;
}

/** Posting is limited by channel: about one message a second, short bursts tolerated (slack-facts.md §4). */
const posting = { burst: 5, perMinute: 60 } as const;

/** Slack's rate limits as buckets that refill evenly; a bucket holds a minute's calls. Off unless asked for. */
export class RateLimits {
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Counts a call. Answers how many seconds to wait when there were too many, else undefined. */
  excess(name: string, perMinute: number | undefined, channel: unknown): number | undefined {
    if (name === 'chat.postMessage')
      return this.#take(`${name} ${channel}`, posting.burst, posting.perMinute);
    return perMinute === undefined ? undefined : this.#take(name, perMinute, perMinute);
  }

  #take(key: string, size: number, perMinute: number): number | undefined {
    const now = this.#now();
    const bucket = this.#buckets.get(key) ?? { left: size, filledAt: now };
    bucket.left = Math.min(size, bucket.left + ((now - bucket.filledAt) * perMinute) / 60_000);
    bucket.filledAt = now;
    this.#buckets.set(key, bucket);
    if (bucket.left < 1) return Math.ceil(((1 - bucket.left) * 60) / perMinute);
    bucket.left -= 1;
    return undefined;
  }
}

/** Too many calls: HTTP 429 with `Retry-After`, in seconds. */
export class RateLimited extends Refusal {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('ratelimited');
    this.retryAfter = retryAfter;
  }
}
