import { describe, expect, onTestFinished, test } from 'vitest';
import { stores } from '../../../test/stores.ts';

describe.each(stores)('what the chat delivers, in $store', ({ newPlace, open }) => {
  test('is first once, on whatever replica it arrives, and again after it was forgotten', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const journals = [await open(place, clock), await open(place, clock), await open(place, clock)];
    const answers = await Promise.all(
      [...journals, ...journals].map((journal) => journal.claimDelivery('E1')),
    );
    expect(answers.filter(Boolean)).toHaveLength(1);
    const [journal] = journals;
    expect(await journal?.claimDelivery('E2')).toBe(true);
    await journal?.forgetDeliveries(1_000, 50);
    expect(await journal?.claimDelivery('E1')).toBe(false);
    await journal?.forgetDeliveries(1_001, 50);
    expect(await journal?.claimDelivery('E1')).toBe(true);
  });

  test('and was a line is told of when whoever was at it is gone and nothing came of it, once', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const [one, other] = [await open(place, clock, 'one'), await open(place, clock, 'other')];
    const typed = (person: string) => ({ channel: 'C1', person });
    for (const person of ['U1', 'U2', 'U3']) await one.claimDelivery(`line of ${person}`, typed(person));
    await one.claimDelivery('click');
    await other.claimDelivery('line of U4', typed('U4'));
    await one.seenTo('line of U1');
    await one.write({ state: 'refused', team: 'T1', ...typed('U2'), line: 'rdp', delivery: 'line of U2' });
    // Another line of the same person, which says nothing about the one that was lost.
    await one.write({ state: 'refused', team: 'T1', ...typed('U3'), line: 'rdp', delivery: 'next of U3' });
    const told = async () => {
      const messages = await other.missed((missed) => [
        { key: missed.person, kind: 'post', orderingKey: 'person', content: { ...missed } },
      ]);
      return messages.map(({ key }) => key);
    };
    await one.heartbeat();
    expect(await told()).toEqual([]);
    await one.leave();
    expect(await told()).toEqual(['U3']);
    expect(await told()).toEqual([]);
    expect(await other.unsent()).toMatchObject([{ key: 'U3', content: { ...typed('U3'), at: 1_000 } }]);
  });

  test('and of which is not known who has typed it, or where, keeps nobody from being told of theirs', async () => {
    const place = await newPlace();
    const [one, other] = [await open(place, undefined, 'one'), await open(place, undefined, 'other')];
    for (const person of ['U1', 'U2', 'U3']) await one.claimDelivery(person, { channel: 'C1', person });
    const store = place();
    onTestFinished(() => store.close());
    await store.quick.updateTable('deliveries').set({ person: null }).where('key', '=', 'U1').execute();
    await store.quick.updateTable('deliveries').set({ channel: null }).where('key', '=', 'U2').execute();
    const told: unknown[] = [];
    await other.missed((missed) => {
      told.push(missed);
      return [];
    });
    expect(told).toEqual([{ at: 1_000, channel: 'C1', person: 'U3' }]);
  });

  test('and was a line is not told of when something came of it later', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const [one, other] = [await open(place, clock, 'one'), await open(place, clock, 'other')];
    const typed = { channel: 'C1', person: 'U1' };
    await one.claimDelivery('a line', typed);
    clock.at = 2_000;
    await one.write({ state: 'refused', team: 'T1', ...typed, line: 'rdp', delivery: 'a line' });
    const told: unknown[] = [];
    await other.missed((missed) => {
      told.push(missed);
      return [];
    });
    expect(told).toEqual([]);
  });
});
