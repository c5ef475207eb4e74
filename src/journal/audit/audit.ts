import type { Selectable } from 'kysely';
import type { Action } from '../actions/action.ts';
import { readAction } from '../actions/action-row.ts';
import type { ActionEvent } from '../actions/events.ts';
import type { Database, Store } from '../database.ts';
import { insertMessages, type ToSend } from '../delivery/outbox.ts';
import type { ActionsTable } from '../tables.ts';
import { inPieces, padded } from './pieces.ts';
import {
  type AuditFilter,
  type AuditRecord,
  type ChainRow,
  digestOf,
  follows,
  type Legible,
  type Link,
  recordOf,
  type Sources,
  termsFor,
  termsOf,
} from './record.ts';
import { blockOf, found, mark } from './search-index.ts';

/** A record where it stands. */
export interface Recorded {
  /** From 1, without a gap. */
  readonly seq: number;
  /** When the action ended, and never before the one of the record before it: milliseconds since the epoch. */
  readonly at: number;
  readonly record: AuditRecord;
  /** Of this record and the one before it: SHA-256 in hexadecimal. */
  readonly digest: string;
}

/** Whoever writes down what is over. */
export interface Recorder extends Legible {
  /** What people are to be told of a new record; `earlier` is what was recorded of the same action before. */
  readonly announce: (recorded: Recorded, earlier: AuditRecord | undefined) => readonly ToSend[];
}

/** What was found, the newest first. */
export interface FoundRecords {
  readonly records: readonly Recorded[];
  /** How many there are in all. */
  readonly count: number;
}

/** The records of what is over, each with the digest of the one before it. None is ever changed. */
export interface AuditStore {
  /**
   * Records what is over and was not recorded yet, the oldest first. Of several replicas one at a time does. Resolves to how
   * many they were: fewer than `most` when nothing is left.
   */
  readonly record: (recorder: Recorder, most?: number) => Promise<number>;
  /** At most so many of those that were recorded before a number. Of one action only the newest record is found. */
  readonly findRecords: (filter: AuditFilter, most: number, before?: number) => Promise<FoundRecords>;
  /** These, the newest first; without those that were pruned. */
  readonly recordsAt: (seqs: readonly number[]) => Promise<readonly Recorded[]>;
  /** What is not recorded, because it is not over; at most so many, the newest first. */
  readonly unrecorded: (most: number) => Promise<readonly Action[]>;
  /**
   * Deletes the records of what ended before a moment, with the actions that they are about, and keeps the digest that
   * those after them go on from. From the first record on that is not as it was written, all stay. At most so many at
   * once; resolves to how many they were.
   */
  readonly prune: (before: number, most?: number) => Promise<number>;
}

/** What is over; of what is unknown somebody may still look. */
const over = ['refused', 'done', 'failed', 'cancelled', 'expired', 'unknown'] as const;

