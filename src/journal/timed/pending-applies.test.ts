import { describe, expect, test } from 'vitest';
import { stores } from '../../../test/stores.ts';
import type { PendingApply } from './pending-applies.ts';

const acl = { appliance: 'hq', what: 'acl', action: 'action-1' };
const category = { appliance: 'hq', what: 'category:252', action: 'action-2' };
const branch = { appliance: 'branch-2', what: 'acl', action: 'action-3' };

describe.each(stores)('in $store', ({ newPlace, open }) => {
  const ids = (rows: readonly PendingApply[]) => rows.map(({ id }) => id);

  describe('what is pending', () => {
    test('is remembered, the oldest first, of one appliance or of all', async () => {
      const clock = { at: 1_000 };
      const journal = await open(newPlace(), clock);
      const first = await journal.addPendingApply(acl);
      expect(first).toEqual({
        ...acl,
        id: first.id,
        state: 'pending',
        since: 1_000,
        tries: 0,
        lastProblem: undefined,
        nextTryAt: 0,
      });
      // A clock that is set back does not change what came first.
      clock.at = 500;
      const others = [await journal.addPendingApply(branch), await journal.addPendingApply(category)];
      expect(await journal.pendingApplies()).toEqual([first, ...others]);
      expect(await journal.pendingApplies('hq')).toEqual([first, others[1]]);
      expect(await journal.pendingApplies('nowhere')).toEqual([]);
    });

    test('outlives the process, with its attempts and its problem', async () => {
      const place = newPlace();
      const before = await open(place);
      await before.addPendingApply(acl);
      await before.failApply(ids(await before.startApply('hq')), 'The appliance did not answer.', 9_000);
      await before.addPendingApply(category);
      const all = await before.pendingApplies();
      await before.close();
      const after = await open(place);
      expect(await after.pendingApplies()).toEqual(all);
      expect(all).toMatchObject([{ tries: 1, lastProblem: 'The appliance did not answer.' }, { tries: 0 }]);
    });

    test('is not live yet while it is being applied', async () => {
      const journal = await open();
      await journal.addPendingApply(acl);
      await journal.startApply('hq');
      await journal.addPendingApply(category);
      expect(await journal.pendingApplies('hq')).toMatchObject([
        { what: 'acl', state: 'applying' },
        { what: 'category:252', state: 'pending' },
      ]);
    });
  });

  describe('an apply', () => {
    test('takes the whole burst of its appliance, and of no other', async () => {
      const journal = await open();
      const burst = [await journal.addPendingApply(acl), await journal.addPendingApply(category)];
      await journal.addPendingApply(branch);
      const claimed = burst.map((pendingApply) => ({
        ...pendingApply,
        state: 'applying',
        heldBy: journal.replica,
      }));
      expect(await journal.startApply('hq')).toEqual(claimed);
      expect(await journal.pendingApplies('branch-2')).toMatchObject([{ state: 'pending' }]);
    });

    test('leaves what is pending meanwhile for the next one', async () => {
      const journal = await open();
      await journal.addPendingApply(acl);
      const first = await journal.startApply('hq');
      const late = await journal.addPendingApply(category);
      await journal.settleApply('hq', ids(first), 2_000);
      expect(ids(await journal.pendingApplies('hq'))).toEqual([late.id]);
      expect(ids(await journal.startApply('hq'))).toEqual([late.id]);
      expect(await journal.startApply('hq')).toEqual([]);
    });

    test('is begun by one of fifty who try at the same time, with the whole burst', async () => {
      const journal = await open();
      for (let change = 0; change < 5; change += 1) await journal.addPendingApply(acl);
      const starts = await Promise.all(Array.from({ length: 50 }, () => journal.startApply('hq')));
      expect(starts.filter((burst) => burst.length > 0).map((burst) => burst.length)).toEqual([5]);
    });

    test('is begun by one, when two processes try at the same time', async () => {
      const place = newPlace();
      const [one, other] = [await open(place), await open(place)];
      for (let round = 0; round < 10; round += 1) {
        await one.addPendingApply(acl);
        await other.addPendingApply(category);
        const starts = await Promise.all([one, other, one, other].map((journal) => journal.startApply('hq')));
        expect(starts.map((burst) => burst.length).toSorted()).toEqual([0, 0, 0, 2]);
      }
    });

    test('that succeeded tells whose changes are live and since when, and owes them no more', async () => {
      const journal = await open();
      await journal.addPendingApply(acl);
      await journal.addPendingApply(category);
      const burst = await journal.startApply('hq');
      const live = await journal.settleApply('hq', ids(burst).toReversed(), 2_000);
      expect(live).toEqual(burst.map((pendingApply) => ({ ...pendingApply, liveAt: 2_000 })));
      expect(live.map(({ action }) => action)).toEqual(['action-1', 'action-2']);
      expect(await journal.pendingApplies()).toEqual([]);
      expect(await journal.settleApply('hq', ids(burst), 3_000)).toEqual([]);
    });

    test('that failed is pending again, with its problem, and comes before what is newer', async () => {
      const journal = await open();
      const { id } = await journal.addPendingApply(acl);
      await journal.startApply('hq');
      const newer = await journal.addPendingApply(category);
      expect(await journal.failApply([id], 'No answer.', 9_000)).toMatchObject([
        { id, state: 'pending', since: 1_000, tries: 1, lastProblem: 'No answer.' },
      ]);
      expect(ids(await journal.startApply('hq'))).toEqual([id, newer.id]);
      expect(await journal.failApply([id], 'The disk is full.', 9_000)).toMatchObject([
        { tries: 2, lastProblem: 'The disk is full.' },
      ]);
      expect(await journal.pendingApplies('hq')).toMatchObject([
        { id },
        { id: newer.id, tries: 0, state: 'applying' },
      ]);
    });

    test('ends only what was begun', async () => {
      const journal = await open();
      const waiting = await journal.addPendingApply(acl);
      expect(await journal.settleApply('hq', [waiting.id], 2_000)).toEqual([]);
      expect(await journal.failApply([waiting.id], 'No answer.', 9_000)).toEqual([]);
      expect(await journal.settleApply('hq', [], 2_000)).toEqual([]);
      expect(await journal.pendingApplies()).toEqual([waiting]);
    });

    test('ends without touching the one of another appliance', async () => {
      const journal = await open();
      const { id } = await journal.addPendingApply(acl);
      await journal.addPendingApply(branch);
      await journal.startApply('hq');
      const other = await journal.startApply('branch-2');
      await journal.settleApply('hq', [id], 2_000);
      expect(await journal.pendingApplies()).toEqual(other);
    });

    test('never settles what came after it: no id is given twice', async () => {
      const journal = await open();
      const { id } = await journal.addPendingApply(acl);
      await journal.startApply('hq');
      await journal.settleApply('hq', [id], 2_000);
      expect((await journal.addPendingApply(category)).id).toBeGreaterThan(id);
    });

    test('may be of any size', async () => {
      const journal = await open();
      const { id } = await journal.addPendingApply(acl);
      const [pendingApply] = await journal.startApply('hq');
      const many = Array.from({ length: 50_000 }, (_, other) => id + other);
      expect(await journal.settleApply('hq', many, 2_000)).toEqual([{ ...pendingApply, liveAt: 2_000 }]);
    });

    test('that a crash interrupted is pending again, and what was settled stays settled', async () => {
      const place = newPlace();
      const crashed = await open(place);
      await crashed.addPendingApply(acl);
      await crashed.settleApply('hq', ids(await crashed.startApply('hq')), 2_000);
      await crashed.addPendingApply(category);
      const [interrupted] = await crashed.startApply('hq');
      const untouched = await crashed.addPendingApply(branch);
      // Not closed: a crash does not close anything.
      const journal = await open(place);
      await journal.adoptOrphans();
      expect(await journal.pendingApplies()).toEqual([
        { ...interrupted, state: 'pending', heldBy: undefined },
        untouched,
      ]);
    });
  });
});
