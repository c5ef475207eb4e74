import { claimsOn, freed } from '../claims.ts';
import type { Store } from '../database.ts';
import type { WebhookStore } from '../delivery/webhooks.ts';
import { type EndRecord, endRow, failRow } from './end-row.ts';
import { type Started, startRows } from './start-rows.ts';
import {
  type Ended,
  type Extension,
  extensionsIn,
  type Left,
  type NewTimedChange,
  notOver,
  readOne,
  readTimedChange,
  type TimedChangeRow,
} from './timed-change-row.ts';

/**
 * What must not last, and when it must end. One at a time of a subject on an appliance; every change is a compare-and-swap, and
 * outlives a power cut. What is claimed is taken up by nobody else before its holder is gone, or for five minutes.
 */
export interface TimedChangeStore {
  /** To be written before the order leaves: all of them, or none where there is one of its subject already, which will end it. */
  readonly startTimedChanges: (all: readonly NewTimedChange[]) => Promise<Started>;
  /** The one of a subject that is not over on this appliance. */
  readonly timedChange: (appliance: string, subject: string) => Promise<TimedChangeRow | undefined>;
  /** Those of an action, over or not. */
  readonly timedChangesOf: (action: string) => Promise<readonly TimedChangeRow[]>;
  /** What was temporary until that action took it back. */
  readonly timedChangesEndedBy: (action: string) => Promise<readonly TimedChangeRow[]>;
  /** All that are not over. */
  readonly timedChanges: () => Promise<readonly TimedChangeRow[]>;
  /** What it is for certainly did not begin: there is nothing to end, and nothing to tell. */
  readonly voidTimedChange: (action: string, appliance: string) => Promise<void>;
  readonly sawTimedChange: (id: number) => Promise<void>;
  /** How it is taken back, now that it was made, or that what it is to take back is less or more: what it has left is to be seen anew. */
  readonly undoesTimedChange: (id: number, undoLine: string) => Promise<void>;
  /** What it has left, as it was seen first: what was written before stays. */
  readonly leftByTimedChange: (id: number, left: Left) => Promise<void>;
  /** False when it has ended, or has got another end meanwhile. */
  readonly extendTimedChange: (id: number, from: number, extension: Extension) => Promise<boolean>;
  /** Its time is over before its end: somebody has ordered it to end, and nobody has seen yet that it did. */
  readonly cutTimedChange: (id: number) => Promise<TimedChangeRow | undefined>;
  /** What is to end there is tried again now. */
  readonly expediteTimedChanges: (appliance: string) => Promise<void>;
  /** Claims those that end within so many milliseconds and of whose end nobody has been reminded. */
  readonly claimReminders: (ahead: number) => Promise<readonly TimedChangeRow[]>;
  /** Everybody has been reminded of that end, in that message or in person. */
  readonly reminded: (id: number, endsAt: number, message: string | undefined) => Promise<void>;
  /**
   * Claims those whose time is over, and that are due to be tried: they are `ending` from now on. Those that another replica
   * is about to begin are left to it.
   */
  readonly claimEnds: () => Promise<readonly TimedChangeRow[]>;
  /** It is about to be ordered to end. False when it is over by now, or another replica has claimed it. */
  readonly orderTimedEnd: (id: number) => Promise<boolean>;
  /** Whoever is at their ends gets on with that, however long it takes: they stay theirs for as long again. */
  readonly timedEndsGoOn: (ids: readonly number[]) => Promise<void>;
  /** It could not be ended, and is tried again. Undefined when it is over by now. */
  readonly failTimedEnd: (
    id: number,
    problem: string,
    nextTryAt: number,
    record?: EndRecord,
  ) => Promise<TimedChangeRow | undefined>;
  /** It is over: for one of several who say so. */
  readonly endTimedChange: (
    id: number,
    ended: Omit<Ended, 'at'>,
    record?: EndRecord,
  ) => Promise<TimedChangeRow | undefined>;
  /** Claims those that are over and not reported. */
  readonly claimReports: () => Promise<readonly TimedChangeRow[]>;
  readonly placedReport: (id: number, message: string) => Promise<void>;
  readonly reported: (id: number) => Promise<void>;
}

/** No order is on its way for longer, in milliseconds. */
const onItsWay = 5 * 60_000;

