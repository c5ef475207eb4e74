import { expect, test } from 'vitest';
import { measureCrowd } from './crowd.ts';
import { measureLosses } from './losses.ts';

test('a crowd at one button is measured on three replicas, with every answer counted', async () => {
  const [rounds, told] = await measureCrowd({ rounds: 2, people: 8 });
  expect(rounds).toMatchObject({ bot: 2, against: { whom: 'all rounds', value: 2 }, target: { atLeast: 1 } });
  expect(told).toMatchObject({ unit: 'ms', against: { whom: 'one late click alone' } });
});

test('losses are measured on three replicas of which one is killed, with every command, order and action counted', async () => {
  const [rate, answered, orders, actions] = await measureLosses({
    wanted: 10,
    perSecond: 10,
    seconds: 3,
    killEvery: 2,
    channels: 30,
    people: 10,
    branches: 1,
  });
  expect(rate).toMatchObject({ unit: '/s', against: { value: 10 } });
  expect(answered).toMatchObject({ unit: 'commands', target: { atLeast: 1 } });
  expect(orders).toMatchObject({ unit: 'orders', ratio: 1 });
  expect(actions).toMatchObject({ unit: 'actions', ratio: 1 });
}, 60_000);
