import { describe, expect, onTestFinished, test } from 'vitest';
import { startOne } from '../../../test/start-one.ts';
import { stores } from '../../../test/stores.ts';
import type { Journal } from '../journal.ts';
import { webhookRow } from './webhook-events.ts';

const clock = { at: 1_000_000 };
const line = {
  team: 'T1',
  channel: 'C1',
  person: 'U1',
  line: 'vlan stop 3',
  phrase: 'vlan stop <id>',
} as const;

const asked = (journal: Journal, more: { ticket?: string; undoes?: string } = {}) =>
  journal.write({ ...line, effect: 'write', state: 'asked', ...more });

const eventsIn = async (journal: Journal) =>
  (await journal.pendingWebhooks()).map(({ action, event }) => [action, event]);

describe.each(stores)('in $store', ({ open, newPlace }) => {
  test('each way of a change is written down with it, where somebody is told of such changes', async () => {
    const journal = await open();
    const quiet = await asked(journal, { ticket: 'CHG-1' });
    await journal.move(quiet, 'running');
    journal.announced.changes = 'ticketed';
    const [first, plain, planned] = [
      await asked(journal, { ticket: 'CHG-1' }),
      await asked(journal),
      await asked(journal, { ticket: 'CHG-2' }),
    ];
    await journal.move(plain, 'running');
    const running = await journal.move(first, 'running');
    const done =
      running && (await journal.move(running, 'done', { outcome: { code: 'done', says: 'Stopped.' } }));
    expect(done?.state).toBe('done');
    // Of two who do it, the second has nothing to tell.
    expect(running && (await journal.move(running, 'failed'))).toBeUndefined();
    await journal.move(planned, 'planned', { runAt: Date.UTC(2027, 0, 1) });
    const undo = await asked(journal, { ticket: 'CHG-1', undoes: first.id });
    const undoing = await journal.move(undo, 'running');
    if (undoing !== undefined) await journal.move(undoing, 'done');
    expect(await eventsIn(journal)).toEqual([
      [first.id, 'change.asked'],
      [first.id, 'change.done'],
      [planned.id, 'change.asked'],
      [planned.id, 'change.planned'],
      [undo.id, 'change.asked'],
      [undo.id, 'change.done'],
      [first.id, 'change.undone'],
    ]);
    const [, told, , held] = await journal.pendingWebhooks();
    expect(told?.content).toEqual({ outcome: { code: 'done', says: 'Stopped.' } });
    expect(held?.content).toEqual({ runAt: '2027-01-01T00:00:00.000Z' });
  });

  test('what nobody has decided in time, and what was on for a time, is told as well', async () => {
    const journal = await open();
    journal.announced.changes = 'all';
    const waiting = await asked(journal);
    await journal.move(waiting, 'waiting', { expiresAt: clock.at });
    await journal.expireOverdue({ at: clock.at, after: 0, most: 5 }, () => ({
      outcome: { code: 'expired', says: 'Nobody confirmed in time.' },
      messages: [],
    }));
    const timed = await asked(journal);
    const began = await startOne(journal, {
      ...{ action: timed.id, appliance: 'hq', subject: timed.id, channel: 'C1', person: 'U1', reason: '' },
      endsAt: clock.at + 1,
    });
    await journal.endTimedChange(began?.id ?? 0, { how: 'ended', says: 'It is over.' });
    await journal.endTimedChange(began?.id ?? 0, { how: 'found', says: 'It was over.' });
    expect(await eventsIn(journal)).toEqual([
      [waiting.id, 'change.asked'],
      [waiting.id, 'change.expired'],
      [timed.id, 'change.ended'],
    ]);
  });

  test('20,000 of one action keep no other one waiting', async () => {
    const place = newPlace();
    const journal = await open(place, clock);
    const store = (await place)();
    onTestFinished(() => store.close());
    const row = (action: string) => webhookRow(action, 'change.done', {}, clock.at);
    for (let from = 0; from < 20_000; from += 1_000) {
      await store.quick
        .insertInto('webhooks')
        .values(Array.from({ length: 1_000 }, () => row('many')))
        .execute();
    }
    await store.quick
      .insertInto('webhooks')
      .values([row('one'), { ...row('late'), next_try_at: clock.at + 1 }, row('late')])
      .execute();
    expect(await journal.actionsWithWebhooks(20)).toEqual(['many', 'one']);
    expect((await journal.claimWebhooks('many')).map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(await journal.actionsWithWebhooks(20)).toEqual(['one']);
  });

  test('those of an action go to one replica, in their order, and none before the one that is tried later', async () => {
    const place = await newPlace();
    const [one, other] = [await open(place, clock, 'one'), await open(place, clock, 'other')];
    one.announced.changes = 'all';
    const running = await one.move(await asked(one), 'running');
    if (running !== undefined) await one.move(running, 'done');
    const [action = ''] = await one.actionsWithWebhooks(5);
    const [first, second] = await one.claimWebhooks(action);
    expect([first?.event, second?.event]).toEqual(['change.asked', 'change.done']);
    expect(await other.claimWebhooks(action)).toEqual([]);
    await one.retryWebhook(first?.id ?? 0, clock.at + 5_000);
    await one.releaseWebhooks([second?.id ?? 0]);
    expect(await other.actionsWithWebhooks(5)).toEqual([]);
    expect(await other.claimWebhooks(action)).toEqual([]);
    clock.at += 5_000;
    expect((await other.claimWebhooks(action)).map(({ key }) => key)).toEqual([first?.key, second?.key]);
    await other.finishWebhook(first?.id ?? 0);
    expect(await eventsIn(one)).toEqual([[action, 'change.done']]);
  });
});
