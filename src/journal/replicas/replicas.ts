import { setImmediate } from 'node:timers/promises';
import type { Fence } from '../../fence.ts';
import type { Action } from '../actions/action.ts';
import { readAction } from '../actions/action-row.ts';
import { claimsOn, orphanedAmong, piece } from '../claims.ts';
import { findsAny, type Store } from '../database.ts';
import { createLease, Evicted, type Lease } from './lease.ts';
import type { SharedClock } from './shared-clock.ts';

/**
 * Who works on this journal. What a replica is at, it holds in its own name; when it is gone, another one takes that over.
 */
export interface Replicas {
  /** This one's name. */
  readonly replica: string;
  /** Shows that this one lives, and how it is, and looks who else does. To be called every few seconds. */
  readonly heartbeat: (shown?: Shown) => Promise<Beat>;
  /**
   * Takes over what those held that are gone: claims on applies, timed changes and messages are free again, and the actions are
   * this replica's now, at most so many of them. Of several who do it at once, each action goes to one.
   */
  readonly adoptOrphans: (most?: number) => Promise<readonly Action[]>;
  /** Those that live, this one among them. */
  readonly alive: () => Promise<readonly string[]>;
  /** The others that live, as they have shown themselves. */
  readonly others: () => Promise<readonly Peer[]>;
  /** The same, looked for now and not with the last heartbeat. */
  readonly othersNow: () => Promise<readonly Peer[]>;
  /**
   * For an order that is about to leave: until it has, nobody may have evicted this replica. `running`: the action that it
   * is for, which must still be this replica's. Rejects with `Evicted`. Undefined where there are no others.
   */
  readonly fence: (running?: string) => Promise<Fence | undefined>;
  /** Of an embedded journal: those that did not say that they stop. It has one process at a time, so they are gone. */
  readonly cutOff: () => Promise<readonly string[]>;
  /** This one stops: what it still holds is free for the others at once. */
  readonly leave: () => Promise<void>;
}

/** Of these anybody goes on with what nobody is at. Of an apply is not known whether it was carried out: it is again. */
const freed = [
  'timed_changes',
  'watches',
  'workflow_steps',
  'pending_applies',
  'outbox',
  'webhooks',
] as const;

/** What a replica shows of itself. What is not given stays as it was. */
interface Shown {
  /** The version of the policy that it decides by. */
  readonly policy?: string;
  /** What people type and press reaches it: it is connected, and is not being stopped. */
  readonly isTaking?: boolean;
}

/** Another replica. */
export interface Peer {
  readonly id: string;
  readonly policy: string | undefined;
  readonly isTaking: boolean;
  /** How far its clock is ahead of the database's, in milliseconds, where it has said so. */
  readonly clockAhead: number | undefined;
}

/** What came of a heartbeat. */
export interface Beat {
  /** It was evicted, and is back. */
  readonly wasEvicted: boolean;
  /** How far its clock is ahead of the database's for certain, in milliseconds; undefined where that is not known. */
  readonly clockAhead: number | undefined;
}

/** After so many milliseconds without a heartbeat a replica is gone: longer than a heartbeat proves that it is not (`Lease`). */
const silence = 12_000;

/**
 * `elapsed` gives milliseconds that only grow. Clocks of two machines are never compared: what counts is how long this
 * one has not seen a new heartbeat of the other, while it could have.
 */
