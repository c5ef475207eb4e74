import type { Selectable } from 'kysely';
import { asFound, codec } from '../../codec.ts';
import { claimsOn } from '../claims.ts';
import type { Store } from '../database.ts';
import { parsed } from '../json.ts';
import type { WebhooksTable } from '../tables.ts';
import { type AnnouncedChanges, contentShape, type EventContent } from './webhook-events.ts';

/** Something that another system is to be told. */
export interface PendingWebhook {
  readonly id: number;
  /** The same with every try, by which whoever gets it twice knows. */
  readonly key: string;
  readonly action: string;
  readonly event: string;
  readonly content: EventContent;
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number;
  readonly tries: number;
}

/** What other systems are to be told of changes: written with the transition, and kept until it is taken or given up. */
export interface WebhookStore {
  /** Of which changes others are told from now on. What is written down already is sent all the same. */
  readonly announced: { changes: AnnouncedChanges };
  /** Actions of which something is due that nobody is at, the oldest first. */
  readonly actionsWithWebhooks: (most: number) => Promise<readonly string[]>;
  /** Claims what is to be told of one action, in its order; nothing where another replica is at it, or its first is not due. */
  readonly claimWebhooks: (action: string) => Promise<readonly PendingWebhook[]>;
  /** It was taken, or is given up. */
  readonly finishWebhook: (id: number) => Promise<void>;
  readonly retryWebhook: (id: number, nextTryAt: number) => Promise<void>;
  readonly releaseWebhooks: (ids: readonly number[]) => Promise<void>;
  /** All that nobody is at is due now. */
  readonly expediteWebhooks: () => Promise<void>;
  readonly pendingWebhooks: () => Promise<readonly PendingWebhook[]>;
}

/** No change has more to tell at once. */
const mostClaimed = 20;

export function webhookStore(
  store: Store,
  replica: string,
  now: () => number,
  announced: WebhookStore['announced'],
): WebhookStore {
  const { quick } = store;
  const claims = claimsOn('webhooks', store, replica, now);

  return {
    announced,

    actionsWithWebhooks: async (most) => {
      const rows = await quick
        .selectFrom('webhooks')
        .select('action')
        .where(({ or }) => or([claims.isFree(), claims.isForgotten()]))
        .where(claims.isDue())
        // What comes after the first of an action waits with it.
        .where(claims.isFirst('action'))
        .orderBy('id')
        .limit(most)
        .execute();
      return rows.map(({ action }) => action);
    },

    claimWebhooks: async (action) => {
      const rows = await claims.claimGroup(
        ({ eb }) => eb('action', '=', action),
        ({ and, or }) => and([or([claims.isFree(), claims.isMine()]), claims.isDue()]),
        mostClaimed,
      );
      return rows.map(read);
    },

    finishWebhook: (id) => claims.finish([id]),
    retryWebhook: async (id, nextTryAt) => {
      await claims.retryLater([id], nextTryAt);
    },
    releaseWebhooks: claims.free,
    expediteWebhooks: async () => {
      await quick
        .updateTable('webhooks')
        .set({ next_try_at: now() })
        .where('held_by', 'is', null)
        .where('next_try_at', '>', now())
        .execute();
    },
    pendingWebhooks: async () =>
      (await quick.selectFrom('webhooks').selectAll().orderBy('id').execute()).map(read),
  };
}

const contents = codec(asFound(contentShape));

const read = ({
  id,
  key,
  action,
  event,
  content_json,
  created_at,
  tries,
}: Selectable<WebhooksTable>): PendingWebhook => ({
  ...{ id, key, action, event, tries },
  content: contents.read(parsed(content_json)) ?? {},
  at: created_at,
});
