import { describe, expect, test } from 'vitest';
import { stores } from '../../test/stores.ts';
import type { ToSend } from './outbox.ts';

const message = (key: string, lane = key): ToSend => ({ key, lane, kind: 'said', content: { says: key } });
const keysOf = (messages: readonly { readonly key: string }[]) => messages.map(({ key }) => key);

describe.each(stores)('what is to be said, in $store', ({ newPlace, open }) => {
  test('is this replica’s to send at once, and nobody else’s', async () => {
    const place = newPlace();
    const [one, other] = [await open(place), await open(place)];
    expect(await one.post([message('a'), message('b')])).toEqual([message('a'), message('b')]);
    expect(await other.claimDue()).toEqual([]);
    expect(await one.unsent()).toEqual([
      { ...message('a'), action: undefined, createdAt: 1_000, tries: 0, isInDoubt: false },
      { ...message('b'), action: undefined, createdAt: 1_000, tries: 0, isInDoubt: false },
    ]);
  });

  test('waits behind what is to be said before it in the same place', async () => {
    const journal = await open();
    expect(keysOf(await journal.post([message('first', 'card')]))).toEqual(['first']);
    expect(await journal.post([message('second', 'card')])).toEqual([]);
    expect(await journal.claimDue()).toEqual([]);
    await journal.forget('first');
    expect(keysOf(await journal.claimDue())).toEqual(['second']);
    expect(await journal.claimDue()).toEqual([]);
  });

  test('is tried again when it is due, by whoever is first, with what is known of earlier tries', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const [one, other] = [await open(place, clock), await open(place, clock)];
    await one.post([message('a')]);
    await one.putOff('a', 5_000, true);
    clock.at = 4_999;
    expect(await other.claimDue()).toEqual([]);
    clock.at = 5_000;
    expect(await other.claimDue()).toMatchObject([{ key: 'a', tries: 1, isInDoubt: true }]);
    expect(await one.claimDue()).toEqual([]);
  });

  test('is over when it got out', async () => {
    const journal = await open();
    await journal.post([message('a')]);
    await journal.forget('a');
    expect(await journal.unsent()).toEqual([]);
  });

  test('is written down with the state that it tells of, or not at all', async () => {
    const journal = await open();
    const line = {
      team: 'T1',
      channel: 'C1',
      person: 'U1',
      line: 'rdp disconnect 12',
      effect: 'destructive',
    };
    const asked = await journal.write({ ...line, state: 'asked' });
    await journal.move(asked, 'refused', { messages: [message('told')] });
    expect(keysOf(await journal.unsent())).toEqual(['told']);
    // Somebody else was first, and has told it.
    expect(await journal.move(asked, 'refused', { messages: [message('late')] })).toBeUndefined();
    const other = await journal.write({ ...line, state: 'asked' });
    // The same message twice: neither the move nor the message.
    await expect(journal.move(other, 'refused', { messages: [message('told')] })).rejects.toThrow();
    expect(await journal.byId(other.id)).toMatchObject({ state: 'asked' });
    expect(keysOf(await journal.unsent())).toEqual(['told']);
  });
});
