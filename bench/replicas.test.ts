import { expect, test } from 'vitest';
import { measureCrowd } from './crowd.ts';

test('a crowd at one button is measured on three replicas, with every answer counted', async () => {
  const [rounds, told] = await measureCrowd({ rounds: 2, people: 8 });
  expect(rounds).toMatchObject({ bot: 2, against: { whom: 'all rounds', value: 2 }, target: { atLeast: 1 } });
  expect(told).toMatchObject({ unit: 'ms', against: { whom: 'one late click alone' } });
});
