import { expect, test } from 'vitest';
import { stores } from '../../test/stores.ts';

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