export function replicas(
  store: Store,
  replica: string,
  now: () => number,
  {
    elapsed = () => performance.now(),
    lease = createLease(replica, store.isShared, elapsed),
    clock,
  }: {
    readonly elapsed?: (() => number) | undefined;
    readonly lease?: Lease;
    readonly clock?: SharedClock | undefined;
  } = {},
): Replicas {
  const { durable, quick } = store;
  const seen = new Map<string, { readonly beats: number; readonly at: number; readonly peer: Peer }>();
  let lastBeat: number | undefined;
  let shown: Shown = {};

  const join = async () => {
    const { policy = null, isTaking = false } = shown;
    const about = { policy, taking: Number(isTaking), clock_ahead: clock?.ahead() ?? null };
    return quick
      .insertInto('replicas')
      .values({ id: replica, started_at: now(), beats: 1, epoch: lease.epoch() + 1, ...about })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({ beats: eb('replicas.beats', '+', 1), ...about })),
      )
      .returning(['epoch', store.clock.as('time')])
      .executeTakeFirstOrThrow();
  };

  async function heartbeat(): Promise<Beat> {
    const before = lease.epoch();
    const heard = lease.beat();
    const { epoch } = await (clock === undefined ? join() : clock.measure(join));
    heard(epoch);
    return { wasEvicted: before > 0 && epoch !== before, clockAhead: clock?.ahead() };
  }

  async function look(): Promise<void> {
    const at = elapsed();
    // Whoever could not look for a while has not missed the others' heartbeats: their time begins anew.
    const wasAway = lastBeat !== undefined && at - lastBeat > silence / 2;
    lastBeat = at;
    const rows = await quick
      .selectFrom('replicas')
      .select(['id', 'beats', 'policy', 'taking', 'clock_ahead'])
      .execute();
    for (const { id, beats, policy, taking, clock_ahead } of rows) {
      const before = seen.get(id);
      const isNew = wasAway || before?.beats !== beats;
      const peer = {
        ...{ id, policy: policy ?? undefined, isTaking: taking === 1 },
        clockAhead: clock_ahead ?? undefined,
      };
      seen.set(id, { beats, at: isNew ? at : before.at, peer });
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

  const others = (): readonly Peer[] => {
    const alive = living();
    return [...seen.values()].flatMap(({ peer }) =>
      peer.id !== replica && alive.includes(peer.id) ? [peer] : [],
    );
  };

  /**
   * Evicts those that are gone, unless they have come back this moment: who else lives is what stands in the table,
   * for whoever has just begun is not known here yet.
   */
  async function evict(): Promise<void> {
    const alive = living();
    if (!store.isShared) {
      const gone = quick.selectFrom('replicas').select('id').where('id', 'not in', alive);
      if (await findsAny(gone)) await quick.deleteFrom('replicas').where('id', 'in', gone).execute();
      return;
    }
    for (const [id, { beats }] of seen) {
      if (alive.includes(id)) continue;
      await store.evict(id, beats);
    }
  }

  async function isHeld(running: string): Promise<boolean> {
    const held = durable.selectFrom('actions').select('id').where('held_by', '=', replica);
    return (
      (await held.where('id', '=', running).where('state', '=', 'running').executeTakeFirst()) !== undefined
    );
  }

  return {
    replica,
    alive: async () => living(),

    others: async () => others(),
    othersNow: async () => {
      await look();
      return others();
    },

    heartbeat: async (more) => {
      shown = { ...shown, ...more };
      const beat = await heartbeat();
      await look();
      return beat;
    },

    cutOff: async () => (store.isShared ? [] : [...seen.keys()].filter((id) => id !== replica)),

    fence: async (running) => {
      const epoch = lease.epoch();
      if (!store.isShared || epoch === 0) return undefined;
      // Whoever has been evicted since begins with a new epoch, so that nothing can come between this and the order.
      if (running !== undefined && !(await isHeld(running))) throw new Evicted();
      return {
        holds: () => lease.holds(epoch),
        renew: async () => {
          if (!lease.holds(epoch) && lease.epoch() === epoch) await heartbeat();
          if (lease.epoch() !== epoch) throw new Evicted();
        },
      };
    },

    adoptOrphans: async (most) => {
      if (lastBeat === undefined) await look();
      await evict();
      const orphaned = new Set(await orphanedAmong([...freed, 'actions'], store, replica));
      for (const table of freed) {
        if (orphaned.has(table)) await freeAll(claimsOn(table, store, replica, now));
      }
      if (!orphaned.has('actions')) return [];
      return (await claimsOn('actions', store, replica, now).adoptOrphans(most)).map(readAction);
    },

    leave: async () => {
      await quick.deleteFrom('replicas').where('id', '=', replica).execute();
    },
  };
}

/** Whoever asks something meanwhile comes in between. */
async function freeAll({ freeOrphans }: { readonly freeOrphans: () => Promise<readonly unknown[]> }) {
  while ((await freeOrphans()).length === piece) await setImmediate();
}
