import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Action } from './actions/action.ts';
import { readAction } from './actions/action-row.ts';
import type { Store } from './database.ts';

/**
 * Who works on this journal. What a replica is at, it holds in its own name; when it is gone, another one takes that over.
 */
export interface Replicas {
  /** This one's name. */
  readonly replica: string;
  /** Shows that this one lives, and looks who else does. To be called every few seconds. */
  readonly heartbeat: () => Promise<void>;
  /**
   * Takes over what those held that are gone: claims on applies, timed changes and messages are free again, and the actions are
   * this replica's now. Of several who do it at once, each action goes to one.
   */
  readonly adoptOrphans: () => Promise<readonly Action[]>;
  /** Those that live, this one among them. */
  readonly alive: () => Promise<readonly string[]>;
  /** This one stops: what it still holds is free for the others at once. */
  readonly leave: () => Promise<void>;
}

/** After so many milliseconds without a heartbeat a replica is gone. */
const silence = 12_000;

/**
 * `elapsed` gives milliseconds that only grow. Clocks of two machines are never compared: what counts is how long this
 * one has not seen a new heartbeat of the other, while it could have.
 */
export function replicas(
  store: Store,
  replica: string,
  now: () => number,
  elapsed: () => number = () => performance.now(),
): Replicas {
  const { durable, quick } = store;
  const seen = new Map<string, { beats: number; at: number }>();
  let lastBeat: number | undefined;

  const join = (beats: number) =>
    quick
      .insertInto('replicas')
      .values({ id: replica, started_at: now(), beats })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({ beats: eb('replicas.beats', '+', 1) })),
      )
      .execute();

  async function look(): Promise<void> {
    const at = elapsed();
    // Whoever could not look for a while has not missed the others' heartbeats: their time begins anew.
    const wasAway = lastBeat !== undefined && at - lastBeat > silence / 2;
    lastBeat = at;
    const rows = await quick.selectFrom('replicas').select(['id', 'beats']).execute();
    for (const { id, beats } of rows) {
      if (wasAway || seen.get(id)?.beats !== beats) seen.set(id, { beats, at });
    }
    const known = new Set(rows.map(({ id }) => id));
    for (const id of seen.keys()) if (!known.has(id)) seen.delete(id);
  }

  /** An embedded journal belongs to one process, which holds its lock: nobody else can be alive. */
  const living = (): readonly string[] =>
    store.isShared
      ? [
          ...new Set([
            replica,
            ...[...seen].flatMap(([id, { at }]) => (elapsed() - at < silence ? [id] : [])),
          ]),
        ]
      : [replica];

  /**
   * Evicts those that are gone, unless they have come back this moment: who else lives is what stands in the table,
   * for whoever has just begun is not known here yet.
   */
  async function evict(): Promise<void> {
    const alive = living();
    if (!store.isShared) {
      await quick.deleteFrom('replicas').where('id', 'not in', alive).execute();
      return;
    }
    for (const [id, { beats }] of seen) {
      if (alive.includes(id)) continue;
      await quick.deleteFrom('replicas').where('id', '=', id).where('beats', '=', beats).execute();
    }
  }

  return {
    replica,
    alive: async () => living(),

    heartbeat: async () => {
      await join(1);
      await look();
    },

    adoptOrphans: async () => {
      if (lastBeat === undefined) await look();
      await evict();
      await freeClaims(store, replica);
      const left = durable
        .selectFrom('actions')
        .select('id')
        // A range, which the index is good for; whoever holds it has a name.
        .where('held_by', '>=', '')
        .where(isGone('held_by', replica));
      const rows = await durable
        .updateTable('actions')
        .set({ held_by: replica })
        .where('id', 'in', store.claiming(left))
        .returningAll()
        .execute();
      return rows.toSorted((one, other) => one.created_at - other.created_at).map(readAction);
    },

    leave: async () => {
      await quick.deleteFrom('replicas').where('id', '=', replica).execute();
    },
  };
}

/** What another one frees at this moment is left to it: two that waited for each other would both fail. */
async function freeClaims({ durable, claiming }: Store, replica: string): Promise<void> {
  const claimed = (table: 'timed_changes' | 'pending_applies') =>
    claiming(durable.selectFrom(table).select('id').where(isGone('claimed_by', replica)));
  await durable
    .updateTable('timed_changes')
    .set({ claimed_until: 0, claimed_by: null })
    .where('id', 'in', claimed('timed_changes'))
    .execute();
  // Nobody knows whether it was applied.
  await durable
    .updateTable('pending_applies')
    .set({ state: 'owed', claimed_by: null })
    .where('id', 'in', claimed('pending_applies'))
    .execute();
  const held = durable.selectFrom('outbox').select('id').where(isGone('held_by', replica));
  await durable
    .updateTable('outbox')
    .set({ held_by: null, maybe_delivered: 1, next_at: 0 })
    .where('id', 'in', claiming(held))
    .execute();
}

/** Whether a column names somebody who is not there any more; never where it names nobody. */
export const isGone = (column: 'held_by' | 'claimed_by', replica: string): RawBuilder<SqlBool> =>
  sql`(${sql.ref(column)} != ${replica} and ${sql.ref(column)} not in (select id from replicas))`;