export function audit(store: Store, now: () => number): AuditStore {
  const { durable, quick } = store;

  const toRecord = (database: Database) =>
    database
      .selectFrom('actions')
      .where('recorded', 'is', null)
      .where('state', 'in', over)
      .where(({ eb, or }) => or([eb('state', '!=', 'unknown'), eb('held_by', 'is', null)]));

  async function recordsAt(seqs: readonly number[]): Promise<readonly Recorded[]> {
    if (seqs.length === 0) return [];
    const rows = await quick
      .selectFrom('audit')
      .selectAll()
      .where('seq', 'in', padded(seqs))
      .orderBy('seq', 'desc')
      .execute();
    return rows.map(recordedOf);
  }

  return {
    record: async (recorder, most = 128) => {
      if ((await toRecord(quick).select('id').limit(1).executeTakeFirst()) === undefined) return 0;
      // What a power cut takes back is recorded again, the same.
      return quick.transaction().execute(async (transaction) => {
        await store.inTurn(transaction, 'audit');
        const rows = await store
          .claiming(toRecord(transaction).selectAll().orderBy('changed_at').limit(most))
          .execute();
        if (rows.length === 0) return 0;
        const ids = padded(rows.map(({ id }) => id));
        const events = await eventsOf(transaction, ids);
        const approvals = await approvalsOf(transaction, ids);
        const earlier = await earlierOf(transaction, ids);
        const recorded: Recorded[] = [];
        const links: ChainRow[] = [];
        let head = await headOf(transaction);
        for (const row of rows) {
          const record = recordOf(
            {
              ...askedIn(row),
              approvals: approvals.get(row.id) ?? [],
              events: events.get(row.id) ?? [],
            },
            recorder,
          );
          const link: Link = {
            seq: head.seq + 1,
            action: row.id,
            at: Math.max(head.at, row.changed_at),
            record_json: JSON.stringify(record),
          };
          const digest = digestOf(link, head.digest);
          links.push({ ...link, digest });
          recorded.push({ seq: link.seq, at: link.at, record, digest });
          head = { seq: link.seq, at: link.at, digest };
        }
        for (const some of inPieces(links))
          await transaction
            .insertInto('audit')
            .values([...some])
            .execute();
        await mark(transaction, [
          ...[...earlier.values()].map(({ seq, record }) => ({ seq, terms: termsOf(record), found: false })),
          ...recorded.map(({ seq, record }) => ({ seq, terms: termsOf(record), found: true })),
        ]);
        await transaction
          .updateTable('actions')
          .set(({ selectFrom }) => ({
            recorded: selectFrom('audit')
              .select(({ fn }) => fn.max('seq').as('newest'))
              .whereRef('audit.action', '=', 'actions.id'),
          }))
          .where('id', 'in', ids)
          .execute();
        const told = recorded.flatMap((one) =>
          recorder.announce(one, earlier.get(one.record.action)?.record),
        );
        await insertMessages(transaction, told, null, now());
        return recorded.length;
      });
    },

    findRecords: async (filter, most, before = Number.MAX_SAFE_INTEGER) => {
      const bounds = await boundsOf(quick, filter.since, before);
      if (bounds === undefined) return { records: [], count: 0 };
      const { newest, count } = await found(quick, termsFor(filter), bounds.from, bounds.to, most);
      return { records: await recordsAt(newest), count };
    },

    recordsAt,

    unrecorded: async (most) => {
      const rows = await quick
        .selectFrom('actions')
        .selectAll()
        .where('recorded', 'is', null)
        .where('state', 'in', ['asked', 'waiting', 'approved', 'running', 'unknown'])
        .orderBy('changed_at', 'desc')
        .limit(most)
        .execute();
      return rows.map(readAction);
    },

    prune: (before, most = 500) =>
      durable.transaction().execute(async (transaction) => {
        await store.inTurn(transaction, 'audit');
        const anchor = await prunedUpTo(transaction);
        const rows = await transaction.selectFrom('audit').selectAll().orderBy('seq').limit(most).execute();
        const old = rows.slice(
          0,
          lengthOf(rows, ({ at }) => at < before),
        );
        // Somebody may have changed a time so that the record goes away: what is not as it was written stays.
        const last = old[lengthOf(old, follows(anchor)) - 1];
        if (last === undefined) return 0;
        await transaction
          .insertInto('audit_pruned')
          .values({ upto: last.seq, digest: last.digest, at: now() })
          .execute();
        await forgetActions(transaction, last.seq);
        await transaction.deleteFrom('audit').where('seq', '<=', last.seq).execute();
        await transaction
          .deleteFrom('audit_terms')
          .where('block', '<', blockOf(last.seq + 1))
          .execute();
        return last.seq - (anchor?.upto ?? 0);
      }),
  };
}

/** How many of them, from the first on, are so. */
function lengthOf<Item>(items: readonly Item[], isSo: (item: Item) => boolean): number {
  const end = items.findIndex((item) => !isSo(item));
  return end === -1 ? items.length : end;
}

