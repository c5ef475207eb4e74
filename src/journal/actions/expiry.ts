import { freed } from '../claims.ts';
import type { Store } from '../database.ts';
import { insertMessages, type ToSend } from '../delivery/outbox.ts';
import { webhookRows } from '../delivery/webhook-events.ts';
import type { WebhookStore } from '../delivery/webhooks.ts';
import type { Action, Outcome } from './action.ts';
import { actionColumns, changedColumns, readAction } from './action-row.ts';

/** How a card ends whose time is over, and what is told of it. */
interface Expired {
  readonly outcome: Outcome;
  readonly messages: readonly ToSend[];
}

/** Cards whose time is over: after a night without the bot there may be tens of thousands of them. */
export interface Expiry {
  /**
   * Ends those whose time is over at a moment, the longest over first and at most so many, all at once; of several replicas
   * that do it, each card goes to one. Only those that have changed since `after`. What is told of each is written into the
   * outbox with it, where nobody holds it. Resolves to what they were.
   */
  readonly expireOverdue: (
    over: { readonly at: number; readonly after: number; readonly most: number },
    ending: (action: Action) => Expired,
  ) => Promise<readonly Action[]>;
  /** The same cards, whenever they have changed, as they stand. */
  readonly overdue: (at: number, most: number) => Promise<readonly Action[]>;
}

export function expiry(
  store: Store,
  now: () => number,
  announced: WebhookStore['announced'] = { changes: 'none' },
): Expiry {
  const { durable } = store;
  const select = (database: Store['durable'], at: number, most: number) =>
    database
      .selectFrom('actions')
      .select(actionColumns)
      .where('state', '=', 'waiting')
      .where('expires_at', '<=', at)
      .orderBy('expires_at')
      .limit(most);

  return {
    expireOverdue: async ({ at, after, most }, ending) => {
      const those = (database: Store['durable'], count: number) =>
        select(database, at, count).where('changed_at', '>', after);
      // That there is nothing is what it nearly always comes to.
      if ((await those(durable, 1).execute()).length === 0) return [];
      return durable.transaction().execute(async (within) => {
        const over = (await store.claiming(those(within, most)).execute()).map(readAction);
        const ended = over.map((action) => ({ action, ...ending(action) }));
        const alike = Map.groupBy(ended, ({ outcome }) => JSON.stringify(outcome));
        for (const [one, ...others] of alike.values()) {
          if (one === undefined) continue;
          await within
            .updateTable('actions')
            .set({
              ...{ state: 'expired', changed_at: now(), recorded: null, dedupe_key: null },
              ...freed,
              ...changedColumns({ outcome: one.outcome }),
            })
            .where('id', 'in', store.among([one, ...others].map(({ action }) => action.id)))
            .execute();
        }
        const told = ended.flatMap(({ action, outcome }) =>
          webhookRows(action, { to: 'expired', outcome }, announced.changes, now()),
        );
        if (told.length > 0) await within.insertInto('webhooks').values(told).execute();
        await insertMessages(
          within,
          ended.flatMap(({ messages }) => messages),
          null,
          now(),
        );
        return over;
      });
    },
    overdue: async (at, most) => (await select(durable, at, most).execute()).map(readAction),
  };
}
