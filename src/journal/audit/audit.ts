import { sql } from 'kysely';
import type { Action } from '../actions/action.ts';
import { readAction } from '../actions/action-row.ts';
import { asked } from '../actions/order.ts';
import type { Database, Store } from '../database.ts';
import type { Tidying } from '../delivery/tidying.ts';
import { isTold } from './about.ts';
import { headOf, type Recorded, recordedOf } from './hash-chain.ts';
import { inPieces, padded } from './pieces.ts';
import { pruneRecords } from './pruning.ts';
import { type Recorder, recordActions } from './recording.ts';
import { firstWith, found } from './search-index.ts';
import { type AuditFilter, termsFor } from './search-terms.ts';
import { type OngoingVerification, ongoingVerification } from './verify/ongoing.ts';

/** With the number by which it is known when its action was asked (`actions/order.ts`). */
type FoundRecord = Recorded & Pick<Action, 'askedSeq'>;

/** What was found, the newest first. */
interface FoundRecords {
  readonly records: readonly FoundRecord[];
  /** How many there are in all. */
  readonly count: number;
  /** Records before that moment, of earlier versions, do not tell what was looked for. Undefined where all do. */
  readonly toldSince: number | undefined;
}

/** The records of what is over, each with the digest of the one before it. None is ever changed. */
export interface AuditStore extends OngoingVerification {
  /**
   * Records what is over and was not recorded yet, the oldest first. Of several replicas one at a time does. Resolves to how
   * many they were: fewer than `most` when nothing is left.
   */
  readonly record: (recorder: Recorder, most?: number) => Promise<number>;
  /** At most so many of those that were recorded before a number. Of one action only the newest record is found. */
  readonly findRecords: (filter: AuditFilter, most: number, before?: number) => Promise<FoundRecords>;
  /** What the same person asked for next in the same channel, within so many milliseconds of each of these: by their IDs. */
  readonly askedNext: (actions: readonly string[], within: number) => Promise<ReadonlyMap<string, Action>>;
  /** These, the newest first; without those that were pruned. */
  readonly recordsAt: (seqs: readonly number[]) => Promise<readonly FoundRecord[]>;
  /** What is not recorded, because it is not over; at most so many, the newest first. */
  readonly unrecorded: (most: number) => Promise<readonly Action[]>;
  /**
   * Deletes the records of what ended before a moment, with the actions that they are about, and keeps the digest that
   * those after them go on from. From the first record on that is not as it was written, all stay. At most so many at
   * once; resolves to how many they were.
   */
  readonly prune: (before: number, most?: number) => Promise<number>;
}

export function audit(store: Store, now: () => number, tidying: Pick<Tidying, 'flush'>): AuditStore {
  const { quick } = store;

  async function recordsAt(seqs: readonly number[]): Promise<readonly FoundRecord[]> {
    if (seqs.length === 0) return [];
    const rows = await quick
      .selectFrom('audit')
      .leftJoin('actions', 'actions.id', 'audit.action')
      .selectAll('audit')
      .select('actions.asked_seq')
      .where('audit.seq', 'in', padded(seqs))
      .orderBy('audit.seq', 'desc')
      .execute();
    return rows.map((row) => ({ ...recordedOf(row), askedSeq: row.asked_seq ?? undefined }));
  }

  return {
    ...ongoingVerification(store, now),

    record: async (recorder, most = 128) => {
      // A record tells where the card stands.
      await tidying.flush();
      return recordActions(store, recorder, most, now);
    },

    findRecords: async (filter, most, before = Number.MAX_SAFE_INTEGER) => {
      const bounds = await boundsOf(quick, filter, before);
      if (bounds === undefined) return { records: [], count: 0, toldSince: undefined };
      const { newest, count } = await found(quick, termsFor(filter), bounds.from, bounds.to, most);
      const isNew = filter.about !== undefined || filter.failed || filter.approved;
      const toldSince = isNew ? await beginsToTell(quick, bounds.from) : undefined;
      return { records: await recordsAt(newest), count, toldSince };
    },

    askedNext: async (ids, within) => {
      const next = new Map<string, Action>();
      for (const some of inPieces(ids)) {
        const rows = await quick
          .selectFrom('actions as first')
          .innerJoin('actions', (join) =>
            join.on(({ eb, selectFrom }) =>
              eb(
                'actions.id',
                '=',
                selectFrom('actions as later')
                  .select('later.id')
                  .whereRef('later.asked_seq', '>', 'first.asked_seq')
                  .where('later.created_at', '>=', eb('first.created_at', '-', within))
                  .where('later.created_at', '<=', eb('first.created_at', '+', within))
                  .whereRef('later.person', '=', 'first.person')
                  .whereRef('later.channel', '=', 'first.channel')
                  .where('later.phrase', 'is not', null)
                  .where('later.interaction_json', 'is', null)
                  .orderBy(sql`+later.asked_seq`)
                  .limit(1),
              ),
            ),
          )
          .selectAll('actions')
          .select('first.id as after')
          .where('first.id', 'in', some)
          .execute();
        for (const { after, ...row } of rows) next.set(after, readAction(row));
      }
      return next;
    },

    recordsAt,

    unrecorded: async (most) => {
      const rows = await quick
        .selectFrom('actions')
        .selectAll()
        .where('recorded', 'is', null)
        .where('state', 'in', ['asked', 'waiting', 'planned', 'approved', 'running', 'unknown'])
        .orderBy(asked, 'desc')
        .limit(most)
        .execute();
      return rows.map(readAction);
    },

    prune: (before, most = 500) => pruneRecords(store, before, most, now),
  };
}

/** The first and the last number that are looked at; undefined where nothing stands between them. Moments grow with numbers. */
async function boundsOf(
  database: Database,
  { since, until }: AuditFilter,
  before: number,
): Promise<{ readonly from: number; readonly to: number } | undefined> {
  const first = await database
    .selectFrom('audit')
    .select('seq')
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? 0).orderBy('at'))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  const last = until === undefined ? await headOf(database) : await lastUntil(database, until);
  const to = Math.min(last?.seq ?? 0, before - 1);
  return first === undefined || first.seq > to ? undefined : { from: first.seq, to };
}

/** When the first was recorded that tells what it is about, where there are others before it. */
async function beginsToTell(database: Database, from: number): Promise<number | undefined> {
  const first = await firstWith(database, isTold);
  if (first === undefined || first <= from) return undefined;
  const row = await database.selectFrom('audit').select('at').where('seq', '=', first).executeTakeFirst();
  return row?.at;
}

const lastUntil = (database: Database, until: number) =>
  database
    .selectFrom('audit')
    .select('seq')
    .where('at', '<=', until)
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
