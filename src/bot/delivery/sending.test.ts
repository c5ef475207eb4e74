import { beforeEach, expect, test } from 'vitest';
import { createLog } from '../../telemetry/log.ts';
import { type Breaker, createBreaker } from './sending.ts';

let at: number;
let logged: string[];
let breaker: Breaker;

beforeEach(() => {
  at = 1_000_000;
  logged = [];
  const log = createLog('info', { write: (line: string) => void logged.push(JSON.parse(line).msg) });
  breaker = createBreaker('Web API', { now: () => at, log });
});

const fail = (times: number) => {
  for (let count = 0; count < times; count += 1) breaker.failed('http_503');
};
/** Whether an attempt is let through. */
const passes = (): boolean => {
  try {
    breaker.pass();
    return true;
  } catch {
    return false;
  }
};

test('two failures block nothing, and an answer between them resets the count', () => {
  fail(2);
  expect([breaker.isOpen(), passes()]).toEqual([false, true]);
  breaker.answered();
  fail(2);
  expect(breaker.isOpen()).toBe(false);
  expect(logged).toEqual([]);
});

test('after three nothing is sent, and the refusal says so', () => {
  fail(3);
  expect(breaker.isOpen()).toBe(true);
  expect(() => breaker.pass()).toThrow(
    expect.objectContaining({ code: 'slack_away', isPassing: true, mayStand: false }),
  );
  expect(logged).toEqual(['Slack does not answer; messages wait until it does']);
});

test('one attempt at a time probes, first after a second and at least every five', () => {
  fail(3);
  const tried: number[] = [];
  for (let second = 0; second < 30; second += 0.5) {
    at = 1_000_000 + second * 1_000;
    if (!passes()) continue;
    tried.push(second);
    // While its result is open, the others wait.
    expect(passes()).toBe(false);
    breaker.failed('http_503');
  }
  expect(tried[0]).toBe(1);
  const gaps = tried.slice(1).map((second, index) => second - (tried[index] ?? 0));
  expect(Math.max(...gaps)).toBe(5);
  expect(logged).toHaveLength(1);
});

test('the first answer lets all through again, and the log has the duration', () => {
  fail(3);
  at += 90_000;
  expect(passes()).toBe(true);
  breaker.answered();
  expect([breaker.isOpen(), passes(), passes()]).toEqual([false, true, true]);
  expect(logged.at(-1)).toBe('Slack answers again');
});
