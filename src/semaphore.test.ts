import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Caller, itself } from './caller.ts';
import { createSemaphore, type Semaphore } from './semaphore.ts';

const aMinute = 60_000;

/** Acquires a key; fails where it was not to be had. */
async function acquired({ acquire }: Semaphore, caller = itself): Promise<() => void> {
  const release = await acquire('key', caller, aMinute);
  if (release === undefined) throw new Error('It was not to be had');
  return release;
}

test('tasks of one key run one after the other, in the order in which they came', async () => {
  const { acquire } = createSemaphore();
  const seen: string[] = [];
  const one = async (name: string, milliseconds: number) => {
    const end = await acquire('key');
    seen.push(`${name} begins`);
    await sleep(milliseconds);
    seen.push(`${name} ends`);
    end();
  };
  await Promise.all([one('first', 20), one('second', 1), one('third', 1)]);
  expect(seen).toEqual(['first', 'second', 'third'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('another key does not wait', async () => {
  const { acquire } = createSemaphore();
  await acquire('key');
  const end = await acquire('other');
  end();
});

test('as many as there are places go at once', async () => {
  const { acquire, waiting } = createSemaphore(2);
  const [first] = [await acquire(), await acquire()];
  const third = acquire();
  expect(waiting()).toHaveLength(1);
  first();
  await third;
  expect(waiting()).toEqual([]);
});

test('whoever does not want to wait longer goes without, and lets nobody pass the one that has the place', async () => {
  const { acquire } = createSemaphore();
  const release = await acquire('key');
  expect(await acquire('key', itself, 5)).toBeUndefined();
  expect(await acquire('key', itself, 5)).toBeUndefined();
  release();
  expect(await acquire('key', itself, 5)).toBeTypeOf('function');
});

test('released twice, a place is released once', async () => {
  const semaphore = createSemaphore();
  const release = await acquired(semaphore);
  const second = acquired(semaphore);
  release();
  release();
  await second;
  expect(await semaphore.acquire('key', itself, 5)).toBeUndefined();
});

test('those who wait take turns, and what is urgent is before what is not', async () => {
  const semaphore = createSemaphore();
  const release = await acquired(semaphore);
  const order: string[] = [];
  const ask = async (person: string, priority: Caller['priority'] = 'high') => {
    const end = await acquired(semaphore, { person, priority });
    order.push(person);
    end();
  };
  const all = [ask('carol', 'low'), ask('alice'), ask('alice'), ask('alice'), ask('bob')];
  expect(semaphore.waiting('key').map(({ person }) => person)).toHaveLength(5);
  release();
  await Promise.all(all);
  expect(order).toEqual(['alice', 'bob', 'alice', 'carol', 'alice']);
});
