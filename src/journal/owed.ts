import { type Selectable, sql } from 'kysely';
import type { Database, OwedTable } from './database.ts';

/** Something that has to be applied before it takes effect. */
export interface ToOwe {
  readonly appliance: string;
  /** What has to be applied: `acl`, `ssl`, `filter`, `category:252` … The journal only remembers it. */
  readonly what: string;
  /** The id of the action that changed it, whose thread is told when it is live. */
  readonly action: string;
}

export interface Owed extends ToOwe {
  readonly id: number;
  /** `applying`: its burst has been claimed, and the appliance is, or is about to be, asked to apply it. */
  readonly state: OwedTable['state'];
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** How often it could not be applied, and why the last time. */
  readonly attempts: number;
  readonly lastProblem: string | undefined;
}

/** Something that was applied, and since when (milliseconds since the epoch). */
export interface Live extends Owed {
  readonly liveAt: number;
}

/** The applies that appliances are owed (design, rule 8). All lists begin with the oldest, all of it outlives a power cut. */
export interface OwedApplies {
  readonly owe: (debt: ToOwe) => Promise<Owed>;
  /** Everything that is not live yet, claimed or not: of one appliance, or of all. */
  readonly owed: (appliance?: string) => Promise<readonly Owed[]>;
  /**
   * Claims all that the appliance is owed and nobody has claimed yet: one burst, for one apply. Of several who ask at
   * once, one gets it and the others get nothing. What is owed from now on is left for the next. With `ids`, only these.
   */
  readonly startApply: (appliance: string, ids?: readonly number[]) => Promise<readonly Owed[]>;
  /** The burst is live since `at`. Forgets it, and returns what it was: whose threads are to be told, and of what. */
  readonly settleApply: (ids: readonly number[], at: number) => Promise<readonly Live[]>;
  /** The burst could not be applied: it is owed again, as returned, with one attempt more and the problem. */
  readonly failApply: (ids: readonly number[], problem: string) => Promise<readonly Owed[]>;
  /**
   * What a crash left claimed is owed again, as returned: nobody knows whether it was applied. To be called at the
   * start, before anything is claimed.
   */
  readonly resumeApplies: () => Promise<readonly Owed[]>;
}

export function owedApplies(durable: Database, now: () => number): OwedApplies {
  const select = () => durable.selectFrom('owed').selectAll().orderBy('id');
  const update = () => durable.updateTable('owed').returningAll();

  return {
    owe: async ({ appliance, what, action }) =>
      read(
        await durable
          .insertInto('owed')
          .values({
            state: 'owed',
            appliance,
            what,
            action,
            since: now(),
            attempts: 0,
            last_problem: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow(),
      ),

    owed: async (appliance) => {
      const query = appliance === undefined ? select() : select().where('appliance', '=', appliance);
      return (await query.execute()).map(read);
    },

    startApply: async (appliance, ids) =>
      oldestFirst(
        await update()
          .set({ state: 'applying' })
          .where('appliance', '=', appliance)
          .where('state', '=', 'owed')
          .$if(ids !== undefined, (query) => query.where('id', 'in', among(ids ?? [])))
          .execute(),
      ),

    settleApply: async (ids, at) => {
      const settled = await durable
        .deleteFrom('owed')
        .where('id', 'in', among(ids))
        .where('state', '=', 'applying')
        .returningAll()
        .execute();
      return oldestFirst(settled).map((row) => ({ ...row, liveAt: at }));
    },

    failApply: async (ids, problem) =>
      oldestFirst(
        await update()
          .set(({ eb }) => ({ state: 'owed', attempts: eb('attempts', '+', 1), last_problem: problem }))
          .where('id', 'in', among(ids))
          .where('state', '=', 'applying')
          .execute(),
      ),

    resumeApplies: async () =>
      oldestFirst(await update().set({ state: 'owed' }).where('state', '=', 'applying').execute()),
  };
}

/** A list as one parameter: the statement is the same for a burst of any size, and the size has no limit. */
const among = (ids: readonly number[]) => sql<number>`(select value from json_each(${JSON.stringify(ids)}))`;

/** SQLite returns changed rows in any order. */
const oldestFirst = (rows: readonly Selectable<OwedTable>[]): readonly Owed[] =>
  rows.toSorted((one, other) => one.id - other.id).map(read);

function read(row: Selectable<OwedTable>): Owed {
  return {
    id: row.id,
    state: row.state,
    appliance: row.appliance,
    what: row.what,
    action: row.action,
    since: row.since,
    attempts: row.attempts,
    lastProblem: row.last_problem ?? undefined,
  };
}
