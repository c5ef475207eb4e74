import { describe, expect, test } from 'vitest';
import { begun, confirm, disable, extend, look, type Model, reading } from '../../../test/emergency-model.ts';
import { alarm, emergencyUnit, minute, over, type Replica } from '../../../test/emergency-unit.ts';
import type { Gate } from '../../../test/gate.ts';
import { seeded, seeds } from '../../../test/seeded.ts';
import { sized } from '../../../test/size.ts';

const well = { mode: 'normal', isConnected: true, isNamed: true, reads: 'answered', orders: 'done' } as const;
const week = 7 * 24 * 60 * minute;

describe('whatever an appliance, people and the clock do, emergency mode is ended, told, and never called over while it shows', () => {
  test.each(sized(seeds(3), seeds(20), seeds(60)))('in the sequences of seed %i', async (seed) => {
    const random = seeded(seed);
    const pick = <Item>(from: readonly Item[]): Item => from[Math.floor(random() * from.length)] as Item;
    const unit = await emergencyUnit();
    const { clock, gate, shut, seen } = unit;
    let [one, other]: readonly [Replica, Replica] = [await unit.start(), await unit.start()];

    /** How they have ended; not at all where it took the last look. */
    const ways = new Set<Model['how']>();

    for (let sequence = 0; sequence < 15; sequence += 1) {
      Object.assign(gate, well);
      for (const all of [gate.ordered, seen.thread, seen.notes]) all.length = 0;
      expect(await one.enable(30)).toBe('done');
      const [enabled] = await one.journal.recent(1);
      const model = begun(clock.at, 30);
      const log: unknown[] = [];

      /** Lets it happen, and in the model, and holds the one against the other. */
      const step = async (name: string, real: () => Promise<unknown>, modelled: () => unknown) => {
        log.push([name, (clock.at - model.endsAt) / minute, { ...gate, ordered: undefined }, [...shut]]);
        const { state, tries } = model;
        const then = { at: clock.at, gate: { ...gate }, calls: calls() };
        await real();
        const now = { at: clock.at, mode: gate.mode };
        // The same again, for the model.
        clock.at = then.at;
        Object.assign(gate, then.gate);
        modelled();
        const [timedChange] = await one.journal.timedChangesOf(enabled?.id ?? '');
        const { setAt: _, reminded: __, ...expected } = model;
        const found = { ...timedChange, how: timedChange?.ended?.how, ...now };
        const context = JSON.stringify(log);
        expect(found, context).toMatchObject({ ...expected, at: clock.at, mode: gate.mode });
        // Whatever the model says.
        const isLeftOn = timedChange?.state === 'ending' && timedChange.nextTryAt > clock.at + 60 * minute;
        expect(isLeftOn, context).toBe(false);
        if (model.tries > tries && shut.size < 2) expect(calls(), context).toBeGreaterThan(then.calls);
        expect(unit.count(over), context).toBeLessThanOrEqual(1);
        if (state !== 'over' && timedChange?.state === 'over' && timedChange.ended?.how !== 'confirmed') {
          expect(reading(gate), context).not.toBe('on');
        }
      };
      const calls = () => unit.count(alarm) + unit.called(alarm).length;
      const scene = { gate, clock };
      /** What has a card is not done where nobody can see it. */
      const seenBy = (does: () => void) => () => shut.has('channel') || does();

      const happenings: readonly (readonly [number, () => unknown])[] = [
        [20, () => (clock.at += pick([1, 2, 5, 10, 25, 30, 61, 420]) * minute)],
        [15, () => (clock.at = Math.max(clock.at, pick([model.endsAt, model.nextTryAt]) - pick([0, 1])))],
        [15, () => turn(gate, pick)],
        [5, () => toggle(shut, pick(['channel', 'people'] as const))],
        [20, () => step('look', pick([one, other]).tick, () => look(model, scene))],
        [
          10,
          () =>
            step(
              'both look',
              () => Promise.all([one.tick(), other.tick()]),
              () => look(model, scene),
            ),
        ],
        [
          5,
          () => {
            const by = pick([10, 60, 240]);
            return step(
              `extend ${by}`,
              () => one.extend(by),
              seenBy(() => extend(model, scene, by)),
            );
          },
        ],
        [
          5,
          () =>
            step(
              'disable',
              () => other.disable(),
              seenBy(() => disable(model, scene)),
            ),
        ],
        [
          5,
          () =>
            step(
              'confirm',
              () => other.confirmOver('seen'),
              seenBy(() => confirm(model, scene)),
            ),
        ],
        [
          5,
          () => {
            const restart = async () => {
              [one, other] = [await unit.restart(), await unit.start()];
            };
            return step('restart', restart, () => look(model, scene, { reminds: false }));
          },
        ],
      ];
      const weighted = happenings.flatMap(([weight, does]) => Array.from({ length: weight }, () => does));
      for (let count = 0; count < 16 && (model.state !== 'over' || random() < 0.6); count += 1) {
        await pick(weighted)();
      }
      ways.add(model.how);

      // When nothing is in its way any more it ends, and somebody hears of it, once.
      shut.clear();
      Object.assign(gate, well);
      clock.at = Math.max(clock.at, model.nextTryAt);
      await step('look at last', one.tick, () => look(model, scene));
      expect(model.state).toBe('over');
      await one.pass(2);
      // Where it was tried before in vain, the one that did tries it again.
      await other.tick();
      expect(unit.count(over) + unit.called(/ is over\./).length).toBeGreaterThan(0);
      expect(await one.journal.claimReports()).toEqual([]);
      expect(seen.twice).toEqual([]);
      // Reports look back for a week.
      clock.at += week;
    }
    expect(ways.size).toBeGreaterThan(1);
  });
});

/** Somebody does something to the appliance, or something happens to it. */
function turn(gate: Gate, pick: <Item>(from: readonly Item[]) => Item): void {
  const changes: readonly Partial<Gate>[] = [
    { mode: pick(['normal', 'emergency', 'emergency', 'global']) },
    { orders: pick(['done', 'forgotten', 'lost', 'refused', 'unreachable']) },
    { reads: pick(['answered', 'answered', 'failing', 'unreachable']) },
    { isConnected: pick([true, true, false]) },
    { isNamed: pick([true, true, false]) },
  ];
  Object.assign(gate, pick(changes));
}

function toggle<Item>(set: Set<Item>, item: Item): void {
  if (!set.delete(item)) set.add(item);
}
