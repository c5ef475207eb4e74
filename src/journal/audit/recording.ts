/** How what is over comes into the chain of records: with all that the journal knows of it, and what is to be told of it. */

import type { Selectable } from 'kysely';
import type { ActionOrigin } from '../actions/action.ts';
import { readAction, readOrigin } from '../actions/action-row.ts';
import type { NotedEvent } from '../actions/events.ts';
import type { Database, Store } from '../database.ts';
import { insertMessages, type ToSend } from '../delivery/outbox.ts';
import { parsed } from '../json.ts';
import type { ActionsTable } from '../tables.ts';
import { type ChainRow, digestOf, headOf, type Link, type Recorded, recordedOf } from './hash-chain.ts';
import { inPieces, padded } from './pieces.ts';
import { type AuditRecord, isChange, type Legible, recordOf, type Sources } from './record.ts';
import { mark } from './search-index.ts';
import { termsOf } from './search-terms.ts';

/** Whoever writes down what is over. */
export interface Recorder extends Legible {
  /** What people are to be told of a new record; `earlier` is what was recorded of the same action before. */
  readonly announce: (recorded: Recorded, earlier: AuditRecord | undefined) => readonly ToSend[];
  /** Told of each when it is written. */
  readonly recorded?: (record: AuditRecord, earlier: AuditRecord | undefined) => void;
}

/** Records what is over and was not recorded yet, the oldest first: at most so many. Resolves to how many they were. */
export async function recordActions(
  store: Store,
  recorder: Recorder,
  most: number,
  now: () => number,
): Promise<number> {
  const { quick, durable } = store;
  const next = await toRecord(quick)
    .select(['effect', 'changed_at'])
    .orderBy('changed_at')
    .limit(most)
    .execute();
  if (next.length === 0) return 0;
  // What the audit channel is told of stays there: no power cut may give its number to another one. What else one takes back is
  // recorded again, the same.
  const isTold = next.some(({ effect }) => isChange(effect));
  const written = await (isTold ? durable : quick).transaction().execute(async (transaction) => {
    await store.inTurn(transaction, 'audit');
    const rows = await store
      .claiming(
        toRecord(transaction)
          .selectAll()
          // What was read once is not read again to find where it begins.
          .where('changed_at', '>=', next[0]?.changed_at ?? 0)
          .orderBy('changed_at')
          .limit(most),
      )
      .execute();
    if (rows.length === 0) return [];
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
    const told = recorded.flatMap((one) => recorder.announce(one, earlier.get(one.record.action)?.record));
    await insertMessages(transaction, told, null, now());
    return recorded.map(({ record }) => ({ record, earlier: earlier.get(record.action)?.record }));
  });
  for (const { record, earlier } of written) recorder.recorded?.(record, earlier);
  return written.length;
}

/** What is over; of what is unknown somebody may still look. */
const over = ['refused', 'done', 'failed', 'cancelled', 'expired', 'unknown'] as const;

const toRecord = (database: Database) =>
  database
    .selectFrom('actions')
    .where('recorded', 'is', null)
    .where('state', 'in', over)
    .where(({ eb, or }) => or([eb('state', '!=', 'unknown'), eb('held_by', 'is', null)]));

/** What the row of an action itself gives to its record. */
export const askedIn = (row: Selectable<ActionsTable>): ActionOrigin & Pick<Sources, 'action'> => ({
  action: readAction(row),
  ...readOrigin(row),
});

async function eventsOf(
  database: Database,
  actions: readonly string[],
): Promise<ReadonlyMap<string, readonly NotedEvent[]>> {
  const rows = await database
    .selectFrom('events')
    .selectAll()
    .where('action', 'in', actions)
    .orderBy('id')
    .execute();
  const all = rows.map(({ action, kind, at, content_json }) => ({
    action,
    kind,
    at,
    content: parsed(content_json),
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
