import type { Journal } from '../../journal/journal.ts';

/** So many ordering keys are sent at once; what is in the background goes one after the other. */
const most = 20;
/** What is in the background, of all replicas together: of some fifty changes a minute (slack-facts.md §4) people keep the rest. */
const pace = { burst: 10, interval: 2_000 };

/**
 * Sends what nobody has sent at once, with each look at the clock: what was put off, what a replica that is gone has left, and
 * what has piled up while nobody was there. However much that is, only a little of it is at hand.
 */
export function createLeftBehind(
  {
    journal,
    now,
    isAway,
  }: {
    readonly journal: Pick<Journal, 'alive' | 'dueOrderingKeys'>;
    readonly now: () => number;
    /** Whether there is nobody to send it to. */
    readonly isAway: () => boolean;
  },
  /** Sends what has an ordering key. */
  empty: (orderingKey: string) => Promise<void>,
): () => Promise<void> {
  /** At these it is. */
  const minded = new Set<string>();
  /** When as many as a burst may go again. */
  let restedAt = 0;
  let isInBackground = false;

  return async () => {
    if (isAway()) return;
    await Promise.all([mindAwaited(), mindBackground()]);
  };

  /** A channel that is slow does not keep another one waiting. */
  async function mindAwaited(): Promise<void> {
    const tried = new Set<string>();
    const under = new Set<Promise<void>>();
    for (;;) {
      const due = await journal.dueOrderingKeys(most, 'awaited');
      const next = due.filter((key) => !tried.has(key)).slice(0, Math.max(0, most - minded.size));
      if (isAway() || (next.length === 0 && under.size === 0)) break;
      for (const key of next) {
        tried.add(key);
        const one = mind(key).finally(() => under.delete(one));
        under.add(one);
      }
      // Half of them are looked for at a time: what is slow delays none of the others.
      while (under.size > (next.length === 0 ? 0 : most / 2)) await Promise.race(under);
    }
    await Promise.all(under);
  }

  /** One after the other, and only so fast that people hardly notice. What there is no time for goes at the next looks. */
  async function mindBackground(): Promise<void> {
    if (isInBackground) return;
    isInBackground = true;
    try {
      const replicas = (await journal.alive()).length;
      for (const orderingKey of await journal.dueOrderingKeys(pace.burst, 'background')) {
        const next = Math.max(restedAt, now()) + replicas * pace.interval;
        if (next - now() > pace.burst * pace.interval) return;
        restedAt = next;
        await mind(orderingKey);
      }
    } finally {
      isInBackground = false;
    }
  }

  /** Once at a time: one that is slow is due with every look at the clock. */
  async function mind(orderingKey: string): Promise<void> {
    if (minded.has(orderingKey)) return;
    minded.add(orderingKey);
    try {
      await empty(orderingKey);
    } finally {
      minded.delete(orderingKey);
    }
  }
}
