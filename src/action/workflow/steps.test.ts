import { expect, test } from 'vitest';
import type { After } from '../base/timeout.ts';
import { createTurns, turnLimits } from './steps.ts';

/** Turns over a clock that stands until it is told to go on. */
function turnsOf() {
  const timers = new Set<() => void>();
  const after: After = (_, callback) => {
    timers.add(callback);
    return () => timers.delete(callback);
  };
  const { take } = createTurns(after);
  const order: string[] = [];
  const gates: (() => void)[] = [];
  const begin = (channel: string) =>
    take(channel, async () => {
      order.push(channel);
      await new Promise<void>((resolve) => gates.push(resolve));
    });
  return { begin, order, gates, timers };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('a few steps run at a time, and channels take turns with the rest', async () => {
  const { begin, order, gates } = turnsOf();
  for (let count = 0; count < 8; count += 1) void begin('C1');
  void begin('C2');
  await settle();
  expect(order).toHaveLength(turnLimits.atOnce);
  for (let count = 0; count < 2; count += 1) {
    gates.shift()?.();
    await settle();
  }
  expect(order.slice(turnLimits.atOnce)).toEqual(['C1', 'C2']);
});

test('more than may wait in a channel are told, and take no place from another channel', async () => {
  const { begin, order, gates } = turnsOf();
  for (let count = 0; count < turnLimits.atOnce + turnLimits.inChannel; count += 1) void begin('C1');
  expect(await begin('C1')).toBe('too_many');
  const other = begin('C2');
  while (gates.length > 0) {
    gates.shift()?.();
    await settle();
  }
  expect(await other).toBe('over');
  expect(order).toHaveLength(turnLimits.atOnce + turnLimits.inChannel + 1);
});

test('what waits too long is told, and is not begun afterwards', async () => {
  const { begin, order, gates, timers } = turnsOf();
  for (let count = 0; count < turnLimits.atOnce; count += 1) void begin('C1');
  const late = begin('C2');
  await settle();
  for (const callback of timers) callback();
  expect(await late).toBe('too_late');
  while (gates.length > 0) {
    gates.shift()?.();
    await settle();
  }
  expect(order).not.toContain('C2');
});
