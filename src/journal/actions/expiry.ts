import { freed } from '../claims.ts';
import type { Store } from '../database.ts';
import { messageRows, type ToSend } from '../delivery/outbox.ts';
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
  const select = (at: number, most: number) =>
    durable
      .selectFrom('actions')
      .select(actionColumns)
      .where('state', '=', 'waiting')
      .where('expires_at', '<=', at)
      .orderBy('expires_at')
      .limit(most);

  return {
    expireOverdue: async ({ at, after, most }, ending) => {
      const overdue = (await select(at, most).where('changed_at', '>', after).execute()).map(readAction);
      const expired = await Promise.all(
        overdue.map(async (action) => {
          const { outcome, messages } = ending(action);
          const query = durable
            .updateTable('actions')
            .set({ state: 'expired', changed_at: now(), recorded: null, dedupe_key: null })
            .set({ ...freed, ...changedColumns({ outcome }) })
            .where('id', '=', action.id)
            .where('state', '=', 'waiting')
            .returning('id');
          const written = await store.write('durable', {
            swap: [{ query }],
            add: {
              // Nobody holds them: whoever looks next sends them.
              outbox: messageRows(messages, null, now()),
              webhooks: webhookRows(action, { to: 'expired', outcome }, announced.changes, now()),
            },
          });
          return written === undefined ? [] : [action];
        }),
      );
      return expired.flat();
    },
    overdue: async (at, most) => (await select(at, most).execute()).map(readAction),
  };
}
