/**
 * One way to claim, for every table whose rows replicas work on. A row goes to one of them, which holds it in its own name
 * until it is done, is given back, or is to be tried again later. A hold ends with its holder: no clock of another machine
 * decides it, but where `lapse` says so. What this replica itself has held for a minute it may have forgotten.
 */

import {
  type Compilable,
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type Kysely,
  type Selectable,
  type SqlBool,
  sql,
  type Updateable,
} from 'kysely';
import { type Added, findsAny, type Store } from './database.ts';
import type { HeldColumns, RetriedColumns, Tables } from './tables.ts';

export type ClaimedTable = {
  [Name in keyof Tables]: Tables[Name] extends HeldColumns ? Name : never;
}[keyof Tables];

interface AnyDeclaration {
  readonly key: string;
  readonly order: string;
  /** Whether its claims outlive a power cut (`Store`). */
  readonly face: 'durable' | 'quick';
  readonly orphaned?: object;
  /** After so many milliseconds a row is free although its holder lives: it must be brought to an end, and that one may hang. */
  readonly lapse?: number;
}

interface Declaration<Table extends ClaimedTable> extends AnyDeclaration {
  /** What a row is known by, and by what the oldest is first. */
  readonly key: string & keyof Tables[Table];
  readonly order: string & keyof Tables[Table];
  /** What nobody knows any more of a row whose holder is gone. */
  readonly orphaned?: Updateable<Tables[Table]>;
  /** In milliseconds: the pause after the first failure, and the longest. */
  readonly backoff?: { readonly first: number; readonly longest: number };
}

const minute = 60_000;

/** Every table that has the columns is one. */
export const claimed = {
  outbox: {
    ...{ key: 'key', order: 'id', face: 'quick' },
    orphaned: { maybe_delivered: 1, next_try_at: 0 },
    backoff: { first: 2_000, longest: minute },
  },
  webhooks: {
    ...{ key: 'id', order: 'id', face: 'quick' },
    orphaned: { next_try_at: 0 },
    backoff: { first: 5_000, longest: 60 * minute },
  },
  pending_applies: {
    ...{ key: 'id', order: 'id', face: 'durable' },
    backoff: { first: minute, longest: 15 * minute },
  },
  timed_changes: {
    ...{ key: 'id', order: 'id', face: 'durable' },
    lapse: 5 * minute,
    backoff: { first: minute, longest: 60 * minute },
  },
  watches: { key: 'id', order: 'id', face: 'durable', lapse: 5 * minute },
  workflow_steps: { key: 'execution', order: 'created_at', face: 'durable' },
  tokens: { key: 'token', order: 'id', face: 'durable' },
  deliveries: { key: 'key', order: 'at', face: 'quick' },
  actions: { key: 'id', order: 'asked_seq', face: 'durable' },
} as const satisfies { readonly [Table in ClaimedTable]: Declaration<Table> };

/** How long to wait after the first failure, the second …: twice as long each time, in milliseconds. */
export function pauseAfter(
  failures: number,
  table: 'outbox' | 'webhooks' | 'pending_applies' | 'timed_changes',
): number {
  const { first, longest } = claimed[table].backoff;
  return Math.min(first * 2 ** (failures - 1), longest);
}

/** So many rows of what was left are at hand at a time, however many there are. */
export const piece = 100;

/** For so many milliseconds nobody is at what they hold without moving it on. */
const forgotten = minute;

type Row<Table extends ClaimedTable> = Selectable<Tables[Table]>;
type Columns<Table extends ClaimedTable> = Updateable<Tables[Table]>;
type Key<Table extends ClaimedTable> = (number | string) &
  Row<Table>[keyof Row<Table> & (typeof claimed)[Table]['key']];
/** A condition of a claim's own. */
type Which<Table extends ClaimedTable> = (eb: ExpressionBuilder<Tables, Table>) => Expression<SqlBool>;

interface Also<Table extends ClaimedTable> {
  /** Only those of which this is true. */
  readonly only?: Which<Table>;
  readonly changes?: Columns<Table>;
}

