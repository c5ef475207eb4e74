import { type ChainStart, type Generation, generationsIn, startOf } from './audit/chain-start.ts';
import { headOf, prunedUpTo } from './audit/hash-chain.ts';
import type { Database, Store } from './database.ts';
import { newId } from './id.ts';
import { newestBeforeSetBack } from './timed/set-back.ts';
import { newestOf, readTimedChange } from './timed/timed-change-row.ts';

export type { Generation } from './audit/chain-start.ts';

/** By what it was seen that the journal does not know all that was said and done. */
export interface Lost {
  /** The newest moment that the journal knew when this process opened it. */
  readonly knownUntil: number;
  /** The newest moment of what is not known: milliseconds since the epoch. */
  readonly saidUntil: number;
  /** The newest record that the audit channel was told of, where that one is not there; and its number. */
  readonly record?: { readonly seq: number; readonly held: string } | undefined;
}

/**
 * A journal that is restored from a backup, or whose database has lost its end, does not know so itself. What is said
 * carries the generation of the journal that knew of it, and so it can be found out; then another one begins.
 */
export interface GenerationStore {
  /** The first one first; the last one is that of today. */
  readonly generations: () => Promise<readonly Generation[]>;
  /** The newest moment at which anything that a card shows has changed; 0 in an empty journal. */
  readonly newestMoment: () => Promise<number>;
  /** Whether a record is there and carries this digest, or was pruned: what was said of it is known then. */
  readonly hasRecord: (seq: number, digest: string) => Promise<boolean>;
  /**
   * Begins the next generation after the one of this number. What waits to be said may have been said: it is looked for
   * first, and what cannot be looked for is dropped. Undefined where another replica has begun it already.
   */
  readonly beginGeneration: (after: number, lost: Lost) => Promise<Generation | undefined>;
}

/**
 * Records that were lost had numbers that nobody knows any more; whatever is given again begins with the next one of
 * these.
 */
const step = 10_000;

/** The first generation begins with the journal. */
export async function nameJournal({ durable }: Store, now: () => number): Promise<void> {
  if ((await durable.selectFrom('generations').select('id').limit(1).executeTakeFirst()) !== undefined)
    return;
  const first: Generation = {
    ...{ number: 1, id: newId(), beganAt: now(), follows: 0, first: 1 },
    ...{ knownUntil: 0, saidUntil: undefined, lostRecord: undefined },
  };
  await write(durable, { ...first, start: '' });
}

export function generationStore(store: Store, now: () => number): GenerationStore {
  const { durable, quick } = store;
  return {
    generations: () => generationsIn(quick),
    newestMoment: () => newestIn(quick),

    hasRecord: async (seq, digest) => {
      const row = await quick.selectFrom('audit').select('digest').where('seq', '=', seq).executeTakeFirst();
      return row === undefined ? seq <= ((await prunedUpTo(quick))?.seq ?? 0) : row.digest.startsWith(digest);
    },

    beginGeneration: (after, { knownUntil, saidUntil, record }) =>
      durable.transaction().execute(async (transaction) => {
        await store.inTurn(transaction, 'audit');
        const last = (await generationsIn(transaction)).at(-1);
        if (last?.number !== after) return undefined;
        const head = await headOf(transaction);
        const floor = Math.max(head.seq, record?.seq ?? 0);
        const next: Generation = {
          ...{ number: after + 1, id: newId(), beganAt: now(), follows: head.seq },
          first: (Math.floor(floor / step) + 1) * step + 1,
          ...{ knownUntil, saidUntil, lostRecord: record?.held },
        };
        await write(transaction, { ...next, start: startOf(next, head.digest) });
        await transaction.deleteFrom('outbox').where('kind', '=', 'whisper').execute();
        await transaction.updateTable('outbox').set({ maybe_delivered: 1 }).execute();
        return next;
      }),
  };
}

async function write(database: Database, generation: ChainStart): Promise<void> {
  await database
    .insertInto('generations')
    .values({
      number: generation.number,
      id: generation.id,
      began_at: generation.beganAt,
      follows_seq: generation.follows,
      first_seq: generation.first,
      start: generation.start,
      known_until: generation.knownUntil,
      said_until: generation.saidUntil ?? null,
      lost_record: generation.lostRecord ?? null,
    })
    // Of several replicas that open an empty one, one was first.
    .onConflict((conflict) => conflict.column('number').doNothing())
    .execute();
}

async function newestIn(database: Database): Promise<number> {
  const changed = await database
    .selectFrom('actions')
    // Whatever is recorded is no newer than the newest record; so the index does.
    .where('recorded', 'is', null)
    .select(({ fn }) => fn.max('changed_at').as('at'))
    .executeTakeFirst();
  const approved = await database
    .selectFrom('approvals')
    .select('at')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const timed = (
    await database.selectFrom('timed_changes').selectAll().orderBy('id', 'desc').limit(100).execute()
  ).map(readTimedChange);
  return Math.max(
    ...[changed?.at ?? 0, (await headOf(database)).at, approved?.at ?? 0, ...timed.map(newestOf)],
    await newestBeforeSetBack(database),
  );
}
