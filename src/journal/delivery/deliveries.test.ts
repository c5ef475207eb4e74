import { describe, expect, onTestFinished, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import type { Journal } from '../journal.ts';

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
    await one.write({ state: 'running', team: 'T1', ...typed('U2'), line: 'rdp', delivery: 'line of U2' });
    // Another line of the same person, which says nothing about the one that was lost.
    await one.write({ state: 'refused', team: 'T1', ...typed('U3'), line: 'rdp', delivery: 'next of U3' });
    await one.heartbeat();
    expect(await missedBy(other)).toEqual([]);
    await one.leave();
    // However long nobody was there to tell of it.
    await other.forgetDeliveries(Number.MAX_SAFE_INTEGER, 50);
    expect(await missedBy(other)).toEqual(['U3']);
    expect(await missedBy(other)).toEqual([]);
    expect(await other.unsent()).toMatchObject([{ key: 'U3', content: { ...typed('U3'), at: 1_000 } }]);
  });

  test('and was a line is told of by one of those who find it at the same moment, the oldest first', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const [gone, one, other] = [
      await open(place, clock, 'gone'),
      await open(place, clock, 'one'),
      await open(place, clock, 'other'),
    ];
    const people = Array.from({ length: 12 }, (_, number) => `U${number}`);
    for (const person of people.toReversed()) {
      clock.at = 2_000 + people.indexOf(person);
      await gone.claimDelivery(`line of ${person}`, { channel: 'C1', person });
    }
    await one.heartbeat();
    await other.heartbeat();
    await gone.leave();
    const found = await Promise.all([missedBy(one), missedBy(other)]);
    expect(found.toSorted((few, many) => few.length - many.length)).toEqual([[], people]);
  });

  test('and was a line is told of, with what came of it, when nobody knows whether its person heard that', async () => {
    const place = newPlace();
    const [one, other] = [await open(place, undefined, 'one'), await open(place, undefined, 'other')];
    const outcome = { code: 'denied', says: 'You may not.' };
    for (const person of ['U1', 'U2', 'U3', 'U4']) {
      const typed = { channel: 'C1', person };
      await one.claimDelivery(`line of ${person}`, typed);
      const { id } = await one.write({
        ...{ state: 'refused', team: 'T1', ...typed, line: 'rdp', delivery: `line of ${person}`, outcome },
      });
      if (person === 'U2') await one.placed(id, '17.1');
      if (person === 'U3')
        await one.post([{ key: 'answer', action: id, kind: 'answer', orderingKey: id, content: {} }]);
      if (person === 'U4') await one.seenTo('line of U4');
    }
    await one.leave();
    const told: unknown[] = [];
    await other.missed(({ person, action }) => {
      told.push([person, action?.state, action?.outcome?.says]);
      return [];
    });
    expect(told).toEqual([['U1', 'refused', 'You may not.']]);
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
    await one.write({ state: 'running', team: 'T1', ...typed, line: 'rdp', delivery: 'a line' });
    const told: unknown[] = [];
    await other.missed((missed) => {
      told.push(missed);
      return [];
    });
    expect(told).toEqual([]);
  });
});

/** Whose lines it tells of, each with a message that has the person's name for its key. */
async function missedBy(journal: Journal): Promise<readonly string[]> {
  const messages = await journal.missed(({ at, channel, person }) => [
    { key: person, kind: 'post', orderingKey: 'person', content: { at, channel, person } },
  ]);
  return messages.map(({ key }) => key);
}
