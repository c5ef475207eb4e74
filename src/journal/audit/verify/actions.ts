import type { Selectable } from 'kysely';
import { transitions } from '../../actions/states.ts';
import type { Database } from '../../database.ts';
import { jsonToRead } from '../../json.ts';
import type { ActionsTable } from '../../tables.ts';
import { type Link, prunedUpTo } from '../hash-chain.ts';
import { padded } from '../pieces.ts';
import { type AuditRecord, recordOf } from '../record.ts';
import { recordIn } from '../record-in.ts';
import { askedIn } from '../recording.ts';
import { type Break, unreadable } from './chain.ts';
import { atOneMoment } from './moment.ts';

/** So many are compared at once. */
const batch = 500;

type Row = Pick<Link, 'seq' | 'action' | 'record_json'>;

/** Whether the actions say what their records say: none is missing, none is about nothing, none was made to say something else later. */
export async function verifyActions(database: Database): Promise<Break | undefined> {
  for (let after = 0; ; ) {
    const { records, broken } = await atOneMoment(database, async (moment) => {
      const from = Math.max(after, (await prunedUpTo(moment))?.seq ?? 0);
      const records = await moment
        .selectFrom('audit')
        .select(['seq', 'action', 'record_json'])
        .where('seq', '>', from)
        .orderBy('seq')
        .limit(batch)
        .execute();
      return { records, broken: await verifyActionsOf(moment, records, from) };
    });
    if (broken !== undefined) return broken;
    if (records.length < batch) return undefined;
    after = records.at(-1)?.seq ?? after;
  }
}

/** The same of the actions of a few records, which come after a number. */
export async function verifyActionsOf(
  database: Database,
  records: readonly Row[],
  after: number,
): Promise<Break | undefined> {
  const upto = records.at(-1)?.seq ?? after;
  return (
    unlikeTheirRecords(records, await actionsOf(database, records)) ??
    (await withoutRecord(database, after, upto)) ??
    (await contradictions(database, after, upto))
  );
}

async function withoutRecord(database: Database, after: number, upto: number): Promise<Break | undefined> {
  const row = await database
    .selectFrom('actions')
    .leftJoin('audit', (join) =>
      join.onRef('audit.seq', '=', 'actions.recorded').onRef('audit.action', '=', 'actions.id'),
    )
    .select(['id', 'recorded'])
    .where('recorded', '>', after)
    .where('recorded', '<=', upto)
    .where('audit.seq', 'is', null)
    .orderBy('recorded')
    .limit(1)
    .executeTakeFirst();
  const seq = Number(row?.recorded);
  return row && { seq, says: `Action ${row.id} refers to record ${seq}, which belongs to another action.` };
}

/**
 * What holds of each part of a record. The row of an action gives it, and nothing but a step that is recorded again changes
 * it (`row`); it gives it when it is asked, and nothing changes it at all (`asked`); of an action that was recorded again
 * it only ever gets more (`grows`).
 */
const held = {
  ...{ version: 'free', action: 'free', command: 'free', preview: 'free', earlierPreviews: 'free' },
  ...{ team: 'asked', channel: 'asked', person: 'asked', line: 'asked', understoodAs: 'asked' },
  ...{
    ticket: 'asked',
    plan: 'asked',
    interaction: 'asked',
    phrase: 'asked',
    effect: 'asked',
    args: 'asked',
    asked: 'asked',
    appliances: 'row',
  },
  ...{ ended: 'row', decision: 'row', decidedBy: 'row', state: 'row', verification: 'row', outcome: 'row' },
  ...{ approvals: 'grows', refusedClicks: 'grows', requests: 'grows', revealed: 'grows', searches: 'grows' },
  ...{
    answers: 'grows',
    waited: 'grows',
    unreadable: 'grows',
    card: 'free',
    replica: 'free',
    trace: 'free',
    about: 'free',
  },
} as const satisfies Readonly<Record<keyof AuditRecord, 'free' | 'row' | 'asked' | 'grows'>>;

type Held = typeof held;
type HeldAs<How> = { [Name in keyof Held]: Held[Name] extends How ? Name : never }[keyof Held];

