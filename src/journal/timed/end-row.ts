import type { Action, NewAction, Outcome } from '../actions/action.ts';
import { actionColumns, newRow, readAction } from '../actions/action-row.ts';
import { type Claims, freed } from '../claims.ts';
import type { Database, Store } from '../database.ts';
import { type AnnouncedChanges, isAnnounced, webhookRow } from '../delivery/webhook-events.ts';
import { type Ended, notOver, readOne, type TimedChangeRow } from './timed-change-row.ts';

/** What the bot itself has done at an end, or has tried: recorded with that. What somebody has asked for has a record of its own. */
export interface EndRecord {
  /** The line that it is the end of, as it counted in the end. */
  readonly line: string;
  readonly state: 'done' | 'failed';
  /** It has changed something on the appliance. */
  readonly isChange: boolean;
  readonly outcome: Outcome;
  /** Who has brought it about: a Slack ID. */
  readonly decidedBy?: string | undefined;
}

interface EndWriter {
  readonly replica: string;
  readonly now: () => number;
  readonly announced: AnnouncedChanges;
}

/** It is over, for one of several who say so; whoever is told of its action is told of that. */
export function endRow(
  { durable }: Pick<Store, 'durable'>,
  id: number,
  ended: Ended,
  record: EndRecord | undefined,
  by: EndWriter,
): Promise<TimedChangeRow | undefined> {
  return durable.transaction().execute(async (within) => {
    const row = readOne(
      await within
        .updateTable('timed_changes')
        .set({ ...freed, state: 'over', ended_json: JSON.stringify(ended), ended_by: ended.by ?? null })
        .where('id', '=', id)
        .where('state', 'in', notOver)
        .returningAll()
        .executeTakeFirst(),
    );
    const action = row && (await actionOf(within, row));
    if (row === undefined || action === undefined) return row;
    if (isAnnounced(action, by.announced)) {
      const content = { appliance: row.appliance, how: ended.how, by: ended.person };
      await within
        .insertInto('webhooks')
        .values(webhookRow(action.id, 'change.ended', content, ended.at))
        .execute();
    }
    await recordEnd(within, row, action, record, by);
    return row;
  });
}

/** It could not be ended, and is tried again. Undefined when it is over by now. */
export function failRow(
  { durable }: Pick<Store, 'durable'>,
  claims: Claims<'timed_changes'>,
  id: number,
  retry: { readonly problem: string; readonly nextTryAt: number },
  record: EndRecord | undefined,
  by: EndWriter,
): Promise<TimedChangeRow | undefined> {
  return durable.transaction().execute(async (within) => {
    const [failed] = await claims.retryLater([id], retry.nextTryAt, {
      only: ({ eb }) => eb('state', '=', 'ending'),
      changes: { last_problem: retry.problem },
      within,
    });
    const row = readOne(failed);
    const action = row && (await actionOf(within, row));
    if (row !== undefined && action !== undefined) await recordEnd(within, row, action, record, by);
    return row;
  });
}

async function actionOf(within: Database, { action }: TimedChangeRow): Promise<Action | undefined> {
  const found = await within
    .selectFrom('actions')
    .select(actionColumns)
    .where('id', '=', action)
    .executeTakeFirst();
  return found && readAction(found);
}

async function recordEnd(
  within: Database,
  { appliance }: TimedChangeRow,
  of: Action,
  record: EndRecord | undefined,
  { replica, now }: EndWriter,
): Promise<void> {
  if (record === undefined) return;
  const { team, channel, phrase, effect, ticket, plan, step, card, direct } = of;
  const action: NewAction & Pick<Action, 'card'> = {
    // Whoever asked has not done it.
    ...{
      team,
      channel,
      person: '',
      line: `(The end of: ${record.line})`,
      phrase,
      appliance,
      ticket,
      plan,
      step,
    },
    ...{ state: record.state, outcome: record.outcome, effect: record.isChange ? effect : undefined },
    interaction: { kind: 'timed_end', of: of.id },
    card: direct === undefined ? card : undefined,
    decidedBy: record.decidedBy,
  };
  await within
    .insertInto('actions')
    .values(newRow(action, null, replica, now()))
    .execute();
}
