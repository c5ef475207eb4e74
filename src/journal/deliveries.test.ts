import { describe, expect, test } from 'vitest';
import { stores } from '../../test/stores.ts';

describe.each(stores)('what the chat delivers, in $store', ({ newPlace, open }) => {
  test('is first once, on whatever replica it arrives, and again after it was forgotten', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const journals = [await open(place, clock), await open(place, clock), await open(place, clock)];
    const answers = await Promise.all([...journals, ...journals].map((journal) => journal.isFirst('E1')));
    expect(answers.filter(Boolean)).toHaveLength(1);
    const [journal] = journals;
    expect(await journal?.isFirst('E2')).toBe(true);
    await journal?.forgetDeliveries(1_000);
    expect(await journal?.isFirst('E1')).toBe(false);
    await journal?.forgetDeliveries(1_001);
    expect(await journal?.isFirst('E1')).toBe(true);
  });
});
