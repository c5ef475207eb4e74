import { expect, test } from 'vitest';
import { measureFleet } from './fleet.ts';

test('the status of a fleet is measured with real answers, beside one appliance and beside bare questions', async () => {
  const [unplugged, plugged] = await measureFleet({ rounds: 1, warmUp: 1, appliances: 5, delay: 5 });
  expect(unplugged).toMatchObject({ target: { ratio: 1.5 }, against: { whom: 'the slowest of them alone' } });
  expect(plugged).toMatchObject({ target: { ratio: 2 }, against: { whom: 'undici and JSON.parse' } });
});
