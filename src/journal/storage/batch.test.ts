import { describe, expect, onTestFinished, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import type { Store } from '../database.ts';

const told = (subject: string, words = 'said') => ({ subject, words, at: 1_000 });

async function rowsIn({ quick }: Store): Promise<readonly string[]> {
  const rows = await quick.selectFrom('told').selectAll().orderBy('subject').execute();
  return rows.map(({ subject, words }) => `${subject}: ${words}`);
}

describe.each(stores)('a batch on $store', ({ newPlace }) => {
  async function open(): Promise<Store> {
    const store = await (await newPlace())();
    onTestFinished(() => store.close());
    await store.migrate();
    return store;
  }

  const changed = ({ durable }: Store, subject: string, words: string, from = 'said') =>
    durable
      .updateTable('told')
      .set({ words })
      .where('subject', '=', subject)
      .where('words', '=', from)
      .returning(['subject', 'words', 'at']);

  test('is written as a whole, and returns what it has changed', async () => {
    const store = await open();
    await store.write('durable', { add: { told: [told('one'), told('two'), told('three')] } });
    const written = await store.write('quick', {
      if: [{ query: store.quick.selectFrom('told').select('subject').where('subject', '=', 'three') }],
      swap: [{ query: changed(store, 'one', 'changed') }],
      sweep: [store.quick.deleteFrom('told').where('subject', '=', 'two')],
      add: { told: [told('four', 'it’s “new”'), told('five')] },
    });
    expect(written).toEqual([{ subject: 'one', words: 'changed', at: 1_000 }]);
    expect(await rowsIn(store)).toEqual(['five: said', 'four: it’s “new”', 'one: changed', 'three: said']);
  });

  test('changes nothing where one of its changes hits nothing', async () => {
    const store = await open();
    await store.write('durable', { add: { told: [told('one'), told('two')] } });
    const before = await rowsIn(store);
    const add = { told: [told('three')] };
    const sweep = [store.quick.deleteFrom('told')];
    const hits = { query: changed(store, 'one', 'changed') };
    const misses = { query: changed(store, 'two', 'changed', 'something else') };
    const few = { query: changed(store, 'one', 'changed'), hits: 2 };
    for (const batch of [
      { swap: [misses], add },
      { swap: [misses], sweep },
      { swap: [few], add },
      { swap: [few], sweep },
      { swap: [hits, misses], add },
      { swap: [misses, hits], sweep, add },
      {
        if: [{ query: store.quick.selectFrom('told').select('at').where('subject', '=', 'none') }],
        swap: [hits],
        add,
      },
      { if: [{ query: store.quick.selectFrom('told').select('at').where('subject', '=', 'none') }], add },
    ])
      expect(await store.write('durable', batch)).toBeUndefined();
    expect(await rowsIn(store)).toEqual(before);
  });

  test('changes nothing where something that it adds is there already, and others that are written with it stay', async () => {
    const store = await open();
    await store.write('quick', { add: { told: [told('one')] } });
    const all = await Promise.allSettled([
      store.write('quick', { add: { told: [told('two')] } }),
      store.write('quick', {
        sweep: [store.quick.deleteFrom('told').where('subject', '=', 'two')],
        add: { told: [told('three'), told('one')] },
      }),
      store.write('quick', { add: { told: [told('four')] } }),
    ]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await rowsIn(store)).toEqual(['four: said', 'one: said', 'two: said']);
  });

  test('holds for one of many that want the same', async () => {
    const store = await open();
    await store.write('quick', { add: { told: [told('one')] } });
    const wants = (name: string) =>
      store.write('durable', {
        swap: [{ query: changed(store, 'one', name) }],
        sweep: [store.durable.deleteFrom('told').where('subject', '=', 'nothing')],
        add: { told: [told(`${name} won`)] },
      });
    const all = await Promise.all(Array.from({ length: 20 }, (_, number) => wants(`number ${number}`)));
    expect(all.filter((written) => written !== undefined)).toHaveLength(1);
    expect(await rowsIn(store)).toHaveLength(2);
  });

  test('keeps a row that it depends on as it is until it is written', async () => {
    const store = await open();
    await store.write('quick', { add: { told: [told('one')] } });
    const depends = (number: number) =>
      store.write('quick', {
        if: [
          {
            query: store.quick
              .selectFrom('told')
              .select('at')
              .where('subject', '=', 'one')
              .where('words', '=', 'said'),
          },
        ],
        add: { told: [told(`depends ${number}`)] },
      });
    const ends = store.write('quick', {
      swap: [{ query: changed(store, 'one', 'over') }],
      sweep: [store.quick.deleteFrom('told').where('subject', 'like', 'depends%')],
    });
    await Promise.all([...Array.from({ length: 10 }, (_, number) => depends(number)), ends]);
    expect(
      await store.write('quick', { swap: [{ query: changed(store, 'one', 'over', 'over') }] }),
    ).toHaveLength(1);
    expect(await depends(10)).toBeUndefined();
  });
});