export function timedChangeStore(
  store: Store,
  replica: string,
  now: () => number,
  announced: WebhookStore['announced'] = { changes: 'none' },
): TimedChangeStore {
  const { durable } = store;
  const claims = claimsOn('timed_changes', store, replica, now);
  const select = () => durable.selectFrom('timed_changes').selectAll().orderBy('id');
  const update = () => durable.updateTable('timed_changes');
  const writer = () => ({ replica, now, announced: announced.changes });

  return {
    startTimedChanges: (all) => startRows(store, all, now()),

    timedChange: async (appliance, subject) =>
      readOne(
        await select()
          .where('appliance', '=', appliance)
          .where('subject', '=', subject)
          .where('state', 'in', notOver)
          .executeTakeFirst(),
      ),
    timedChangesOf: async (action) =>
      (await select().where('action', '=', action).execute()).map(readTimedChange),
    timedChangesEndedBy: async (action) =>
      (await select().where('ended_by', '=', action).execute()).map(readTimedChange),
    timedChanges: async () => (await select().where('state', 'in', notOver).execute()).map(readTimedChange),

    voidTimedChange: async (action, appliance) => {
      await durable
        .deleteFrom('timed_changes')
        .where('action', '=', action)
        .where('appliance', '=', appliance)
        .where('state', '=', 'on')
        .execute();
    },

    sawTimedChange: async (id) => {
      await update().set({ seen: 1 }).where('id', '=', id).execute();
    },

    undoesTimedChange: async (id, undoLine) => {
      await update().set({ undo_line: undoLine, left_json: null }).where('id', '=', id).execute();
    },

    leftByTimedChange: async (id, left) => {
      await update()
        .set({ left_json: JSON.stringify(left), seen: 1 })
        .where('id', '=', id)
        .where('left_json', 'is', null)
        .execute();
    },

    extendTimedChange: async (id, from, extension) => {
      const { extensions_json: before } = (await select().where('id', '=', id).executeTakeFirst()) ?? {};
      if (before === undefined) return false;
      const row = await update()
        .set({
          ends_at: extension.until,
          next_try_at: extension.until,
          set_at: now(),
          extensions_json: JSON.stringify([...extensionsIn(before), { ...extension, from }]),
        })
        .where('id', '=', id)
        .where('state', '=', 'on')
        // Every extension moves it on, so nobody else's is lost.
        .where('ends_at', '=', from)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    cutTimedChange: async (id) =>
      readOne(
        await update()
          // Whoever has claimed it reminds people of its end.
          .set({ ...freed, state: 'ending', next_try_at: now() })
          .where('id', '=', id)
          .where('state', '=', 'on')
          .returningAll()
          .executeTakeFirst(),
      ),

    expediteTimedChanges: async (appliance) => {
      await update()
        .set({ next_try_at: now() })
        .where('appliance', '=', appliance)
        .where('state', '=', 'ending')
        .where('next_try_at', '>', now())
        .execute();
    },

    claimReminders: async (ahead) => {
      const near = await claims.claim(({ and, eb, or, ref }) =>
        and([
          or([claims.isFree(), claims.isForgotten()]),
          eb('state', '=', 'on'),
          eb('ends_at', '<=', now() + ahead),
          eb('ends_at', '>', now()),
          // Whoever has set the end within that time knows it.
          eb('set_at', '<', eb('ends_at', '-', ahead)),
          or([eb('reminded', 'is', null), eb('reminded', '!=', ref('ends_at'))]),
        ]),
      );
      return near.map(readTimedChange);
    },

    reminded: async (id, endsAt, message) => {
      await update()
        .set({ reminded: endsAt, reminder: message ?? null })
        .where('id', '=', id)
        .execute();
      // When its end has come meanwhile, it is held by whoever is at that.
      await claims.free([id], { only: ({ eb }) => eb('state', '=', 'on') });
    },

    claimEnds: async () => {
      const over = await claims.claim(
        ({ and, eb, or, not, exists, selectFrom }) =>
          and([
            // While it is on, it is held by whoever reminds people of its end, and the end waits for no reminder.
            or([claims.isFree(), eb('state', '=', 'on')]),
            eb('state', 'in', notOver),
            claims.isDue(),
            // Ended before the order has arrived, it would begin after its end; the one that sends it knows when it has.
            not(
              exists(
                selectFrom('actions')
                  .select('actions.id')
                  .whereRef('actions.id', '=', 'timed_changes.action')
                  .where('actions.state', '=', 'running')
                  .where('actions.held_by', '!=', replica)
                  .where('actions.changed_at', '>', now() - onItsWay),
              ),
            ),
          ]),
        { state: 'ending' },
      );
      return over.map(readTimedChange);
    },

    orderTimedEnd: async (id) => {
      const row = await update()
        .set(({ eb }) => ({ orders: eb('orders', '+', 1), ordered_at: now() }))
        .where('id', '=', id)
        .where('state', '=', 'ending')
        // Whose claim was given to another replica is none any more.
        .where('held_by', '=', replica)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    timedEndsGoOn: async (ids) => {
      await update()
        .set({ held_since: now() })
        .where('id', 'in', store.among(ids))
        .where('state', '=', 'ending')
        .where('held_by', '=', replica)
        .execute();
    },

    failTimedEnd: (id, problem, nextTryAt, record) =>
      failRow(store, claims, id, { problem, nextTryAt }, record, writer()),
    endTimedChange: (id, ended, record) => endRow(store, id, { ...ended, at: now() }, record, writer()),

    claimReports: async () => {
      const unreported = await claims.claim(({ and, eb, or }) =>
        and([or([claims.isFree(), claims.isForgotten()]), eb('state', '=', 'over'), eb('reported', '=', 0)]),
      );
      return unreported.map(readTimedChange);
    },

    placedReport: async (id, message) => {
      await update().set({ report: message }).where('id', '=', id).execute();
    },
    reported: async (id) => {
      await update().set({ reported: 1 }).where('id', '=', id).execute();
    },
  };
}
