import { expect, test } from 'vitest';
import { withBob } from '../with-bob.ts';

test('each row of the temporary changes has a number, and the buttons below every page use it', async () => {
  const { ask } = await withBob();
  for (let at = 0; at < 18; at += 1) await ask(`category add s${at}.shop.example to 252 --for ${60 + at}m`);
  expect(await ask('temporary')).toMatch(/ 1 +s0\.shop\.example [\s\S]*\[1: End now\]/);
  expect(await ask('more')).toMatch(/ 1[78] +s1[67]\.shop\.example /);
});
