import { describe, expect, test } from 'vitest';
import { stores } from '../../../test/stores.ts';

const asked = { team: 'T1', channel: 'C1', person: 'U1', line: 'rdp disconnect 12' } as const;

describe.each(stores)('steps of workflows, in $store', ({ newPlace, open }) => {
  test('are taken once, on whatever replica they arrive, and not again when they are over', async () => {
    const place = newPlace();
    const [one, other] = [await open(place), await open(place)];
    const taken = await Promise.all([one, other, one].map((journal) => journal.takeStep('Fx1')));
    expect(taken.filter(Boolean)).toHaveLength(1);
    await one.stepTold('Fx1');
    expect(await other.takeStep('Fx1')).toBe(false);
  });

  test('are told when their action is over, and not while it is open or looked at again', async () => {
    const journal = await open(newPlace());
    await journal.takeStep('Fx1');
    const action = await journal.write({ ...asked, state: 'asked', delivery: 'Fx1' });
    expect(await journal.claimEndedSteps(), 'it is being read').toEqual([]);
    await journal.stepAsked('Fx1');
    expect(await journal.claimEndedSteps()).toEqual([]);
    const running = await journal.move(action, 'running');
    const unknown = running && (await journal.move(running, 'unknown', { held: true }));
    expect(await journal.claimEndedSteps()).toEqual([]);
    if (unknown !== undefined) await journal.move(unknown, 'done');
    expect(await journal.claimEndedSteps()).toEqual([{ execution: 'Fx1', action: action.id }]);
    expect(await journal.claimEndedSteps(), 'one tells it').toEqual([]);
  });

  test('are told again at their time where Slack did not take it', async () => {
    const clock = { at: 1_000 };
    const journal = await open(newPlace(), clock);
    await journal.takeStep('Fx1');
    await journal.write({ ...asked, state: 'refused', delivery: 'Fx1' });
    await journal.stepAsked('Fx1');
    expect(await journal.claimEndedSteps()).toHaveLength(1);
    await journal.tellStepLater('Fx1', 5_000);
    expect(await journal.claimEndedSteps()).toEqual([]);
    clock.at = 5_000;
    expect(await journal.claimEndedSteps()).toHaveLength(1);
  });

  test('of a replica that is gone are told by another, with the action that they asked for, if there is one', async () => {
    const place = newPlace();
    const [one, other] = [await open(place, undefined, 'one'), await open(place, undefined, 'other')];
    await one.takeStep('Fx1');
    await one.takeStep('Fx2');
    const { id } = await one.write({ ...asked, state: 'refused', delivery: 'Fx2' });
    await one.leave();
    await other.adoptOrphans();
    expect(await other.claimEndedSteps()).toEqual(
      expect.arrayContaining([
        { execution: 'Fx1', action: undefined },
        { execution: 'Fx2', action: id },
      ]),
    );
  });
});