/** What replicas do with the rows of one table. Lists of rows begin with the oldest. */
export interface Claims<Table extends ClaimedTable> {
  /** What stands in a row that this replica holds from now on. */
  readonly held: () => HeldColumns;
  /** Whether anybody may take a row, this one holds it, may have forgotten that it does, and whether it is due. */
  readonly isFree: () => Expression<SqlBool>;
  readonly isMine: () => Expression<SqlBool>;
  readonly isForgotten: () => Expression<SqlBool>;
  readonly isDue: () => Expression<SqlBool>;
  /**
   * Whether a row is the first of those with the same value in a column. All rows are gone through once, however many one value has:
   * asked of each row whether there is an earlier one, PostgreSQL compares each with each.
   */
  readonly isFirst: (column: string & keyof Tables[Table]) => Expression<SqlBool>;
  /** Claims these: of several replicas that do it at once, each row goes to one. */
  readonly claim: (which: Which<Table>, changes?: Columns<Table>) => Promise<readonly Row<Table>[]>;
  /** Claims a group, or nothing of it where one of its rows may not be claimed or others are at it this moment. */
  readonly claimGroup: (
    group: Which<Table>,
    may: Which<Table>,
    /** No more than so many of it, the oldest. */
    most?: number,
  ) => Promise<readonly Row<Table>[]>;
  /** Gives back what this replica still holds of these. */
  readonly free: (keys: readonly Key<Table>[], also?: Also<Table>) => Promise<void>;
  /** What this replica still holds of these did not work: whoever lives then tries it again. */
  readonly retryLater: (
    keys: readonly Key<Table>[],
    nextTryAt: number,
    changes?: Columns<Table>,
  ) => Promise<void>;
  /** These are done, and gone. */
  readonly finish: (keys: readonly Key<Table>[]) => Promise<void>;
  /** The same as parts of a batch, which return the rows. */
  readonly freeing: (keys: readonly Key<Table>[], changes?: Columns<Table>) => Compilable<Row<Table>>;
  readonly retrying: (
    keys: readonly Key<Table>[],
    nextTryAt: number,
    also?: Also<Table>,
  ) => Compilable<Row<Table>>;
  readonly finishing: (keys: readonly Key<Table>[]) => Compilable;
  /**
   * What was held by those that are gone is free for all, or this replica's; of several that do it at once, for one. No more
   * than a piece at a time: how much was left, nobody knows before.
   */
  readonly freeOrphans: () => Promise<readonly Row<Table>[]>;
  /**
   * Frees a piece of what was held by those that are gone, with what is made of it: all of it or nothing. Of several replicas that
   * find it at once, one does. The oldest come first; `add` may be asked more than once. Resolves to what it was asked last.
   */
  readonly freeOrphansWith: <Made>(
    add: (rows: readonly Row<Table>[]) => Promise<{ readonly made: Made; readonly added: Added }>,
    changes?: Columns<Table>,
  ) => Promise<Made | undefined>;
  readonly adoptOrphans: (most?: number) => Promise<readonly Row<Table>[]>;
}

/** What stands in a row that nobody holds. */
export const freed: HeldColumns = { held_by: null, held_since: null };

/** A range, which an index is good for; whoever holds something has a name. */
const isOrphaned = (replica: string) =>
  sql<SqlBool>`held_by >= '' and held_by != ${replica} and held_by not in (select id from replicas)`;

/** Those of the tables in which something is held by a replica that is gone: one question, for what is seldom so. */
export async function orphanedAmong<Table extends ClaimedTable>(
  tables: readonly Table[],
  { quick }: Store,
  replica: string,
): Promise<readonly Table[]> {
  const each = tables.map(
    (table) => sql`select ${sql.lit(table)} as name
      where exists (select * from ${sql.table(table)} where ${isOrphaned(replica)})`,
  );
  const { rows } = await sql<{ name: Table }>`${sql.join(each, sql` union all `)}`.execute(quick);
  return rows.map(({ name }) => name);
}

/** Any of these tables, for Kysely: which one it is, only the types of those who ask know. */
type Any = Kysely<{ readonly any: RetriedColumns & Record<string, string | number | null> }>;

