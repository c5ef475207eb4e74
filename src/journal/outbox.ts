import type { Selectable } from 'kysely';
import type { Database, Store } from './database.ts';
import type { Json } from './json.ts';
import type { OutboxTable } from './tables.ts';

/** Something that people are to be told. */
export interface ToSend {
  /** Nobody else's; goes out with the message, so that it can be found again. */
  readonly key: string;
  readonly action?: string | undefined;
  /** What `content` holds; the journal only remembers both. */
  readonly kind: string;
  /** What goes out in order: the messages of one card, or to one person. */
  readonly lane: string;
  readonly content: Json;
}

/** What waits to go out. */
export interface Unsent extends ToSend {
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** How often it could not be sent. */
  readonly tries: number;
  /** It may have got out, with an earlier try or right before a crash: to be looked for before it is sent again. */
  readonly isInDoubt: boolean;
}

/** What is to be said, until it is known to have been said. */
export interface Outbox {
  /** Writes it down, to be sent by this replica now. Resolves to those whose turn it is: the others wait behind earlier ones. */
  readonly post: (messages: readonly ToSend[]) => Promise<readonly ToSend[]>;
  /** It got out, or never will. */
  readonly forget: (key: string) => Promise<void>;
  /** It could not be sent, and is tried again by whoever lives then. */
  readonly putOff: (key: string, nextAt: number, inDoubt: boolean) => Promise<void>;
  /** Claims what is due: of each lane the first. */
  readonly claimDue: () => Promise<readonly Unsent[]>;
  readonly unsent: () => Promise<readonly Unsent[]>;
}

export function outbox(store: Store, replica: string, now: () => number): Outbox {
  const { durable, quick } = store;
  return {
    post: async (messages) =>
      quick.transaction().execute((transaction) => insertMessages(transaction, messages, replica, now())),

    forget: async (key) => {
      await quick.deleteFrom('outbox').where('key', '=', key).execute();
    },

    putOff: async (key, nextAt, inDoubt) => {
      await quick
        .updateTable('outbox')
        .set(({ eb }) => ({
          tries: eb('tries', '+', 1),
          in_doubt: inDoubt ? 1 : 0,
          next_at: nextAt,
          held_by: null,
        }))
        .where('key', '=', key)
        .execute();
    },

    claimDue: async () => {
      const due = quick
        .selectFrom('outbox as due')
        .select('due.id')
        .where('due.held_by', 'is', null)
        .where('due.next_at', '<=', now())
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('outbox as earlier')
                .select('earlier.id')
                .whereRef('earlier.lane', '=', 'due.lane')
                .whereRef('earlier.id', '<', 'due.id'),
            ),
          ),
        );
      const rows = await quick
        .updateTable('outbox')
        .set({ held_by: replica })
        .where('id', 'in', store.claiming(due))
        .returningAll()
        .execute();
      return rows.toSorted((one, other) => one.id - other.id).map(read);
    },

    unsent: async () => (await durable.selectFrom('outbox').selectAll().orderBy('id').execute()).map(read),
  };
}

/**
 * Writes messages down in a transaction; those whose lane is free are held by this replica, and returned. Without a
 * replica nobody holds them: whoever looks next sends them.
 */
export async function insertMessages(
  database: Database,
  messages: readonly ToSend[],
  replica: string | null,
  now: number,
): Promise<readonly ToSend[]> {
  if (messages.length === 0) return [];
  const lanes = [...new Set(messages.map(({ lane }) => lane))];
  const taken = await database.selectFrom('outbox').select('lane').where('lane', 'in', lanes).execute();
  const crowded = new Set(taken.map(({ lane }) => lane));
  await database
    .insertInto('outbox')
    .values(
      messages.map(({ key, action, kind, lane, content }) => ({
        ...{ key, kind, lane, action: action ?? null },
        content_json: JSON.stringify(content),
        created_at: now,
        tries: 0,
        in_doubt: 0,
        next_at: now,
        held_by: crowded.has(lane) ? null : replica,
      })),
    )
    .execute();
  return messages.filter(({ lane }) => !crowded.has(lane));
}

function read(row: Selectable<OutboxTable>): Unsent {
  return {
    key: row.key,
    action: row.action ?? undefined,
    kind: row.kind,
    lane: row.lane,
    content: JSON.parse(row.content_json),
    createdAt: row.created_at,
    tries: row.tries,
    isInDoubt: row.in_doubt === 1,
  };
}
