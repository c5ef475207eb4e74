import { describe, expect, test } from 'vitest';
import { allOf, answered, asked, type Opened, openIn, recorder } from '../../../test/audit-records.ts';
import { startOne } from '../../../test/start-one.ts';
import { stores } from '../../../test/stores.ts';
import type { Action, NewAction } from '../journal.ts';
import { verifyRecords } from './verify/verify.ts';

const day = 24 * 60 * 60_000;

/** A change that is done and recorded, with what it leaves behind. */
async function done({ journal, clock }: Opened, more: Partial<NewAction> = {}): Promise<Action> {
  clock.at += 1_000;
  const action = await journal.write({ ...asked, ...more, state: 'done', outcome: answered });
  await journal.note(action.id, { kind: 'request', content: {} });
  await journal.approve(action.id, 'q1', { person: 'U9', human: 'H9' });
  await journal.record(recorder);
  return action;
}

/** The same, and it is on for a time. */
async function on(opened: Opened, more: Partial<NewAction> = {}) {
  const action = await done(opened, more);
  const row = await startOne(opened.journal, {
    ...{ action: action.id, appliance: 'hq', subject: action.id, channel: 'C1', person: 'U1', reason: '' },
    endsAt: opened.clock.at + 400 * day,
  });
  return { action, id: row?.id ?? 0 };
}

/** What is in the journal of these, by their names. */
async function left({ journal }: Opened, all: Readonly<Record<string, Action>>): Promise<readonly string[]> {
  const there = Object.entries(all).map(async ([name, { id }]) => ((await journal.byId(id)) ? [name] : []));
  return (await Promise.all(there)).flat();
}

const isWhole = async ({ store, clock }: Opened) =>
  (await verifyRecords(store, { held: [], keep: () => undefined, now: clock.at })).broken?.says ?? 'whole';

/** Piece after piece, as the clock has it done. */
async function pruneAll({ journal, clock }: Opened, most: number): Promise<readonly number[]> {
  const pieces: number[] = [];
  for (let count = 1; count > 0; pieces.push(count)) count = await journal.prune(clock.at - 30 * day, most);
  return pieces;
}

describe.each(stores)('what is older than the policy wants it, in $store', (kind) => {
  test('goes in pieces, oldest first, with its events, approvals and what was on for a time, and the chain holds after each of them', async () => {
    const opened = await openIn(kind);
    const { journal, store, clock } = opened;
    const { action, id } = await on(opened);
    await journal.endTimedChange(id, { how: 'person', says: 'It is over.', by: action.id });
    await journal.reported(id);
    const others = [await done(opened), await done(opened), await done(opened)];
    clock.at += 31 * day;
    const young = await done(opened);
    const [one] = await allOf(journal);
    expect(await journal.timedChangesEndedBy(action.id)).toHaveLength(1);
    expect(await journal.prune(clock.at - 30 * day, 2)).toBe(2);
    expect(await isWhole(opened)).toBe('whole');
    expect(await pruneAll(opened, 1)).toEqual([1, 1, 0]);
    expect(await isWhole(opened)).toBe('whole');
    expect(await left(opened, { first: action, second: others[0] ?? young, young })).toEqual(['young']);
    expect(await allOf(journal)).toEqual([one]);
    expect(await journal.eventsOf(action.id)).toEqual([]);
    expect(await journal.approvalsOf(action.id, 'q1')).toEqual([]);
    const rows = await store.quick.selectFrom('timed_changes').select('id').execute();
    expect(rows).toEqual([]);
    expect(await journal.hasRecord(1, 'anything')).toBe(true);
  });

  test('stays while it waits, is on, must still be applied or told, or is the plan of what is', async () => {
    const opened = await openIn(kind);
    const { journal, clock } = opened;
    const plan = await done(opened, { line: 'plan', phrase: 'plan' });
    const step = await on(opened, { plan: plan.id, step: 1 });
    const unreported = await on(opened);
    await journal.endTimedChange(unreported.id, { how: 'ended', says: 'It is over.' });
    const applying = await done(opened);
    const apply = await journal.addPendingApply({ appliance: 'hq', what: 'acl', action: applying.id });
    const waiting = await journal.move(await journal.write(asked), 'waiting', { token: 'w' });
    const planned = await journal.move(await journal.write(asked), 'planned', { runAt: clock.at + 90 * day });
    const over = await done(opened);
    if (waiting === undefined || planned === undefined) throw new Error('They wait');
    const all = { plan, step: step.action, unreported: unreported.action, applying, waiting, planned, over };
    clock.at += 60 * day;
    expect(await pruneAll(opened, 500)).toEqual([5, 0]);
    expect(await left(opened, all)).toEqual([
      ...['plan', 'step', 'unreported', 'applying', 'waiting', 'planned'],
    ]);
    expect(await isWhole(opened)).toBe('whole');

    // Once it is over, it goes at the next look, though no record goes with it.
    await journal.endTimedChange(step.id, { how: 'ended', says: 'It is over.' });
    await journal.reported(step.id);
    await journal.reported(unreported.id);
    await journal.startApply('hq', [apply.id]);
    await journal.settleApply('hq', [apply.id], clock.at);
    expect(await pruneAll(opened, 500)).toEqual([0]);
    expect(await left(opened, all)).toEqual(['waiting', 'planned']);
    expect(await journal.timedChanges()).toEqual([]);
    expect(await isWhole(opened)).toBe('whole');
  });
});