export function claimsOn<Table extends ClaimedTable>(
  table: Table,
  store: Store,
  replica: string,
  now: () => number,
): Claims<Table> {
  const { key, order, face, orphaned = {}, lapse }: AnyDeclaration = claimed[table];
  const always = () => sql<SqlBool>`true`;
  const isMine = sql<SqlBool>`held_by = ${replica}`;
  const held = () => ({ held_by: replica, held_since: now() });

  const any = store[face] as unknown as Any;
  const update = (changes: object) => any.updateTable(table as 'any').set(changes);
  const among = (keys: readonly Key<Table>[]) => sql<SqlBool>`${sql.ref(key)} in ${store.among(keys)}`;
  const conditionOf = (which: Which<Table>) => which(expressionBuilder<Tables, Table>());

  /** Leaves what others are claiming at this moment to them: two that waited for each other would both fail. */
  const claimThose = async (which: Expression<SqlBool>, changes: object, most?: number) => {
    const those = any
      .selectFrom(table as 'any')
      .select(sql.ref<string>(key).as('key'))
      .where(which)
      .$if(most !== undefined, (query) => query.limit(most ?? 0));
    if (!(await findsAny(those))) return [];
    return changed(update(changes).where(sql.ref<string>(key), 'in', store.claiming(those)));
  };

  /** Changed rows are returned in any order. */
  const inOrder = (rows: readonly Row<Table>[]) =>
    rows.toSorted((one, other) => Number(Reflect.get(one, order)) - Number(Reflect.get(other, order)));

  const changed = async (changing: ReturnType<typeof update>): Promise<readonly Row<Table>[]> =>
    inOrder((await changing.returningAll().execute()) as unknown as Row<Table>[]);

  const returned = (changing: ReturnType<typeof update>) =>
    changing.returningAll() as unknown as Compilable<Row<Table>>;
  const mine = (keys: readonly Key<Table>[], changes: object, only: Which<Table> = always) =>
    update(changes).where(among(keys)).where(isMine).where(conditionOf(only));
  const later = (nextTryAt: number, changes: object) => ({
    ...changes,
    ...freed,
    tries: sql`tries + 1`,
    next_try_at: nextTryAt,
  });
  const finishing = (keys: readonly Key<Table>[]) => any.deleteFrom(table as 'any').where(among(keys));

  return {
    held,
    isFree: () => {
      const isNobodys = sql<SqlBool>`held_by is null`;
      return lapse === undefined ? isNobodys : sql`(${isNobodys} or held_since <= ${now() - lapse})`;
    },
    isMine: () => isMine,
    isForgotten: () => sql<SqlBool>`(held_by = ${replica} and held_since <= ${now() - forgotten})`,
    isDue: () => sql<SqlBool>`next_try_at <= ${now()}`,
    isFirst: (column) =>
      sql<SqlBool>`${sql.ref(order)} in (select min(${sql.ref(order)}) from ${sql.table(table)} group by ${sql.ref(column)})`,

    claim: (which, changes = {}) => claimThose(conditionOf(which), { ...changes, ...held() }),

    claimGroup: async (group, may, most) => {
      const anyRows = any.selectFrom(table as 'any');
      const whole = anyRows.where(conditionOf(group));
      const first = whole
        .select(sql.ref<string>(key).as('key'))
        .orderBy(sql.ref(order))
        .limit(most ?? 0);
      const all = most === undefined ? whole : anyRows.where(sql.ref<string>(key), 'in', first);
      // What was changed since is looked at again as it is locked, and what is locked by others is missing here.
      const taken = store.claiming(all.where(conditionOf(may)).select(sql.ref<string>(key).as('key')));
      const { rows } = await sql<Row<Table>>`with taken as materialized ${taken}
        update ${sql.table(table)} set held_by = ${replica}, held_since = ${now()}
        where ${sql.ref(key)} in (select key from taken)
        and (select count(*) from taken) = ${all.select(sql`count(*)`.as('count'))}
        returning *`.execute(store[face]);
      return inOrder(rows);
    },

    free: async (keys, { changes = {}, only = always } = {}) => {
      if (keys.length > 0) await mine(keys, { ...changes, ...freed }, only).execute();
    },
    retryLater: async (keys, nextTryAt, changes = {}) => {
      if (keys.length > 0) await mine(keys, later(nextTryAt, changes)).execute();
    },
    finish: async (keys) => {
      if (keys.length > 0) await finishing(keys).execute();
    },

    freeing: (keys, changes = {}) => returned(mine(keys, { ...changes, ...freed })),
    retrying: (keys, nextTryAt, { changes = {}, only = always } = {}) =>
      returned(mine(keys, later(nextTryAt, changes), only)),
    finishing,

    freeOrphansWith: async (add, changes = {}) => {
      const orphans = any
        .selectFrom(table as 'any')
        .selectAll()
        .where(isOrphaned(replica))
        .limit(piece);
      for (;;) {
        const rows = inOrder((await orphans.execute()) as unknown as Row<Table>[]);
        if (rows.length === 0) return undefined;
        const { made, added } = await add(rows);
        const keys = rows.map((row) => Reflect.get(row, key) as Key<Table>);
        const query = update({ ...orphaned, ...changes, ...freed })
          .where(among(keys))
          .where(isOrphaned(replica))
          .returning(sql.ref<string>(key).as('key'));
        const batch = { swap: [{ query, hits: keys.length }], add: added };
        if ((await store.write(face, batch)) !== undefined) return made;
      }
    },
    freeOrphans: () => claimThose(isOrphaned(replica), { ...orphaned, ...freed }, piece),
    adoptOrphans: (most = piece) => claimThose(isOrphaned(replica), { ...orphaned, ...held() }, most),
  };
}
