import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSharedClock } from './shared-clock.ts';

const day = 24 * 60 * 60_000;

/** A database that says what time it is, by the real clock. */
const database = async () => ({ time: Date.now() });

test.each([
  ['two minutes ahead', 120_000],
  ['two minutes behind', -120_000],
  ['a day ahead', day],
])('a clock that is %s is known to be, and the database’s counts', async (_, ahead) => {
  const clock = createSharedClock(() => Date.now() + ahead);
  expect(clock.ahead()).toBeUndefined();
  expect(await clock.measure(database)).toEqual({ time: expect.any(Number) });
  expect(Math.abs((clock.ahead() ?? 0) - ahead)).toBeLessThan(1_000);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000);
});

test('one that is off by less than two seconds is left as it is', async () => {
  const clock = createSharedClock(() => Date.now() + 1_500);
  await clock.measure(database);
  expect(clock.ahead()).toBeGreaterThan(500);
  expect(clock.now() - Date.now()).toBeGreaterThan(1_000);
});

test('of a slow answer only what is certain counts', async () => {
  const clock = createSharedClock(() => Date.now());
  // It says at the beginning what is heard at the end.
  await clock.measure(async () => {
    const answer = await database();
    await sleep(300);
    return answer;
  });
  expect(Math.abs(clock.ahead() ?? Number.NaN)).toBeLessThan(100);
});

test('an answer that took long, and one while the clock was set, are no measurement', async () => {
  let ahead = 0;
  const clock = createSharedClock(() => Date.now() + ahead);
  await clock.measure(async () => {
    ahead = day;
    return database();
  });
  expect(clock.ahead()).toBeUndefined();
  await clock.measure(database);
  expect(Math.round((clock.ahead() ?? 0) / day)).toBe(1);
});
