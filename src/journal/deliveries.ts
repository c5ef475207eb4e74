import type { Store } from './database.ts';

/** What the chat has handed over: it may do so twice (slack-facts.md §5). */
export interface Deliveries {
  /** False when this very delivery was taken before, here or by another replica. */
  readonly isFirst: (key: string) => Promise<boolean>;
  readonly forgetDeliveries: (before: number) => Promise<void>;
}

export function deliveries({ quick }: Store, now: () => number): Deliveries {
  return {
    isFirst: async (key) => {
      const taken = await quick
        .insertInto('deliveries')
        .values({ key, at: now() })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key')
        .executeTakeFirst();
      return taken !== undefined;
    },
    forgetDeliveries: async (before) => {
      await quick.deleteFrom('deliveries').where('at', '<', before).execute();
    },
  };
}
