import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { gather } from './gather.ts';

test('what comes within the time is done together, in the order in which it came, and nobody waits for it', async () => {
  const done: (readonly number[])[] = [];
  const { add } = gather(async (all: readonly number[]) => void done.push(all), 20);
  for (const one of [1, 2, 3]) add(one);
  expect(done).toEqual([]);
  await expect.poll(() => done).toEqual([[1, 2, 3]]);
  add(4);
  await expect.poll(() => done).toEqual([[1, 2, 3], [4]]);
});

test('whoever has it done at once hears when all that came before is done, and nothing is done twice', async () => {
  const done: (readonly number[])[] = [];
  const { add, flush } = gather(async (all: readonly number[]) => {
    await sleep(5);
    done.push(all);
  }, 10);
  add(1);
  const first = flush();
  add(2);
  await Promise.all([first, flush(), flush()]);
  expect(done.flat()).toEqual([1, 2]);
  await sleep(30);
  expect(done.flat()).toEqual([1, 2]);
});

test('what could not be done is done again, before what came since', async () => {
  const done: number[] = [];
  let fails = true;
  const { add, flush } = gather(async (all: readonly number[]) => {
    if (fails) throw new Error('The disk is full');
    done.push(...all);
  }, 10);
  add(1);
  await expect(flush()).rejects.toThrow('The disk is full');
  add(2);
  fails = false;
  await expect.poll(() => done).toEqual([1, 2]);
});
