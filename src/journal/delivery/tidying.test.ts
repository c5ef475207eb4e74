import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import type { Store } from '../database.ts';
import { createTidying } from './tidying.ts';

const outboxOf = async (store: Store) => {
  const { rows } = await sql<{ key: string }>`select key from outbox order by key`.execute(store.quick);
  return rows.map(({ key }) => key);
};

describe.each(stores)('what only tidies up, in $store', ({ newPlace, open }) => {
  async function start() {
    const place = newPlace();
    const journal = await open(place);
    const messages = ['a', 'b', 'c'].map((key) => ({
      key,
      orderingKey: key,
      kind: 'said' as const,
      content: { says: key },
    }));
    await journal.post(messages);
    const store = (await place)();
    onTestFinished(() => store.close());
    const { rows } = await sql<{ held_by: string }>`select held_by from outbox limit 1`.execute(store.quick);
    return { store, tidying: createTidying(store, rows[0]?.held_by ?? '', () => 1_000) };
  }

  test('is written a moment later without anybody waiting for it', async () => {
    const { store, tidying } = await start();
    tidying.sent('a');
    tidying.sent('b');
    expect(await outboxOf(store)).toEqual(['a', 'b', 'c']);
    await expect.poll(() => outboxOf(store)).toEqual(['c']);
  });

  test('is written by the time that whoever wants it at once hears of it', async () => {
    const { store, tidying } = await start();
    tidying.sent('a');
    const first = tidying.flush();
    tidying.sent('b');
    await Promise.all([first, tidying.flush(), tidying.flush()]);
    expect(await outboxOf(store)).toEqual(['c']);
  });

  test('is written with what comes next where it could not be', async () => {
    const { store, tidying } = await start();
    await sql`alter table outbox rename to away`.execute(store.quick);
    tidying.sent('a');
    await expect(tidying.flush()).rejects.toThrow();
    await sql`alter table away rename to outbox`.execute(store.quick);
    tidying.sent('b');
    await expect.poll(() => outboxOf(store)).toEqual(['c']);
  });
});
