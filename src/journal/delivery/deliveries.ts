import { type Selectable, type SqlBool, sql } from 'kysely';
import type { Action } from '../actions/action.ts';
import { actionColumns, readOne } from '../actions/action-row.ts';
import type { State } from '../actions/states.ts';
import { claimsOn, freed, orphanedAmong } from '../claims.ts';
import { findsAny, type Store } from '../database.ts';
import type { DeliveriesTable } from '../tables.ts';
import { messageRows, type ToSend } from './outbox.ts';
import type { Tidying } from './tidying.ts';

/** Who has typed a line, and where. The line itself may hold a password, and is kept only once it is understood. */
interface TypedLine {
  readonly channel: string;
  readonly person: string;
}

/** A line that was taken from the chat, and whose person may have heard nothing of it. */
export interface Missed extends TypedLine {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** What came of it, where that was told beside the outbox: nobody knows whether it was. */
  readonly action?: Action | undefined;
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
   * Those that a replica that is gone was at, a piece of them: without having written an action, or with one that is over and has
   * told nothing that can be found again. What `tell` makes of each is written into the outbox with it, once.
   */
  readonly missed: (tell: (missed: Missed) => readonly ToSend[]) => Promise<readonly ToSend[]>;
  /** At most so many; resolves to how many they were. */
  readonly forgetDeliveries: (before: number, most: number) => Promise<number>;
}

/** In milliseconds. */
const day = 24 * 60 * 60_000;

/** How an action is over of which its person may have been told beside the outbox. */
const told: ReadonlySet<State> = new Set(['refused', 'failed', 'done']);

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
      const messages = await claims.freeOrphansWith(async (rows) => {
        const made = (await Promise.all(rows.map((row) => messagesOf(row, tell)))).flat();
        return { made, added: { outbox: messageRows(made, replica, now()) } };
      });
      return messages ?? [];
    },

    forgetDeliveries: async (before, most) => {
      const those = quick
        .selectFrom('deliveries')
        .select('key')
        .where('at', '<', before)
        // Of a line that somebody was at when the bot died its person is still to be told. An expression, so that the index of
        // holders is not taken, in which nearly all are nobody's.
        .where(sql<SqlBool>`coalesce(held_by, '') = ''`)
        .limit(most);
      if (!(await findsAny(those))) return 0;
      const { numDeletedRows } = await quick
        .deleteFrom('deliveries')
        .where('key', 'in', those)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };

  async function messagesOf(
    { key, at, channel, person }: Selectable<DeliveriesTable>,
    tell: (missed: Missed) => readonly ToSend[],
  ): Promise<readonly ToSend[]> {
    if (channel === null || person === null) return [];
    const row = await quick
      .selectFrom('actions')
      .select(actionColumns)
      .select(({ exists, selectFrom }) =>
        exists(selectFrom('outbox').select('id').whereRef('outbox.action', '=', 'actions.id')).as(
          'isToBeTold',
        ),
      )
      // For the index; the clock may have been set back in between.
      .where('created_at', '>=', Math.min(at, now()) - day)
      .where('delivery', '=', key)
      .limit(1)
      .executeTakeFirst();
    const action = readOne(row);
    const isFound = action?.card !== undefined || Boolean(row?.isToBeTold);
    const isMissed = action === undefined || (told.has(action.state) && !isFound);
    return isMissed ? tell({ at, channel, person, action }) : [];
  }
}
