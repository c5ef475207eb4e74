import { describe, expect, test } from 'vitest';
import { startOne } from '../../../test/start-one.ts';
import { stores } from '../../../test/stores.ts';
import type { Journal } from '../journal.ts';

const minute = 60_000;
const clock = { at: 0 };
const from = { action: 'a1', appliance: 'hq', channel: 'C1', person: 'U1', reason: 'directory down' };
const asked = { ...from, subject: 'emergency disable' };
const half = () => ({ ...asked, endsAt: clock.at + 30 * minute });

const idsOf = (rows: readonly { readonly id: number }[]) => rows.map(({ id }) => id);

/** As if it were there. */
function there<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('There is none');
  return value;
}

describe.each(stores)('in $store', ({ newPlace, open: openIn }) => {
  /** Two replicas' journals, in one place. */
  async function open(): Promise<readonly [Journal, Journal]> {
    clock.at = 1_000_000;
    const place = newPlace();
    return [await openIn(place, clock), await openIn(place, clock)];
  }

  describe('a timed change', () => {
    test('is written once for an appliance, whoever else asks at the same time', async () => {
      const [one, other] = await open();
      const both = await Promise.all([startOne(one, half()), startOne(other, { ...half(), action: 'a2' })]);
      expect(both.filter((timedChange) => timedChange !== undefined)).toHaveLength(1);
      expect(await one.timedChange('hq', 'emergency disable')).toMatchObject({
        state: 'on',
        seen: false,
        orders: 0,
        extensions: [],
      });
      expect(await startOne(one, { ...half(), appliance: 'branch-2' })).toBeDefined();
    });

    test('is written for all appliances of its action, or for none where one of them has it already', async () => {
      const [one, other] = await open();
      const on = (action: string, ...appliances: readonly string[]) =>
        appliances.map((appliance) => ({ ...half(), action, appliance }));
      await one.startTimedChanges(on('a1', 'branch-3'));
      expect(await other.startTimedChanges(on('a2', 'hq', 'branch-2', 'branch-3'))).toEqual({
        started: [],
        taken: 'branch-3',
      });
      expect(await one.timedChangesOf('a2')).toEqual([]);
      // Named in another order, of two at once one is first, and neither waits for the other.
      for (const round of [1, 2, 3, 4, 5]) {
        const both = await Promise.all([
          one.startTimedChanges(on(`a3-${round}`, `hq-${round}`, `left-${round}`)),
          other.startTimedChanges(on(`a4-${round}`, `left-${round}`, `hq-${round}`)),
        ]);
        expect(both.map(({ started }) => started.length).toSorted()).toEqual([0, 2]);
      }
    });

    test('leaves the appliance free when it is over, or was void', async () => {
      const [one] = await open();
      const { id } = there(await startOne(one, half()));
      await one.endTimedChange(id, { how: 'ended', says: '' });
      expect(await one.timedChange('hq', 'emergency disable')).toBeUndefined();
      expect(await startOne(one, { ...half(), action: 'a2' })).toBeDefined();
      await one.voidTimedChange('a2', 'hq');
      expect(await one.timedChanges()).toEqual([]);
      expect(idsOf(await one.timedChangesOf('a1'))).toEqual([id]);
    });

    test('is not ended by another replica while the order that begins it may be on its way', async () => {
      const [one, other] = await open();
      const { action, appliance, ...from } = { ...half(), team: 'T1', line: 'emergency enable' };
      const running = await one.write({ ...from, state: 'running', effect: 'destructive' });
      await startOne(one, { ...from, action: running.id, appliance, endsAt: clock.at + minute });
      clock.at += minute;
      expect(await other.claimEnds()).toEqual([]);
      expect(await one.claimEnds()).toMatchObject([{ action: running.id }]);
      // Whatever has become of that order, what it may have begun does not stay.
      clock.at += 5 * minute;
      expect(await other.claimEnds()).toMatchObject([{ action: running.id }]);
    });

    test('is claimed at its end by one of two clocks, and again when the claim is over', async () => {
      const [one, other] = await open();
      await startOne(one, half());
      expect(await one.claimEnds()).toEqual([]);
      clock.at += 30 * minute;
      const both = await Promise.all([one.claimEnds(), other.claimEnds()]);
      expect(both.flat()).toMatchObject([{ state: 'ending' }]);
      clock.at += 5 * minute;
      expect(await other.claimEnds()).toHaveLength(1);
      // The other one is gone.
      await one.adoptOrphans();
      expect(await one.claimEnds()).toHaveLength(1);
    });

    test('is left to whoever is at its end for as long as that goes on', async () => {
      const [one, other] = await open();
      const { id } = there(await startOne(one, half()));
      clock.at += 30 * minute;
      await one.claimEnds();
      for (const _ of [1, 2, 3]) {
        clock.at += 4 * minute;
        await one.timedEndsGoOn([id]);
        // It is no one else's to say so.
        await other.timedEndsGoOn([id]);
        expect([...(await one.claimEnds()), ...(await other.claimEnds())]).toEqual([]);
      }
      clock.at += 5 * minute;
      expect(await other.claimEnds()).toHaveLength(1);
    });

    test('is tried again when it is due, at once when somebody hurries it', async () => {
      const [one] = await open();
      const { id } = there(await startOne(one, half()));
      clock.at += 30 * minute;
      await one.claimEnds();
      expect(await one.orderTimedEnd(id)).toBe(true);
      expect(await one.failTimedEnd(id, 'no answer', clock.at + 2 * minute)).toMatchObject({
        ...{ tries: 1, orders: 1, lastProblem: 'no answer' },
      });
      clock.at += minute;
      expect(await one.claimEnds()).toEqual([]);
      await one.expediteTimedChanges('hq');
      expect(await one.claimEnds()).toHaveLength(1);
    });

    test('has the record of its end with that, once, by whoever has ended it', async () => {
      const [one, other] = await open();
      const wrote = { team: 'T1', channel: 'C1', person: 'U1', state: 'done', effect: 'write' } as const;
      const line = 'vlan stop 3 --for 30m';
      const { id: action } = await one.write({ ...wrote, line });
      const { id } = there(await startOne(one, { ...half(), action }));
      clock.at += 30 * minute;
      await one.claimEnds();
      const record = (says: string) =>
        ({ state: 'done', line, isChange: true, outcome: { code: 'timed_ended', says } }) as const;
      const failed = { ...record('No answer.'), state: 'failed', isChange: false } as const;
      await one.failTimedEnd(id, 'No answer.', clock.at, failed);
      await one.claimEnds();
      await Promise.all(
        [one, other, one, other].map((journal, index) =>
          journal.endTimedChange(id, { how: 'ended', says: '' }, record(`by ${index}`)),
        ),
      );
      await one.failTimedEnd(id, 'Too late.', clock.at, failed);
      const ends = (await one.recent()).filter(({ interaction }) => interaction?.kind === 'timed_end');
      const made = ends.map(({ state, effect, person }) => [state, effect, person]);
      expect(made.toSorted()).toEqual([
        ['done', 'write', ''],
        ['failed', undefined, ''],
      ]);
      // They are changes of nobody's.
      expect((await one.changesIn(0, clock.at + 1)).map((change) => change.id)).toEqual([action]);
    });

    test('that is over is tried no more, and ended by nobody else', async () => {
      const [one, other] = await open();
      const { id } = there(await startOne(one, half()));
      clock.at += 30 * minute;
      await one.claimEnds();
      const both = await Promise.all([
        one.endTimedChange(id, { how: 'ended', says: 'seen' }),
        other.endTimedChange(id, { how: 'person', person: 'U2', says: 'seen' }),
      ]);
      expect(both.filter((timedChange) => timedChange !== undefined)).toHaveLength(1);
      expect(await one.orderTimedEnd(id)).toBe(false);
      expect(await one.failTimedEnd(id, 'late', clock.at)).toBeUndefined();
      expect(await one.cutTimedChange(id)).toBeUndefined();
      clock.at += 60 * minute;
      expect(await one.claimEnds()).toEqual([]);
    });

    test('is extended from the end that was shown, and not from another one', async () => {
      const [one, other] = await open();
      const { id, endsAt } = there(await startOne(one, half()));
      const to = (action: string, minutes: number) => ({
        ...{ action, at: clock.at, until: endsAt + minutes * minute },
      });
      const both = await Promise.all([
        one.extendTimedChange(id, endsAt, to('a2', 10)),
        other.extendTimedChange(id, endsAt, to('a3', 20)),
      ]);
      expect(both.filter(Boolean)).toHaveLength(1);
      const { extensions, endsAt: now } = there(await one.timedChange('hq', 'emergency disable'));
      expect(extensions).toHaveLength(1);
      expect(await one.extendTimedChange(id, now, to('a4', 40))).toBe(true);
      expect(await one.timedChange('hq', 'emergency disable')).toMatchObject({
        endsAt: endsAt + 40 * minute,
        extensions: [extensions[0], { action: 'a4' }],
      });
      await one.cutTimedChange(id);
      expect(await one.extendTimedChange(id, endsAt + 40 * minute, to('a5', 60))).toBe(false);
    });

    test('is reminded of once for each end, and not when the end was set just now', async () => {
      const [one, other] = await open();
      const { id, endsAt } = there(await startOne(one, half()));
      const claims = (journal: Journal) => journal.claimReminders(5 * minute);
      expect(await claims(one)).toEqual([]);
      clock.at = endsAt - 5 * minute;
      const both = await Promise.all([claims(one), claims(other)]);
      expect(both.flat()).toHaveLength(1);
      await one.reminded(id, endsAt, '1700000000.000100');
      expect(await other.timedChanges()).toMatchObject([
        { reminder: { message: '1700000000.000100', endsAt } },
      ]);
      expect(await claims(one)).toEqual([]);
      await one.extendTimedChange(id, endsAt, { action: 'a2', at: clock.at, until: endsAt + 10 * minute });
      expect(await claims(one)).toEqual([]);
      clock.at = endsAt + 5 * minute;
      expect(await claims(one)).toHaveLength(1);
    });

    test('is ended at its time by one, also while another reminds people of it', async () => {
      const [one, other] = await open();
      const { id, endsAt } = there(await startOne(one, half()));
      clock.at = endsAt - 1_000;
      expect(await one.claimReminders(5 * minute)).toHaveLength(1);
      clock.at = endsAt;
      const both = await Promise.all([one.claimEnds(), other.claimEnds()]);
      expect(both.flat()).toHaveLength(1);
      await one.reminded(id, endsAt, '17.1');
      expect([...(await one.claimEnds()), ...(await other.claimEnds())]).toEqual([]);
    });

    test('that somebody has ordered to end is tried at once, also while another reminds people of it', async () => {
      const [one, other] = await open();
      const { id, endsAt } = there(await startOne(one, half()));
      clock.at = endsAt - minute;
      expect(await one.claimReminders(5 * minute)).toHaveLength(1);
      await other.cutTimedChange(id);
      expect(await other.claimEnds()).toHaveLength(1);
    });

    test('is reported once, and its report is found again', async () => {
      const [one, other] = await open();
      const { id } = there(await startOne(one, half()));
      expect(await one.claimReports()).toEqual([]);
      await one.endTimedChange(id, { how: 'ended', says: 'seen' });
      const both = await Promise.all([one.claimReports(), other.claimReports()]);
      expect(both.flat()).toMatchObject([{ ended: { how: 'ended', says: 'seen', at: clock.at } }]);
      await one.placedReport(id, '17.5');
      // The one that was first is gone.
      const left = both[0].length > 0 ? other : one;
      await left.adoptOrphans();
      expect(await left.claimReports()).toMatchObject([{ report: '17.5' }]);
      await one.reported(id);
      clock.at += 60 * minute;
      await one.adoptOrphans();
      expect(await one.claimReports()).toEqual([]);
    });
  });
});
