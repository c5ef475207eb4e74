import { expect, test } from 'vitest';
import { stores } from '../../../test/stores.ts';

const day = 24 * 60 * 60_000;

test.each(stores)(
  'in $store, one of all replicas tells it, also after a restart, and once more when it is news or long ago',
  async ({ newPlace, open }) => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const [one, other] = [await open(place, clock, 'one'), await open(place, clock, 'other')];
    const both = await Promise.all([one, other].map((journal) => journal.tellOnce('a', 'away', day)));
    expect(both.filter((before) => before !== undefined)).toEqual([{ words: undefined, at: undefined }]);
    expect(await other.tellOnce('b', 'away', day)).toBeDefined();
    clock.at += day - 1;
    expect(await other.tellOnce('a', 'away', day)).toBeUndefined();
    clock.at += 1;
    expect(await other.tellOnce('a', 'away', day)).toEqual({ words: 'away', at: 1_000 });
    expect(await one.tellOnce('a', 'away', day)).toBeUndefined();
    expect(await one.tellOnce('a', 'taken')).toEqual({ words: 'away', at: 1_000 + day });
    expect(await other.tellOnce('a', 'taken')).toBeUndefined();
    await one.close();
    const again = await open(place, clock, 'one');
    expect(await again.tellOnce('a', 'taken')).toBeUndefined();
  },
);
