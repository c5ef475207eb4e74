import { describe, expect, test } from 'vitest';
import { startOne } from '../../../test/start-one.ts';
import { stores } from '../../../test/stores.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const start = 1_000 * day;
const change = { team: 'T', channel: 'C', person: 'U', phrase: 'x', line: 'x', effect: 'write' } as const;
const timed = {
  action: 'action-1',
  appliance: 'hq',
  channel: 'C',
  person: 'U',
  reason: 'x',
  subject: 'emergency disable',
};

describe.each(stores)('in $store, when a clock that was a day ahead is set back', ({ newPlace, open }) => {
  const opened = async () => {
    const clock = { at: start + day };
    return { clock, journal: await open(newPlace(), clock) };
  };

  test('what could not be compiled is due at once, and what waits for its pause still does', async () => {
    const { clock, journal } = await opened();
    await journal.addPendingApply({ appliance: 'hq', what: 'acl', action: 'action-1' });
    const ids = (await journal.startApply('hq')).map(({ id }) => id);
    await journal.failApply(ids, 'busy', clock.at + 5 * minute);
    clock.at = start;
    await journal.clockSetBack();
    expect(await journal.pendingApplies()).toMatchObject([{ nextTryAt: start }]);
    const again = (await journal.startApply('hq')).map(({ id }) => id);
    await journal.failApply(again, 'busy', start + 5 * minute);
    await journal.clockSetBack();
    expect(await journal.pendingApplies()).toMatchObject([{ nextTryAt: start + 5 * minute }]);
  });

  test('what this one has claimed and forgotten is taken up again, as after any minute', async () => {
    const { clock, journal } = await opened();
    journal.announced.changes = 'all';
    const asked = await journal.write({ ...change, state: 'asked' });
    await journal.move(asked, 'running');
    expect(await journal.claimWebhooks(asked.id)).toHaveLength(1);
    clock.at = start;
    await journal.clockSetBack();
    clock.at = start + 2 * minute;
    expect(await journal.actionsWithWebhooks(10)).toEqual([asked.id]);
  });

  test('what is to end in half an hour lasts half an hour, also where its end was put off meanwhile', async () => {
    const { clock, journal } = await opened();
    const put = await startOne(journal, { ...timed, endsAt: clock.at + 30 * minute });
    clock.at = start;
    await journal.clockSetBack();
    const endsAt = start + 30 * minute;
    expect(await journal.timedChange('hq', 'emergency disable')).toMatchObject({ startedAt: start, endsAt });
    clock.at = start + day;
    const until = clock.at + 60 * minute;
    expect(
      await journal.extendTimedChange(put?.id ?? 0, endsAt, { action: 'action-2', at: clock.at, until }),
    ).toBe(true);
    clock.at = start + 10 * minute;
    await journal.clockSetBack();
    await journal.clockSetBack();
    expect(await journal.timedChange('hq', 'emergency disable')).toMatchObject({
      startedAt: start,
      endsAt: start + 70 * minute,
    });
    clock.at = start + 70 * minute;
    expect(await journal.claimEnds()).toHaveLength(1);
  });

  test('what cards have said of its beginning is known still: the journal is not taken for an older one', async () => {
    const { clock, journal } = await opened();
    await startOne(journal, { ...timed, endsAt: clock.at + 30 * minute });
    clock.at = start;
    await journal.clockSetBack();
    expect(await journal.newestMoment()).toBe(start + day);
    clock.at = start + minute;
    await journal.clockSetBack();
    expect(await journal.newestMoment()).toBe(start + day);
  });

  test('what people are to be told is said now', async () => {
    const { clock, journal } = await opened();
    await journal.post([{ key: 'k', orderingKey: 'person U', kind: 'said', content: { says: 'x' } }]);
    await journal.releaseMessages(['k']);
    clock.at = start;
    expect(await journal.dueOrderingKeys(10, 'awaited')).toEqual([]);
    await journal.clockSetBack();
    expect(await journal.dueOrderingKeys(10, 'awaited')).toEqual(['person U']);
  });

  test('a card can be confirmed as long as it was to be, and no day longer', async () => {
    const { clock, journal } = await opened();
    const { id } = await journal.write({ ...change, state: 'asked' });
    const action = await journal.byId(id);
    if (action === undefined) throw new Error('It was written');
    await journal.move(action, 'waiting', { expiresAt: clock.at + 5 * minute });
    clock.at = start;
    await journal.clockSetBack();
    expect((await journal.byId(id))?.expiresAt).toBe(start + 5 * minute);
    await journal.clockSetBack();
    expect((await journal.byId(id))?.expiresAt).toBe(start + 5 * minute);
  });
});
