import { describe, expect, test } from 'vitest';
import { stores } from '../../../test/stores.ts';

const asked = { team: 'T1', channel: 'C1', person: 'U1', line: 'rdp disconnect 12' };

describe.each(stores)('what happened to an action on its way, in $store', ({ open }) => {
  test('is its own, in the order in which it was noted, with its moment', async () => {
    const clock = { at: 1_000 };
    const journal = await open(undefined, clock);
    const { id } = await journal.write({ ...asked, state: 'asked' });
    const request = { kind: 'request', at: 500, content: { path: '/acl' } } as const;
    await journal.note(id, { kind: 'shown', content: { question: 'Disconnect?' } }, request);
    clock.at = 2_000;
    await journal.note(id, { kind: 'click_refused', content: { why: 'role' } });
    await journal.note('another', { kind: 'shown', content: null });
    expect(await journal.eventsOf(id)).toEqual([
      { kind: 'shown', at: 1_000, content: { question: 'Disconnect?' } },
      request,
      { kind: 'click_refused', at: 2_000, content: { why: 'role' } },
    ]);
  });

  test('is noted with the state that it led to, or not at all', async () => {
    const journal = await open();
    const action = await journal.write({ ...asked, state: 'asked', effect: 'write' });
    const event = { kind: 'shown', content: {} } as const;
    await journal.move(action, 'waiting', { events: [event] });
    await journal.move(action, 'waiting', { events: [event] });
    expect(await journal.eventsOf(action.id)).toHaveLength(1);
  });

  test('may be more than fits into one statement', async () => {
    const journal = await open();
    const { id } = await journal.write({ ...asked, state: 'asked', effect: 'write' });
    const looked = Array.from(
      { length: 20_000 },
      (_, at) => ({ kind: 'request', at, content: { at } }) as const,
    );
    await journal.note(id, ...looked);
    expect(await journal.eventsOf(id)).toEqual(looked);
  });

  test('may be nothing', async () => {
    const journal = await open();
    await journal.note('a1');
    expect(await journal.eventsOf('a1')).toEqual([]);
  });
});
