import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

function start(burst: number, every: number) {
  const clock = { at: 1_000_000 };
  return { clock, ...createRateLimit({ burst, every }, () => clock.at) };
}

test('a bucket allows a burst, then one after the other, and tells a refused caller the wait without counting them', () => {
  const { clock, take } = start(3, 1_000);
  expect([1, 2, 3].map(() => take('a'))).toEqual([0, 0, 0]);
  expect([take('a'), take('a')]).toEqual([1_000, 1_000]);
  expect(take('b')).toBe(0);
  clock.at += 1_000;
  expect([take('a'), take('a')]).toEqual([0, 1_000]);
});

test('a long silence saves only one burst', () => {
  const { clock, take } = start(3, 1_000);
  take('a');
  clock.at += 3_600_000;
  expect([1, 2, 3, 4].map(() => take('a'))).toEqual([0, 0, 0, 1_000]);
});

test('what is counted without room delays what comes after it', () => {
  const { due, count } = start(3, 1_000);
  for (let times = 0; times < 5; times += 1) count('a');
  expect(due('a')).toBe(3_000);
});

test('a thousand keys do not disturb one another', () => {
  const { take, count, due } = start(2, 1_000);
  for (let round = 0; round < 2; round += 1) {
    for (let key = 0; key < 1_000; key += 1) expect(take(`C${key}`)).toBe(0);
  }
  for (let times = 0; times < 50; times += 1) count('C0');
  expect(due('C1')).toBe(1_000);
});

test('a hold blocks this key, and no other', () => {
  const { clock, hold, due } = start(3, 1_000);
  hold('a', 30_000);
  expect(due('a')).toBeGreaterThanOrEqual(30_000);
  expect(due('a')).toBeLessThanOrEqual(31_000);
  expect(due('b')).toBe(0);
  clock.at += 30_000;
  expect(due('a')).toBeLessThanOrEqual(2_000);
});

test('a short hold does not shorten a long one', () => {
  const { hold, due } = start(3, 1_000);
  hold('a', 30_000);
  hold('a', 1_000);
  expect(due('a')).toBeGreaterThanOrEqual(30_000);
});

test('a clock that was ahead and is corrected delays nothing', () => {
  const { clock, hold, count, due } = start(3, 1_000);
  clock.at += 86_400_000;
  hold('a', 30_000);
  for (let times = 0; times < 5; times += 1) count('b');
  clock.at -= 86_400_000;
  expect([due('a'), due('b')]).toEqual([0, 0]);
});

test('the last five thousand keys are remembered', () => {
  const { take } = start(1, 1_000_000);
  for (let number = 0; number < 20_000; number += 1) take(`address ${number}`);
  expect(take('address 19999')).toBeGreaterThan(0);
  expect(take('address 15001')).toBeGreaterThan(0);
  expect(take('address 14999')).toBe(0);
});
