import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import type { ToSend } from './outbox.ts';

const message = (key: string, orderingKey = key): ToSend => ({
  key,
  orderingKey,
  kind: 'said',
  content: { says: key },
});
const keysOf = (messages: readonly { readonly key: string }[]) => messages.map(({ key }) => key);

describe.each(stores)('what is to be said, in $store', ({ newPlace, open }) => {
  test('is this replica’s to send at once, and nobody else’s', async () => {
    const place = newPlace();
    const [one, other] = [await open(place), await open(place)];
    await one.post([message('a', 'card'), message('b', 'card')]);
    expect(await other.dueOrderingKeys(20, 'awaited')).toEqual([]);
    expect(await other.claimOrderingKey('card')).toEqual([]);
    const known = { action: undefined, createdAt: 1_000, tries: 0, isMaybeDelivered: false };
    expect(await one.claimOrderingKey('card')).toEqual([
      { ...message('a', 'card'), ...known },
      { ...message('b', 'card'), ...known },
    ]);
  });

  test('waits behind what is to be said before it in the same place', async () => {
    const clock = { at: 1_000 };
    const journal = await open(newPlace(), clock);
    await journal.post([message('first', 'card')]);
    await journal.retryLater('first', 2_000, false);
    await journal.post([message('second', 'card')]);
    expect(await journal.claimOrderingKey('card')).toEqual([]);
    await journal.releaseMessages(['second']);
    clock.at = 2_000;
    expect(await journal.dueOrderingKeys(20, 'awaited')).toEqual(['card']);
    expect(keysOf(await journal.claimOrderingKey('card'))).toEqual(['first', 'second']);
  });

  test('20,000 in one place take nothing away from others, and go out one after the other', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const journal = await open(place, clock);
    const store = (await place)();
    onTestFinished(() => store.close());
    const line = (from: number, orderingKey: string) =>
      journal.post(
        Array.from({ length: 1_000 }, (_, index) => message(`${orderingKey}-${from + index}`, orderingKey)),
      );
    for (let from = 0; from < 20_000; from += 1_000) await line(from, 'audit');
    await journal.post([
      message('late', 'late'),
      message('card'),
      { ...message('behind'), background: true },
    ]);
    await sql`update outbox set held_by = null, held_since = null`.execute(store.quick);
    await journal.claimOrderingKey('late');
    await journal.retryLater('late', 2_000, false);
    expect(await journal.dueOrderingKeys(20, 'awaited')).toEqual(['audit', 'card']);
    expect(await journal.dueOrderingKeys(1, 'awaited')).toEqual(['audit']);
    expect(await journal.dueOrderingKeys(20, 'background')).toEqual(['behind']);
    const first = await journal.claimOrderingKey('audit');
    expect(keysOf(first)).toEqual(Array.from({ length: 20 }, (_, index) => `audit-${index}`));
    // While its first is held, put off, or not due, nobody takes what comes after it.
    expect(await journal.dueOrderingKeys(20, 'awaited')).toEqual(['card']);
    await journal.retryLater('audit-0', 3_000, false);
    await journal.releaseMessages(keysOf(first));
    expect(await journal.dueOrderingKeys(20, 'awaited')).toEqual(['card']);
    clock.at = 3_000;
    expect(await journal.dueOrderingKeys(20, 'awaited')).toEqual(['audit', 'late', 'card']);
  });

  test('is claimed and looked for in pieces, however much it is, and what is put off keeps nobody else waiting', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const [one, other] = [await open(place, clock), await open(place, clock)];
    const many = Array.from({ length: 50 }, (_, index) => message(`a${index}`, 'person'));
    const cards = Array.from({ length: 10 }, (_, index) => message(`c${index}`));
    const background = cards.map(({ key }) => ({ ...message(`b${key}`), background: true as const }));
    await one.post([...many, ...cards, ...background]);
    const [first, ...others] = await one.claimOrderingKey('person');
    expect(keysOf([first, ...others].flatMap((each) => each ?? []))).toEqual(keysOf(many.slice(0, 20)));
    // One of its pieces is one replica's, and the next comes after it.
    await one.releaseMessages(keysOf(many.slice(20)));
    expect(await other.claimOrderingKey('person')).toEqual([]);
    await one.releaseMessages(keysOf([...others, ...cards, ...background]));
    await one.retryLater('a0', 9_000, false);
    expect(await other.dueOrderingKeys(4, 'awaited')).toHaveLength(4);
    expect(await other.dueOrderingKeys(99, 'awaited')).toEqual(expect.not.arrayContaining(['person']));
    expect(await other.dueOrderingKeys(99, 'background')).toEqual(keysOf(background));
    clock.at = 9_000;
    for (const one of many.slice(0, 20)) await other.acknowledge(one.key);
    expect(keysOf(await other.claimOrderingKey('person'))).toEqual(keysOf(many.slice(20, 40)));
  });

  test('is tried again when it is due, by whoever is first, with what is known of earlier tries', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const [one, other] = [await open(place, clock), await open(place, clock)];
    await one.post([message('a')]);
    await one.retryLater('a', 5_000, true);
    clock.at = 4_999;
    expect(await other.dueOrderingKeys(20, 'awaited')).toEqual([]);
    expect(await other.claimOrderingKey('a')).toEqual([]);
    clock.at = 5_000;
    const claimed = await Promise.all([one.claimOrderingKey('a'), other.claimOrderingKey('a')]);
    expect(claimed.flat()).toMatchObject([{ key: 'a', tries: 1, isMaybeDelivered: true }]);
  });

  test('is due again when whoever was to send it has not for a minute, to that one alone', async () => {
    const clock = { at: 1_000 };
    const place = newPlace();
    const [one, other] = [await open(place, clock), await open(place, clock)];
    await one.post([message('a')]);
    clock.at += 59_999;
    expect(await one.dueOrderingKeys(20, 'awaited')).toEqual([]);
    clock.at += 1;
    expect(await one.dueOrderingKeys(20, 'awaited')).toEqual(['a']);
    expect(await other.dueOrderingKeys(20, 'awaited')).toEqual([]);
    expect(keysOf(await one.claimOrderingKey('a'))).toEqual(['a']);
  });

  test('is over when it got out', async () => {
    const journal = await open();
    await journal.post([message('a')]);
    await journal.acknowledge('a');
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
