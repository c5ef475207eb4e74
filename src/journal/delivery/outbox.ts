import type { Expression, Insertable, Selectable, SqlBool } from 'kysely';
import { claimsOn, freed } from '../claims.ts';
import type { Database, Store } from '../database.ts';
import { type Json, parsed } from '../json.ts';
import type { OutboxTable } from '../tables.ts';
import type { Tidying } from './tidying.ts';

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
  /** Nobody waits for it: it goes out behind what people do now. */
  readonly background?: true | undefined;
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
  /** The same of what nobody but the journal would know after a crash: rejects where it cannot be written down now. */
  readonly postWritten: (messages: readonly ToSend[]) => Promise<void>;
  /**
   * Claims the first of one ordering key, in the order in which it was written: so many as one may have at hand. Nothing,
   * where another replica is at it, or the first of it was put off until later.
   */
  readonly claimOrderingKey: (orderingKey: string) => Promise<readonly Unsent[]>;
  /**
   * Ordering keys of which something is due that nobody is at: at most so many, those first that were
   * written first. Also what this replica has held for so long that it must have failed at it, or has never heard that it was
   * written down.
   */
  readonly dueOrderingKeys: (most: number, which: 'awaited' | 'background') => Promise<readonly string[]>;
  /** It got out, or never will. Written in a moment, together with others. */
  readonly acknowledge: (key: string) => Promise<void>;
  /** It could not be sent, and is tried again by whoever lives then. */
  readonly retryLater: (key: string, nextAt: number, maybeDelivered: boolean) => Promise<void>;
  /** What this replica did not get to is free for all. */
  readonly releaseMessages: (keys: readonly string[]) => Promise<void>;
  readonly unsent: () => Promise<readonly Unsent[]>;
}

/** So many messages of one ordering key are at hand at a time. */
const mostClaimed = 20;

export function outbox(
  store: Store,
  replica: string,
  now: () => number,
  tidying: Pick<Tidying, 'sent' | 'flush'>,
): OutboxStore {
  const { durable, quick } = store;
  const claims = claimsOn('outbox', store, replica, now);

  const post = (messages: readonly ToSend[]) => insertMessages(quick, messages, replica, now());

  return {
    post,
    postWritten: post,

    claimOrderingKey: async (orderingKey) => {
      // What has got out is not taken for what has not.
      await tidying.flush();
      // None of them overtakes one that another replica is at, or that is tried later.
      const rows = await claims.claimGroup(
        ({ eb }) => eb('ordering_key', '=', orderingKey),
        ({ and, or }) => and([or([claims.isFree(), claims.isMine()]), claims.isDue()]),
        mostClaimed,
      );
      return rows.map(read);
    },

    dueOrderingKeys: async (most, which) => {
      // One after the other: for each there is an index.
      const due = (left: () => Expression<SqlBool>) =>
        quick
          .selectFrom('outbox')
          .select('ordering_key')
          .where('background', '=', which === 'background' ? 1 : 0)
          .where(left)
          .where(claims.isDue())
          // What comes after the first of a key waits with it, and takes nobody's place here.
          .where(claims.isFirst('ordering_key'))
          .orderBy('id')
          .limit(most)
          .execute();
      const rows = [...(await due(claims.isFree)), ...(await due(claims.isForgotten))];
      return [...new Set(rows.map((row) => row.ordering_key))];
    },

    acknowledge: async (key) => tidying.sent(key),
    retryLater: async (key, nextAt, maybeDelivered) => {
      await claims.retryLater([key], nextAt, { maybe_delivered: maybeDelivered ? 1 : 0 });
    },
    releaseMessages: claims.free,

    unsent: async () => {
      await tidying.flush();
      return (await durable.selectFrom('outbox').selectAll().orderBy('id').execute()).map(read);
    },
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
  messages.map(({ key, action, kind, orderingKey, content, background }) => ({
    ...{ key, kind, ordering_key: orderingKey, action: action ?? null },
    content_json: JSON.stringify(content),
    created_at: now,
    maybe_delivered: 0,
    ...(replica === null ? freed : { held_by: replica, held_since: now }),
    ...{ tries: 0, next_try_at: now },
    background: background === true ? 1 : 0,
  }));

function read(row: Selectable<OutboxTable>): Unsent {
  return {
    key: row.key,
    action: row.action ?? undefined,
    kind: row.kind,
    orderingKey: row.ordering_key,
    content: parsed(row.content_json),
    background: row.background === 1 ? true : undefined,
    createdAt: row.created_at,
    tries: row.tries,
    isMaybeDelivered: row.maybe_delivered === 1,
  };
}
