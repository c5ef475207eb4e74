import type { Action } from '../actions/action.ts';
import { actionColumns, readAction } from '../actions/action-row.ts';
import { asked } from '../actions/order.ts';
import type { Store } from '../database.ts';
import { isTyped } from './watches.ts';

/** What people have typed themselves: no step of a plan, and nothing that a schedule of theirs has asked. */
export interface TypedStore {
  /** What somebody has typed since then, wherever, the newest first, at most so many. */
  readonly askedBy: (person: string, since: number, most: number) => Promise<readonly Action[]>;
  /** The commands that somebody has typed since then, the last thousand times, with the channels they ran them in; the most frequent first. */
  readonly usedBy: (
    person: string,
    since: number,
    most: number,
  ) => Promise<readonly { readonly phrase: string; readonly channel: string }[]>;
  /** What was typed in a channel since then, the newest first, at most so many. */
  readonly recentIn: (channel: string, since: number, most: number) => Promise<readonly Action[]>;
}

/** So many of somebody's actions tell what they do most: a program that asks for them all day has tens of thousands in a month. */
const mostCounted = 1_000;

export function typedStore({ durable }: Store): TypedStore {
  const select = () => durable.selectFrom('actions').select(actionColumns);

  return {
    askedBy: async (person, since, most) =>
      (
        await select()
          .where('person', '=', person)
          .where('created_at', '>=', since)
          .where(isTyped)
          .orderBy(asked, 'desc')
          .limit(most)
          .execute()
      ).map(readAction),
    usedBy: async (person, since, most) => {
      const rows = await durable
        .selectFrom(({ selectFrom }) =>
          selectFrom('actions')
            .select(['phrase', 'channel'])
            .where('person', '=', person)
            .where('created_at', '>=', since)
            .where('phrase', 'is not', null)
            .where('effect', 'is not', null)
            .where(isTyped)
            .where('state', 'in', ['done', 'unknown'])
            .orderBy('created_at', 'desc')
            .limit(mostCounted)
            .as('newest'),
        )
        .select(['phrase', 'channel'])
        .groupBy(['phrase', 'channel'])
        .orderBy(({ fn }) => fn.countAll(), 'desc')
        .orderBy('phrase')
        .limit(most)
        .execute();
      return rows.map(({ phrase, channel }) => ({ phrase: phrase ?? '', channel }));
    },
    recentIn: async (channel, since, most) =>
      (
        await select()
          .where('channel', '=', channel)
          .where('created_at', '>=', since)
          .where(isTyped)
          .orderBy(asked, 'desc')
          .limit(most)
          .execute()
      ).map(readAction),
  };
}
