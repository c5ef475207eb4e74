import { expect, test } from 'vitest';
import { createBuckets } from './bucket.ts';

test('so many at once, then one after the other; who waits is told how long, and is not counted', () => {
  let now = 1_000_000;
  const { take } = createBuckets({ burst: 3, every: 1_000 }, () => now);
  expect([1, 2, 3].map(() => take('a'))).toEqual([0, 0, 0]);
  expect([take('a'), take('a')]).toEqual([1_000, 1_000]);
  expect(take('b')).toBe(0);
  now += 1_000;
  expect([take('a'), take('a')]).toEqual([0, 1_000]);
  now += 60_000;
  expect([1, 2, 3, 4].map(() => take('a'))).toEqual([0, 0, 0, 1_000]);
});

test('a clock that is set back makes nobody wait for the hour that it was ahead', () => {
  let now = 10_000_000;
  const { take } = createBuckets({ burst: 1, every: 1_000 }, () => now);
  take('a');
  now -= 3_600_000;
  expect(take('a')).toBeLessThanOrEqual(1_000);
});

test('of ever other addresses the last five thousand are remembered', () => {
  const { take } = createBuckets({ burst: 1, every: 1_000_000 }, () => 0);
  for (let number = 0; number < 20_000; number += 1) take(`address ${number}`);
  expect(take('address 19999')).toBeGreaterThan(0);
  expect(take('address 15001')).toBeGreaterThan(0);
  expect(take('address 14999')).toBe(0);
});
