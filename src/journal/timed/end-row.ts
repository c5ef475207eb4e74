import { actionColumns, readAction } from '../actions/action-row.ts';
import { freed } from '../claims.ts';
import type { Store } from '../database.ts';
import { type AnnouncedChanges, isAnnounced, webhookRow } from '../delivery/webhook-events.ts';
import { type Ended, readOne, type TimedChangeRow } from './timed-change-row.ts';

/** It is over, for one of several who say so; whoever is told of its action is told of that. */
export function endRow(
  { durable }: Pick<Store, 'durable'>,
  id: number,
  ended: Ended,
  announced: AnnouncedChanges,
): Promise<TimedChangeRow | undefined> {
  return durable.transaction().execute(async (within) => {
    const row = await within
      .updateTable('timed_changes')
      .set({ ...freed, state: 'over', ended_json: JSON.stringify(ended) })
      .where('id', '=', id)
      .where('state', 'in', ['on', 'ending'])
      .returningAll()
      .executeTakeFirst();
    if (row === undefined || announced === 'none') return readOne(row);
    const { action, appliance } = row;
    const found = await within
      .selectFrom('actions')
      .select(actionColumns)
      .where('id', '=', action)
      .executeTakeFirst();
    if (found !== undefined && isAnnounced(readAction(found), announced)) {
      const content = { appliance, how: ended.how, by: ended.person };
      await within
        .insertInto('webhooks')
        .values(webhookRow(action, 'change.ended', content, ended.at))
        .execute();
    }
    return readOne(row);
  });
}
