import type { Selectable } from 'kysely';
import { transitions } from '../../actions/states.ts';
import type { Database } from '../../database.ts';
import type { ActionsTable } from '../../tables.ts';
import { padded } from '../pieces.ts';
import { type AuditRecord, recordOf } from '../record.ts';
import { recordIn } from '../record-in.ts';
import { askedIn } from '../recording.ts';
import { type Break, type Chain, unreadable } from './chain.ts';

/** So many are compared at once. */
const batch = 500;

/** Whether the actions say what their records say: none is missing, none is about nothing, none was made to say something else later. */
export async function verifyActions(
  database: Database,
  { prunedUpTo }: Pick<Chain, 'prunedUpTo'>,
): Promise<Break | undefined> {
  return (
    (await withoutAction(database)) ??
    (await withoutRecord(database, prunedUpTo)) ??
    (await unlikeTheirRecords(database)) ??
    (await contradictions(database))
  );
}

async function withoutAction(database: Database): Promise<Break | undefined> {
  const row = await database
    .selectFrom('audit')
    .select(['seq', 'action'])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('actions').select('id').whereRef('id', '=', 'audit.action'))),
    )
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
  return (
    row && {
      seq: row.seq,
      says: `Record ${row.seq} belongs to action ${row.action}, which is not in the journal.`,
    }
  );
}

async function withoutRecord(database: Database, pruned: number): Promise<Break | undefined> {
  const row = await database
    .selectFrom('actions')
    .select(['id', 'recorded'])
    .where('recorded', '>', pruned)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('audit')
            .select('seq')
            .whereRef('seq', '=', 'actions.recorded')
            .whereRef('audit.action', '=', 'actions.id'),
        ),
      ),
    )
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
  ...{ answers: 'grows', unreadable: 'grows', card: 'free', replica: 'free', trace: 'free' },
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

async function unlikeTheirRecords(database: Database): Promise<Break | undefined> {
  for (let from = 0; ; ) {
    const rows = await database
      .selectFrom('audit')
      .innerJoin('actions', (join) =>
        join.onRef('actions.recorded', '=', 'audit.seq').onRef('actions.id', '=', 'audit.action'),
      )
      .selectAll('actions')
      .select(['audit.seq', 'audit.record_json'])
      .where('audit.seq', '>', from)
      .orderBy('audit.seq')
      .limit(batch)
      .execute();
    for (const { seq, record_json, ...row } of rows) {
      const record = recordIn(record_json);
      if (record === undefined) return unreadable({ seq, action: row.id });
      const field = differing(row, record);
      if (field === undefined) continue;
      const says = `Record ${seq} (action ${row.id}) differs from its action: ${field} was changed in the action.`;
      return { seq, says };
    }
    const last = rows.at(-1);
    if (last === undefined) return undefined;
    from = last.seq;
  }
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

async function contradictions(database: Database): Promise<Break | undefined> {
  for (let after = ''; ; ) {
    const several = await database
      .selectFrom('audit')
      .select('action')
      .where('action', '>', after)
      .groupBy('action')
      .having(({ fn }) => fn.countAll(), '>', 1)
      .orderBy('action')
      .limit(batch)
      .execute();
    const actions = several.map(({ action }) => action);
    const last = actions.at(-1);
    if (last === undefined) return undefined;
    const rows = await database
      .selectFrom('audit')
      .select(['seq', 'action', 'record_json'])
      .where('action', 'in', padded(actions))
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
    after = last;
  }
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
const textOf = (one: object): string => JSON.stringify({ ...one, counts: undefined });

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
