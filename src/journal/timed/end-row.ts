import type { Action, NewAction, Outcome } from '../actions/action.ts';
import { actionColumns, newRow, readAction } from '../actions/action-row.ts';
import { type Claims, freed } from '../claims.ts';
import type { Store } from '../database.ts';
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
export async function endRow(
  store: Pick<Store, 'durable' | 'write'>,
  id: number,
  ended: Ended,
  record: EndRecord | undefined,
  by: EndWriter,
): Promise<TimedChangeRow | undefined> {
  const of = await changeOf(store, id);
  const query = store.durable
    .updateTable('timed_changes')
    .set({ ...freed, state: 'over', ended_json: JSON.stringify(ended), ended_by: ended.by ?? null })
    .where('id', '=', id)
    .where('state', 'in', notOver)
    .returningAll();
  const content = { appliance: of?.appliance, how: ended.how, by: ended.person };
  const isTold = of !== undefined && isAnnounced(of.action, by.announced);
  const written = await store.write('durable', {
    swap: [{ query }],
    add: {
      webhooks: isTold ? [webhookRow(of.action.id, 'change.ended', content, ended.at)] : [],
      actions: recordsOf(of?.action, record, by, of?.appliance),
    },
  });
  return readOne(written?.[0]);
}

/** It could not be ended, and is tried again. Undefined when it is over by now. */
export async function failRow(
  store: Pick<Store, 'durable' | 'write'>,
  claims: Claims<'timed_changes'>,
  id: number,
  retry: { readonly problem: string; readonly nextTryAt: number },
  record: EndRecord | undefined,
  by: EndWriter,
): Promise<TimedChangeRow | undefined> {
  const of = await changeOf(store, id);
  const query = claims.retrying([id], retry.nextTryAt, {
    only: ({ eb }) => eb('state', '=', 'ending'),
    changes: { last_problem: retry.problem, ordered_at: null },
  });
  const written = await store.write('durable', {
    swap: [{ query }],
    add: { actions: recordsOf(of?.action, record, by, of?.appliance) },
  });
  return readOne(written?.[0]);
}

/** What it is the end of; undefined where its action was deleted. */
async function changeOf({ durable }: Pick<Store, 'durable'>, id: number) {
  const row = await durable
    .selectFrom('timed_changes')
    .innerJoin('actions', 'actions.id', 'timed_changes.action')
    .select(['timed_changes.appliance', 'timed_changes.action'])
    .where('timed_changes.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const action = await durable
    .selectFrom('actions')
    .select(actionColumns)
    .where('id', '=', row.action)
    .executeTakeFirst();
  return action && { appliance: row.appliance, action: readAction(action) };
}

/** The action of its own that an end is recorded as. */
function recordsOf(
  of: Action | undefined,
  record: EndRecord | undefined,
  { replica, now }: EndWriter,
  appliance: string | undefined,
): ReturnType<typeof newRow>[] {
  if (of === undefined || record === undefined) return [];
  const { team, channel, phrase, effect, ticket, plan, step, card, direct } = of;
  const action: NewAction & Pick<Action, 'card'> = {
    team,
    channel,
    // Whoever asked has not done it.
    person: '',
    line: `(The end of: ${record.line})`,
    phrase,
    appliance,
    ticket,
    plan,
    step,
    state: record.state,
    outcome: record.outcome,
    effect: record.isChange ? effect : undefined,
    interaction: { kind: 'timed_end', of: of.id },
    card: direct === undefined ? card : undefined,
    decidedBy: record.decidedBy,
  };
  return [newRow(action, null, replica, now())];
}
