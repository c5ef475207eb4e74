import type { Insertable, Selectable } from 'kysely';
import { type Database, oneByOne, type Store } from '../database.ts';
import { type Json, parsed } from '../json.ts';
import type { OutboxTable } from '../tables.ts';

/** Something that people are to be told. */
export interface ToSend {
  /** Nobody else's; goes out with the message, so that it can be found again. */
  readonly key: string;
  readonly action?: string | undefined;
  /** What `content` holds; the journal only remembers both. */
  readonly kind: string;
  /** What goes out in order: the messages of one card, or to one person. */
  readonly orderingKey: string;
  readonly content: Json;
}

/** What waits to go out. */
export interface Unsent extends ToSend {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** How often it could not be sent. */
  readonly tries: number;
  /** It may have got out, with an earlier try or right before a crash: to be looked for before it is sent again. */
  readonly isMaybeDelivered: boolean;
}

/** What is to be said, until it is known to have been said. */
export interface OutboxStore {
  /** Writes it down, for this replica to send it now. */
  readonly post: (messages: readonly ToSend[]) => Promise<void>;
  /**
   * Claims all of one ordering key, in the order in which it was written. Nothing, where another replica is at it, or
   * the first of it was put off until later.
   */
  readonly claimOrderingKey: (orderingKey: string) => Promise<readonly Unsent[]>;
  /**
   * The ordering keys of which something is due that nobody is at. Also what this replica has held for so long that it must have
   * failed at it, or has never heard that it was written down.
   */
  readonly dueOrderingKeys: () => Promise<readonly string[]>;
  /** It got out, or never will. */
  readonly acknowledge: (key: string) => Promise<void>;
  /** It could not be sent, and is tried again by whoever lives then. */
  readonly retryLater: (key: string, nextAt: number, maybeDelivered: boolean) => Promise<void>;
  /** What this replica did not get to is free for all. */
  readonly releaseMessages: (keys: readonly string[]) => Promise<void>;
  readonly unsent: () => Promise<readonly Unsent[]>;
}

/** To send what is this replica's own takes less, in milliseconds. */
const forgotten = 60_000;

export function outbox(store: Store, replica: string, now: () => number): OutboxStore {
  const { durable, quick } = store;

  return {
    post: async (messages) => {
      await insertMessages(quick, messages, replica, now());
    },

    claimOrderingKey: async (orderingKey) => {
      const rows = await oneByOne(store, quick, `outbox ${orderingKey}`, (database) =>
        database
          .updateTable('outbox')
          .set({ held_by: replica })
          .where('ordering_key', '=', orderingKey)
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('outbox as other')
                  .select('other.id')
                  .where('other.ordering_key', '=', orderingKey)
                  .where(({ eb, or }) =>
                    or([eb('other.held_by', '!=', replica), eb('other.next_at', '>', now())]),
                  ),
              ),
            ),
          )
          .returningAll()
          .execute(),
      );
      return rows.toSorted((one, other) => one.id - other.id).map(read);
    },

    dueOrderingKeys: async () => {
      const rows = await quick
        .selectFrom('outbox')
        .select('ordering_key')
        .distinct()
        .where('next_at', '<=', now())
        .where(({ eb, and, or }) =>
          or([
            eb('held_by', 'is', null),
            and([eb('held_by', '=', replica), eb('next_at', '<=', now() - forgotten)]),
          ]),
        )
        .execute();
      return rows.map((row) => row.ordering_key);
    },

    acknowledge: async (key) => {
      await quick.deleteFrom('outbox').where('key', '=', key).execute();
    },

    retryLater: async (key, nextAt, maybeDelivered) => {
      await quick
        .updateTable('outbox')
        .set(({ eb }) => ({
          tries: eb('tries', '+', 1),
          maybe_delivered: maybeDelivered ? 1 : 0,
          next_at: nextAt,
          held_by: null,
        }))
        .where('key', '=', key)
        .execute();
    },

    releaseMessages: async (keys) => {
      if (keys.length === 0) return;
      await quick
        .updateTable('outbox')
        .set({ held_by: null })
        .where('key', 'in', keys)
        .where('held_by', '=', replica)
        .execute();
    },

    unsent: async () => (await durable.selectFrom('outbox').selectAll().orderBy('id').execute()).map(read),
  };
}

/** Writes messages down in a transaction. Without a replica nobody holds them: whoever looks next sends them. */
export async function insertMessages(
  database: Database,
  messages: readonly ToSend[],
  replica: string | null,
  now: number,
): Promise<void> {
  if (messages.length === 0) return;
  await database
    .insertInto('outbox')
    .values(messageRows(messages, replica, now))
    .execute();
}

export const messageRows = (
  messages: readonly ToSend[],
  replica: string | null,
  now: number,
): Insertable<OutboxTable>[] =>
  messages.map(({ key, action, kind, orderingKey, content }) => ({
    ...{ key, kind, ordering_key: orderingKey, action: action ?? null },
    content_json: JSON.stringify(content),
    created_at: now,
    tries: 0,
    maybe_delivered: 0,
    next_at: now,
    held_by: replica,
  }));

function read(row: Selectable<OutboxTable>): Unsent {
  return {
    key: row.key,
    action: row.action ?? undefined,
    kind: row.kind,
    orderingKey: row.ordering_key,
    content: parsed(row.content_json),
    createdAt: row.created_at,
    tries: row.tries,
    isMaybeDelivered: row.maybe_delivered === 1,
  };
}
