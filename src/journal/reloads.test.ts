import { expect, onTestFinished, test } from 'vitest';
import { newPostgres, stores } from '../../test/stores.ts';
import { openJournal } from './journal.ts';
import { openPostgres } from './storage/postgres.ts';

test.each(stores)(
  'in $store, reloads of the policy are kept across a restart, the newest first, with their moment and every sentence',
  async ({ newPlace, open }) => {
    const clock = { at: 1_000 };
    const place = newPlace();
    let journal = await open(place, clock);
    expect(await journal.reloads()).toEqual([]);
    await journal.writeReload({ outcome: 'refused', told: ['bot.yml:3 x is not a setting.', 'another'] });
    // Two at the same moment stay in their order.
    await journal.writeReload({ outcome: 'taken', told: ['first'] });
    clock.at = 2_000;
    await journal.writeReload({ outcome: 'taken', told: [] });
    await journal.close();
    journal = await open(place, clock);
    expect(await journal.reloads()).toEqual([
      { at: 2_000, outcome: 'taken', told: [] },
      { at: 1_000, outcome: 'taken', told: ['first'] },
      { at: 1_000, outcome: 'refused', told: ['bot.yml:3 x is not a setting.', 'another'] },
    ]);
    expect(await journal.reloads(1)).toHaveLength(1);
  },
);

test.each(stores)(
  'in $store, one that somebody has edited keeps no other from being read',
  async ({ newPlace, open }) => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const journal = await open(place, clock);
    for (const told of ['first', 'second']) await journal.writeReload({ outcome: 'taken', told: [told] });
    const store = (await place)();
    onTestFinished(() => store.close());
    const edited = store.quick.updateTable('reloads').set({ told_json: '["seco' });
    await edited.where('told_json', '=', '["second"]').execute();
    expect((await journal.reloads()).map(({ told }) => told)).toEqual([
      ['The changes can no longer be read.'],
      ['first'],
    ]);
  },
);

test('of replicas that find the same within minutes one is first; what comes back later, or to the same one, is news', async () => {
  const url = await newPostgres();
  const clock = { at: 1_000 };
  const open = async (replica: string) => {
    const journal = await openJournal(openPostgres(url), () => clock.at, replica);
    onTestFinished(() => journal.close());
    return journal;
  };
  const [one, other] = [await open('one'), await open('other')];
  const served = { outcome: 'taken', told: ['C1 is served now.'] } as const;
  const both = await Promise.all([one, other].map((journal) => journal.writeReload(served)));
  expect(both.toSorted()).toEqual([false, true]);
  const [first, second] = both[0] ? [one, other] : [other, one];
  expect(await second.writeReload({ outcome: 'taken', told: ['C1 is served no more.'] })).toBe(true);
  expect(await first.writeReload({ outcome: 'taken', told: ['C1 is served no more.'] })).toBe(false);
  expect(await second.writeReload({ outcome: 'refused', told: served.told })).toBe(true);
  expect(await first.writeReload(served)).toBe(true);
  expect(await second.writeReload(served)).toBe(false);
  clock.at += 10 * 60_000;
  expect(await second.writeReload(served)).toBe(true);
  expect(await one.reloads()).toHaveLength(5);
});