/** What the row of an action itself gives to its record. */
export const askedIn = (row: Selectable<ActionsTable>): Pick<Sources, 'action' | 'policy' | 'allowedBy'> => ({
  action: readAction(row),
  policy: row.policy ?? undefined,
  allowedBy: row.allowed_by?.split(',').filter((role) => role !== '') ?? [],
});

/** The rows of the chain in its order, from one on, a thousand at a time. */
export async function* links(database: Database, from: number): AsyncGenerator<readonly ChainRow[]> {
  for (let next = from; ; ) {
    const rows = await database
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>=', next)
      .orderBy('seq')
      .limit(1_000)
      .execute();
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    next = last.seq + 1;
  }
}

export function recordedOf({ seq, at, record_json, digest }: ChainRow): Recorded {
  // Only `AuditRecord`s are ever recorded.
  return { seq, at, record: JSON.parse(record_json), digest };
}

export const prunedUpTo = (database: Database) =>
  database
    .selectFrom('audit_pruned')
    .select(['upto', 'digest', 'at'])
    .orderBy('upto', 'desc')
    .limit(1)
    .executeTakeFirst();

async function headOf(
  database: Database,
): Promise<{ readonly seq: number; readonly at: number; readonly digest: string }> {
  const last = await database
    .selectFrom('audit')
    .select(['seq', 'at', 'digest'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last !== undefined) return last;
  const pruned = await prunedUpTo(database);
  return { seq: pruned?.upto ?? 0, at: 0, digest: pruned?.digest ?? '' };
}

/** The first and the last number that are looked at; undefined where nothing stands between them. */
async function boundsOf(
  database: Database,
  since: number | undefined,
  before: number,
): Promise<{ readonly from: number; readonly to: number } | undefined> {
  const first = await database
    .selectFrom('audit')
    .select('seq')
    .$if(since !== undefined, (query) => query.where('at', '>=', since ?? 0).orderBy('at'))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  const { seq: last } = await headOf(database);
  const to = Math.min(last, before - 1);
  return first === undefined || first.seq > to ? undefined : { from: first.seq, to };
}

async function eventsOf(
  database: Database,
  actions: readonly string[],
): Promise<ReadonlyMap<string, readonly (ActionEvent & { readonly at: number })[]>> {
  const rows = await database
    .selectFrom('events')
    .selectAll()
    .where('action', 'in', actions)
    .orderBy('id')
    .execute();
  const all = rows.map(({ action, kind, at, content_json }) => ({
    action,
    // Only `ActionEvent`s are ever written.
    kind: kind as ActionEvent['kind'],
    at,
    content: JSON.parse(content_json),
  }));
  return Map.groupBy(all, ({ action }) => action);
}

async function approvalsOf(database: Database, actions: readonly string[]) {
  const rows = await database
    .selectFrom('approvals')
    .select(['action', 'question', 'person', 'human', 'at'])
    .where('action', 'in', actions)
    .orderBy('id')
    .execute();
  return Map.groupBy(rows, ({ action }) => action);
}

/** What was recorded of these before, the newest of each. */
async function earlierOf(
  database: Database,
  actions: readonly string[],
): Promise<ReadonlyMap<string, { readonly seq: number; readonly record: AuditRecord }>> {
  const rows = await database
    .selectFrom('audit')
    .selectAll()
    .where('action', 'in', actions)
    .orderBy('seq')
    .execute();
  return new Map(rows.map((row) => [row.action, recordedOf(row)]));
}

/** Of what was recorded up to a number, whatever nobody needs any more. */
async function forgetActions(database: Database, upto: number): Promise<void> {
  const gone = () =>
    database
      .selectFrom('actions')
      .select('id')
      .where('recorded', '<=', upto)
      .where('id', 'not in', database.selectFrom('owed').select('action'))
      .where('id', 'not in', database.selectFrom('leases').select('action').where('state', '!=', 'over'));
  await database.deleteFrom('events').where('action', 'in', gone()).execute();
  await database.deleteFrom('approvals').where('action', 'in', gone()).execute();
  await database.deleteFrom('actions').where('id', 'in', gone()).execute();
}
