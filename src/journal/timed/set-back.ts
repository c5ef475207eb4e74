import { sql } from 'kysely';
import { type ClaimedTable, claimed } from '../claims.ts';
import type { Database, Store } from '../database.ts';

/** For a clock that was ahead, and has been set right. */
export interface SetBack {
  /**
   * What was written while it was ahead is due when it would have been: otherwise a day that was never there is waited for, and
   * what is to end in half an hour lasts it through. What this replica has claimed then it may forget as anything else. Nothing
   * changes where no time lies where no rule puts it.
   */
  readonly clockSetBack: () => Promise<void>;
}

/** In milliseconds: less is no jump, and does nobody harm. */
const jump = 60_000;

export function setBack({ durable }: Pick<Store, 'durable'>, replica: string, now: () => number): SetBack {
  return {
    clockSetBack: () =>
      durable.transaction().execute(async (within) => {
        await again(within, 'outbox', sql`true`);
        await again(within, 'webhooks', sql`true`);
        await again(within, 'pending_applies', sql`true`);
        await again(within, 'timed_changes', sql`state = 'ending'`);
        for (const table of Object.keys(claimed) as ClaimedTable[])
          await sql`update ${sql.table(table)} set held_since = ${now()} where held_by = ${replica} and held_since > ${now()}`.execute(
            within,
          );
        await rememberStarts(within);
        // Each lasts as long as it was to last, from now on: when it was said, nobody knows any more.
        await sql`update timed_changes set ends_at = ${now()} + (ends_at - set_at),
          next_try_at = ${now()} + (ends_at - set_at), started_at = case when started_at > ${now()} then ${now()} else started_at end,
          set_at = ${now()} where state = 'on' and set_at > ${now() + jump}`.execute(within);
        await sql`update actions set expires_at = ${now()} + (expires_at - created_at), created_at = ${now()}
          where state = 'waiting' and created_at > ${now() + jump}`.execute(within);
      }),
  };

  /** Cards have said when it began: a journal that forgets such a moment would be taken for one from an older backup. */
  async function rememberStarts(within: Database): Promise<void> {
    const latest = await within
      .selectFrom('timed_changes')
      .select(({ fn }) => fn.max('started_at').as('at'))
      .where('state', '=', 'on')
      .where('set_at', '>', now() + jump)
      .where('started_at', '>', now())
      .executeTakeFirst();
    const began = Number(latest?.at ?? 0);
    if (began <= (await newestBeforeSetBack(within))) return;
    const row = { subject: beginnings, words: String(began), at: now() };
    await within
      .insertInto('told')
      .values(row)
      .onConflict((conflict) => conflict.column('subject').doUpdateSet(row))
      .execute();
  }

  /** No pause is longer than the longest. */
  async function again(
    within: Database,
    table: 'outbox' | 'webhooks' | 'pending_applies' | 'timed_changes',
    only: ReturnType<typeof sql>,
  ): Promise<void> {
    const latest = now() + 2 * claimed[table].backoff.longest;
    await sql`update ${sql.table(table)} set next_try_at = ${now()} where next_try_at > ${latest} and ${only}`.execute(
      within,
    );
  }
}

const beginnings = 'the newest beginning that was set back';

/** The newest moment at which something temporary began, by a clock that has been set back since; 0 where none was. */
export async function newestBeforeSetBack(database: Database): Promise<number> {
  const told = await database
    .selectFrom('told')
    .select('words')
    .where('subject', '=', beginnings)
    .executeTakeFirst();
  return Number(told?.words ?? 0);
}
