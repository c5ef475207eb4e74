import type { AliasableExpression, Compilable, Expression, Insertable, Kysely } from 'kysely';
import type { Tables } from './tables.ts';

export type Database = Kysely<Tables>;

/** Where the journal is kept: an SQLite file that belongs to one process, or a PostgreSQL that replicas share. */
export interface Store {
  /** What is written here outlives a power cut, for which it waits until it is on disk. */
  readonly durable: Database;
  /** What is written here outlives a crash of ours. */
  readonly quick: Database;
  /** Whether other replicas may work on it at the same time. */
  readonly isShared: boolean;
  /** A list as one parameter: the statement is the same for a list of any size, and the size has no limit. */
  readonly among: <Key extends number | string>(keys: readonly Key[]) => Expression<Key>;
  /** Leaves out the rows that another replica is claiming at this moment, and keeps others from claiming these. */
  readonly claiming: <Query extends Claimable>(query: Query) => Query;
  /**
   * Runs one task at a time for a key, on all replicas together. Resolves to undefined, without having run it, when others
   * were at it for longer than `timeout` milliseconds.
   */
  readonly exclusively: <Value>(
    key: string,
    timeout: number,
    task: () => Promise<Value>,
  ) => Promise<{ readonly value: Value } | undefined>;
  /**
   * Writes a batch: all of it or nothing. Resolves to what its swaps return, and to undefined where something does not hold.
   * `durable` outlives a power cut, `quick` a crash of ours.
   */
  readonly write: <Row>(level: 'durable' | 'quick', batch: Batch<Row>) => Promise<readonly Row[] | undefined>;
  /** Held until the end of the transaction, so that one transaction at a time passes here. */
  readonly inTurn: (transaction: Database, key: string) => Promise<void>;
  /** What time it is by the database's clock, in milliseconds since the epoch. */
  readonly clock: AliasableExpression<number>;
  /**
   * Whoever has not shown itself since it had so many beats is none of the replicas any more, and those of its sessions end
   * that have locked anything.
   */
  readonly evict: (replica: string, beats: number) => Promise<void>;
  /** Brings the tables up to date. Of several replicas that do it at once, one does and the others wait for it. */
  readonly migrate: () => Promise<void>;
  /** Writes, and leaves everything as it was: rejects with `JournalUnavailable` while nothing can be written. */
  readonly probe: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What is written together. Two parts of it must not change the same row. */
export interface Batch<Row> {
  /** Reads of rows that must be there, and stay as they are until this is written. */
  readonly if?: readonly Condition<unknown>[];
  /** Changes that return what they have changed. */
  readonly swap?: readonly Condition<Row>[];
  /** Changes of however many rows. */
  readonly sweep?: readonly Compilable[];
  readonly add?: Added;
}

/** Something that must hit so many rows, or any. */
export interface Condition<Row> {
  readonly query: Compilable<Row>;
  readonly hits?: number;
}

/** New rows, by their table. */
export type Added = { readonly [Table in keyof Tables]?: readonly Insertable<Tables[Table]>[] };

interface Claimable {
  readonly forUpdate: () => { readonly skipLocked: () => unknown };
}

/** A statement that changes nothing still takes the lock of all who write: what seldom has something to change asks this first. */
export const findsAny = async (rows: Question): Promise<boolean> =>
  (await rows.limit(1).executeTakeFirst()) !== undefined;

interface Question {
  readonly limit: (most: number) => { readonly executeTakeFirst: () => Promise<unknown> };
}
