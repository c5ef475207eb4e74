import { expect, test } from 'vitest';
import { createCircuitBreaker } from './circuit-breaker.ts';

const pauses = { first: 1_000, longest: 1_000 };

test('while a probe may still answer, nobody else tries, however long it takes', () => {
  let now = 0;
  const breaker = createCircuitBreaker({
    enough: 1,
    pauses,
    probing: Number.POSITIVE_INFINITY,
    now: () => now,
  });
  expect(breaker.failed()).toBe(true);
  expect(breaker.pass()).toBe(false);
  now += 1_000;
  expect([breaker.pass(), breaker.pass()]).toEqual([true, false]);
  now += 3_600_000;
  expect(breaker.pass()).toBe(false);
  expect(breaker.failed()).toBe(false);
  now += 1_000;
  expect(breaker.pass()).toBe(true);
  expect(breaker.answered()).toBe(3_602_000);
  expect([breaker.pass(), breaker.pass()]).toEqual([true, true]);
});

test('a probe that does not end makes room for the next after a pause', () => {
  let now = 0;
  const breaker = createCircuitBreaker({ enough: 1, pauses, now: () => now });
  breaker.failed();
  now += 1_000;
  expect([breaker.pass(), breaker.pass()]).toEqual([true, false]);
  now += 1_000;
  expect([breaker.pass(), breaker.pass()]).toEqual([true, false]);
});
