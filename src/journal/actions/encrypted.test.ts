import { describe, expect, test } from 'vitest';
import { stores } from '../../../test/stores.ts';

describe.each(stores)('a sealed secret, in $store', ({ newPlace, open }) => {
  test('is found on every replica until its time is over, and the newest counts', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const [one, other] = [await open(place, clock), await open(place, clock)];
    await one.putSealed('a1', 'sealed', 2_000);
    await one.putSealed('a1', 'sealed anew', 3_000);
    clock.at = 2_999;
    expect(await other.sealed('a1')).toBe('sealed anew');
    expect(await other.sealed('a2')).toBeUndefined();
    clock.at = 3_000;
    expect(await other.sealed('a1')).toBeUndefined();
  });

  test('is gone when it is forgotten, or over', async () => {
    const journal = await open();
    for (const [id, until] of [
      ['used', 9_000],
      ['over', 2_000],
      ['wanted', 2_001],
    ] as const) {
      await journal.putSealed(id, id, until);
    }
    await journal.forgetSealed('used');
    await journal.forgetSealedOver(2_000, 50);
    expect(await Promise.all(['used', 'over', 'wanted'].map((id) => journal.sealed(id)))).toEqual([
      undefined,
      undefined,
      'wanted',
    ]);
  });
});
