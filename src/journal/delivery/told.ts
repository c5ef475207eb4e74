import type { Store } from '../database.ts';

/** What people were told of something before, and when: milliseconds since the epoch. */
interface ToldBefore {
  readonly words: string | undefined;
  readonly at: number | undefined;
}

/** What people were told last of what all replicas see, so that one of them tells it, and a restart does not tell it again. */
export interface ToldStore {
  /**
   * From now on this is what was told of it. Undefined where that was told before, and not `again` milliseconds ago: then nobody tells
   * it.
   */
  readonly tellOnce: (subject: string, words: string, again?: number) => Promise<ToldBefore | undefined>;
}

export const toldStore = ({ durable, write }: Store, now: () => number): ToldStore => ({
  tellOnce: async (subject, words, again = Number.POSITIVE_INFINITY) => {
    for (;;) {
      const before = await durable
        .selectFrom('told')
        .selectAll()
        .where('subject', '=', subject)
        .executeTakeFirst();
      if (before?.words === words && now() - before.at < again) return undefined;
      const row = { subject, words, at: now() };
      const tells = durable
        .insertInto('told')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column('subject')
            .doUpdateSet(row)
            .where('told.words', '=', before?.words ?? '')
            .where('told.at', '=', before?.at ?? 0),
        )
        .returning('subject');
      // Another one that has told it meanwhile decides whether this is still news.
      if (await write('durable', { swap: [{ query: tells }] }))
        return { words: before?.words, at: before?.at };
    }
  },
});