const namesOf = <How extends Held[keyof Held]>(...how: readonly How[]): readonly HeldAs<How>[] =>
  Object.entries(held).flatMap(([name, one]) =>
    how.some((wanted) => wanted === one) ? [name as HeldAs<How>] : [],
  );

const told = namesOf('row', 'asked');
const fixed = namesOf('asked');
const growing = namesOf('grows');

function unlikeTheirRecords(
  records: readonly Row[],
  actions: ReadonlyMap<string, Selectable<ActionsTable>>,
): Break | undefined {
  for (const { seq, action, record_json } of records) {
    const row = actions.get(action);
    if (row === undefined)
      return { seq, says: `Record ${seq} belongs to action ${action}, which is not in the journal.` };
    // Of several of one action, the newest tells how it stands.
    if (row.recorded !== seq) continue;
    const record = recordIn(record_json);
    if (record === undefined) return unreadable({ seq, action });
    const field = differing(row, record);
    if (field === undefined) continue;
    const says = `Record ${seq} (action ${action}) differs from its action: ${field} was changed in the action.`;
    return { seq, says };
  }
  return undefined;
}

async function actionsOf(
  database: Database,
  records: readonly { readonly action: string }[],
): Promise<ReadonlyMap<string, Selectable<ActionsTable>>> {
  if (records.length === 0) return new Map();
  const ids = padded(records.map(({ action }) => action));
  const rows = await database.selectFrom('actions').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function differing(row: Selectable<ActionsTable>, record: AuditRecord): string | undefined {
  let anew: AuditRecord;
  try {
    anew = recordOf(
      { ...askedIn(row), approvals: [], events: [] },
      // What only the bot that wrote it knows.
      {
        commandOf: () => record.command ?? undefined,
        isDenied: () => record.decision.allowed === false,
        previewOf: () => ({ question: '', fields: [] }),
        isWithheld: () => false,
      },
    );
  } catch {
    return 'a value that can no longer be read';
  }
  // Records of earlier versions do not have all of them.
  return told.find((name) => name in record && !isSame(record[name], anew[name]));
}

/** What is recorded again must go on from what was recorded before it. */
async function contradictions(database: Database, after: number, upto: number): Promise<Break | undefined> {
  const again = await database
    .selectFrom('audit')
    .select('action')
    .where('seq', '<=', upto)
    .where('action', 'in', (those) =>
      those.selectFrom('audit').select('action').where('seq', '>', after).where('seq', '<=', upto),
    )
    .groupBy('action')
    .having(({ fn }) => fn.countAll(), '>', 1)
    .execute();
  if (again.length === 0) return undefined;
  const rows = await database
    .selectFrom('audit')
    .select(['seq', 'action', 'record_json'])
    .where('action', 'in', padded(again.map(({ action }) => action)))
    .where('seq', '<=', upto)
    .orderBy('seq')
    .execute();
  const earlier = new Map<string, { readonly seq: number; readonly record: AuditRecord }>();
  for (const { seq, action, record_json } of rows) {
    const record = recordIn(record_json);
    if (record === undefined) return unreadable({ seq, action });
    const before = earlier.get(action);
    const field = before && contradiction(before.record, record);
    if (field !== undefined) {
      const says = `Record ${seq} (action ${action}) contradicts record ${before?.seq} of the same action: ${field} was changed.`;
      return { seq, says };
    }
    earlier.set(action, { seq, record });
  }
  return undefined;
}

function contradiction(earlier: AuditRecord, later: AuditRecord): keyof AuditRecord | undefined {
  if (earlier.state !== later.state && !transitions[earlier.state].includes(later.state)) return 'state';
  return (
    fixed.find((name) => name in earlier && !isSame(earlier[name], later[name])) ??
    growing.find((name) => {
      const there = new Set((later[name] ?? []).map(textOf));
      // Records of earlier versions do not have all of them.
      return (earlier[name] ?? []).some((one) => !there.has(textOf(one)));
    })
  );
}

/** An approval counts for a question, of which another may have come. */
const textOf = (one: object): string => jsonToRead({ ...one, counts: undefined });

/** Actions, and records of earlier versions, may hold texts that records do not. */
const isSame = (one: unknown, other: unknown): boolean => jsonToRead({ one }) === jsonToRead({ one: other });
