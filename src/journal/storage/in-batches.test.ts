import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { inBatches } from './in-batches.ts';

test('what comes while it is at it is done together, in the order in which it came, and each hears when it is done', async () => {
  const batches: (readonly number[])[] = [];
  const done: number[] = [];
  let letGo = () => {};
  const add = inBatches(async (all: readonly number[]) => {
    batches.push(all);
    await new Promise<void>((resolve) => {
      letGo = resolve;
    });
  });
  for (const one of [1, 2, 3, 4]) void add(one).then(() => done.push(one));
  await setImmediate();
  expect([batches, done]).toEqual([[[1]], []]);
  letGo();
  await setImmediate();
  expect([batches, done]).toEqual([[[1], [2, 3, 4]], [1]]);
  letGo();
  await setImmediate();
  expect(done).toEqual([1, 2, 3, 4]);
  void add(5);
  expect(batches.at(-1)).toEqual([5]);
});

test('what fails fails for those that were done together, and for nobody after them', async () => {
  let fails = true;
  const add = inBatches(async () => {
    await setImmediate();
    if (fails) throw new Error('The disk is full');
  });
  const first = Promise.allSettled([add(1), add(2), add(3)]);
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  fails = false;
  await expect(add(4)).resolves.toBeUndefined();
});
