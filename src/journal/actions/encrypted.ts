import { findsAny, type Store } from '../database.ts';

/** Secrets that a later click or form needs, on whatever replica. They come encrypted: the journal cannot read them. */
export interface EncryptedStore {
  readonly putSealed: (id: string, content: string, until: number) => Promise<void>;
  /** Undefined when there is none, or its time is over. */
  readonly sealed: (id: string) => Promise<string | undefined>;
  readonly forgetSealed: (id: string) => Promise<void>;
  /** At most so many; resolves to how many they were. */
  readonly forgetSealedOver: (at: number, most: number) => Promise<number>;
}

export function encryptedStore({ quick }: Store, now: () => number): EncryptedStore {
  return {
    putSealed: async (id, content, until) => {
      await quick
        .insertInto('encrypted')
        .values({ id, content, until })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ content, until }))
        .execute();
    },
    sealed: async (id) => {
      const row = await quick
        .selectFrom('encrypted')
        .select('content')
        .where('id', '=', id)
        .where('until', '>', now())
        .executeTakeFirst();
      return row?.content;
    },
    forgetSealed: async (id) => {
      await quick.deleteFrom('encrypted').where('id', '=', id).execute();
    },
    forgetSealedOver: async (at, most) => {
      const those = quick.selectFrom('encrypted').select('id').where('until', '<=', at).limit(most);
      if (!(await findsAny(those))) return 0;
      const { numDeletedRows } = await quick
        .deleteFrom('encrypted')
        .where('id', 'in', those)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
