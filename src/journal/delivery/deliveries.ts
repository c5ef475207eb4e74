import { claimsOn, freed, orphanedAmong } from '../claims.ts';
import type { Store } from '../database.ts';
import { insertMessages, type ToSend } from './outbox.ts';
import type { Tidying } from './tidying.ts';

/** Who has typed a line, and where. The line itself may hold a password, and is kept only once it is understood. */
interface TypedLine {
  readonly channel: string;
  readonly person: string;
}

/** A line that was taken from the chat, and of which nothing came. */
export interface Missed extends TypedLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** What the chat has handed over: it may do so twice (slack-facts.md §5). */
export interface Deliveries {
  /**
   * False when this very delivery was taken before, here or by another replica. Of a typed line it is remembered that this
   * replica is at it, until it is `seenTo`.
   */
  readonly claimDelivery: (key: string, typed?: TypedLine) => Promise<boolean>;
  /** Written in a moment, together with others. */
  readonly seenTo: (key: string) => Promise<void>;
  /**
   * Those that a replica that is gone was at without having written an action, a piece of them. What `tell` makes of each is
   * written into the outbox with it, once.
   */
  readonly missed: (tell: (missed: Missed) => readonly ToSend[]) => Promise<readonly ToSend[]>;
  /** At most so many; resolves to how many they were. */
  readonly forgetDeliveries: (before: number, most: number) => Promise<number>;
}

export function deliveries(
  store: Store,
  replica: string,
  now: () => number,
  tidying: Pick<Tidying, 'seenTo'>,
): Deliveries {
  const { quick } = store;
  const claims = claimsOn('deliveries', store, replica, now);

  return {
    claimDelivery: async (key, typed) => {
      const taken = await quick
        .insertInto('deliveries')
        .values({
          key,
          at: now(),
          channel: typed?.channel ?? null,
          person: typed?.person ?? null,
          ...(typed === undefined ? freed : claims.held()),
        })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .returning('key')
        .executeTakeFirst();
      return taken !== undefined;
    },

    seenTo: async (key) => tidying.seenTo(key),

    missed: async (tell) => {
      if ((await orphanedAmong(['deliveries'], store, replica)).length === 0) return [];
      return quick.transaction().execute(async (transaction) => {
        const rows = await claims.freeOrphans(transaction);
        const messages: ToSend[] = [];
        for (const { key, at, channel, person } of rows) {
          if (channel === null || person === null) continue;
          const action = await transaction
            .selectFrom('actions')
            .select('id')
            // The index is good for this one.
            .where('created_at', '>=', at)
            .where('delivery', '=', key)
            .limit(1)
            .executeTakeFirst();
          if (action === undefined) messages.push(...tell({ at, channel, person }));
        }
        await insertMessages(transaction, messages, replica, now());
        return messages;
      });
    },

    forgetDeliveries: async (before, most) => {
      const those = quick.selectFrom('deliveries').select('key').where('at', '<', before).limit(most);
      const { numDeletedRows } = await quick
        .deleteFrom('deliveries')
        .where('key', 'in', those)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
