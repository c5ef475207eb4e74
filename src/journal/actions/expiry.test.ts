import { describe, expect, onTestFinished, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import { openJournal } from '../journal.ts';

const line = { team: 'T1', channel: 'C1', person: 'U1', line: 'rdp disconnect 12' } as const;
const clock = { at: 1_000 };

describe.each(stores)('in $store', ({ newPlace }) => {
  test('cards whose time is over are ended once, by however many, and what is told of each is written down once', async () => {
    const place = await newPlace();
    const one = await openJournal(place(), () => clock.at, 'one');
    const other = await openJournal(place(), () => clock.at, 'other');
    onTestFinished(async () => {
      await one.close();
      await other.close();
    });
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      const asked = await one.write({ ...line, state: 'asked', effect: 'destructive' });
      const waiting = await one.move(asked, 'waiting', { expiresAt: 2_000 + index, card: '1.1' });
      ids.push(waiting?.id ?? '');
    }
    clock.at = 2_019;
    const says = (id: string) => ({
      outcome: { code: 'expired', says: 'Nobody came.' },
      messages: [{ key: id, kind: 'draw', orderingKey: id, content: {}, background: true as const }],
    });
    const expire = async ({ expireOverdue }: typeof one) =>
      (await expireOverdue({ at: clock.at, after: 0, most: 8 }, ({ id }) => says(id))).map(({ id }) => id);
    const pieces: (readonly string[])[] = [];
    while (pieces.flat().length < 20) pieces.push(...(await Promise.all([expire(one), expire(other)])));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(8);
    expect(pieces.flat().toSorted()).toEqual(ids.slice(0, 20).toSorted());
    expect(await expire(one)).toEqual([]);
    expect((await one.unsent()).map(({ key }) => key).toSorted()).toEqual(ids.slice(0, 20).toSorted());
    expect(await one.byId(ids[0] ?? '')).toMatchObject({
      state: 'expired',
      changedAt: 2_019,
      outcome: { code: 'expired' },
    });
    expect((await one.byId(ids[20] ?? ''))?.state).toBe('waiting');
    // Nobody holds them, so that any of them sends them; what people wait for is looked for apart from it.
    expect(await other.dueOrderingKeys(5, 'awaited')).toEqual([]);
    expect(await other.dueOrderingKeys(5, 'background')).toHaveLength(5);
  });

  test('those that have not changed since a restore are left to whoever asks Slack first', async () => {
    const place = await newPlace();
    const journal = await openJournal(place(), () => clock.at, 'one');
    onTestFinished(() => journal.close());
    clock.at = 10_000;
    const asked = await journal.write({ ...line, state: 'asked', effect: 'destructive' });
    await journal.move(asked, 'waiting', { expiresAt: 10_001, card: '1.1' });
    const none = { at: 10_001, after: 10_000, most: 8 };
    expect(await journal.expireOverdue(none, () => Promise.reject() as never)).toEqual([]);
    expect(await journal.overdue(10_001, 1)).toMatchObject([{ id: asked.id }]);
  });
});
